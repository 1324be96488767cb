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
  /** One line, lower-case start, no full stop. */
  readonly summary: string;
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Each runs as written, against `--mock` where it asks a deployment. */
  readonly examples: Examples;
  /** Undefined for a command that asks no deployment, and so takes nothing from a profile. */
  readonly endpoints?: readonly EndpointId[];
  /** `--dry-run` is the command's own option, which asks the service and changes nothing; or it has no meaning. */
  readonly dryRun?: 'own' | 'refused';
  /** Default `items`. */
  readonly output?: OutputKind;
  /** Formats other than those of listings. */
  readonly formats?: readonly Format[];
  /** Checks what the declarations cannot say, and turns the input into what `run` needs. Throws a UsageError. */
  readonly parse?: (input: InputOf<Arguments, Options>) => Parsed;
  readonly run: (context: Context, input: Parsed) => Promise<CommandResult | undefined>;
}

/** Checks that the parts of a description fit together. Without `parse`, `run` gets the input. */
export function defineCommand<
  const Arguments extends readonly ArgumentDescription[] = readonly [],
  const Options extends readonly OptionDescription[] = readonly [],
  Parsed = InputOf<Arguments, Options>,
>(description: CommandDescription<Arguments, Options, Parsed>): CommandDescription {
  return description as unknown as CommandDescription;
}
