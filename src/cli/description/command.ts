/** A command as plain data. */
import type { EndpointId } from '../../service/endpoints/catalogue.js';
import type { Context } from '../context.js';
import type { Format } from '../options/global.js';
import type { OutputKind } from '../options/output-kind.js';
import type { ArgumentDescription, Examples, InputOf, OptionDescription } from './option.js';
import type { CommandResult } from './result.js';

export interface CommandDescription<
  Arguments extends readonly ArgumentDescription[] = readonly ArgumentDescription[],
  Options extends readonly OptionDescription[] = readonly OptionDescription[],
  Parsed = unknown,
> {
  readonly name: string;
  /** One line. It begins in lower case and has no full stop. */
  readonly summary: string;
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Tests run each example as written. */
  readonly examples: Examples;
  /** If undefined, the command ignores the settings of a profile. */
  readonly endpoints?: readonly EndpointId[];
  /**
   * By default, `--dry-run` prints the requests and sends nothing. With `by-command`, the command decides itself what `--dry-run`
   * does. With `refused`, `--dry-run` is an error.
   */
  readonly dryRun?: 'by-command' | 'refused';
  /** Default `items`. */
  readonly output?: OutputKind;
  /** Default: the formats of the output kind. */
  readonly formats?: readonly Format[];
  /** Checks the options together and converts the input for `run`. Throws a UsageError. */
  readonly parse?: (input: InputOf<Arguments, Options>) => Parsed;
  readonly run: (context: Context, input: Parsed) => Promise<CommandResult | undefined>;
}

/** Makes the compiler check that the options match `parse` and `run`. */
export function defineCommand<
  const Arguments extends readonly ArgumentDescription[] = readonly [],
  const Options extends readonly OptionDescription[] = readonly [],
  Parsed = InputOf<Arguments, Options>,
>(description: CommandDescription<Arguments, Options, Parsed>): CommandDescription {
  return description as unknown as CommandDescription;
}
