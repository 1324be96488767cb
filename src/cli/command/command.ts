/** A command as plain data. */
import type { EndpointId } from '../../service/endpoints/catalogue.js';
import type { Context } from '../context.js';
import type { Format } from '../options/global.js';
import type { OutputKind } from '../options/output-kind.js';
import type { ArgumentDescription, Example, Input, OptionDescription } from './option.js';
import type { CommandResult } from './result.js';

export interface CommandDescription<Options = unknown> {
  readonly name: string;
  /** One line, lower-case start, no full stop. */
  readonly summary: string;
  readonly arguments?: readonly ArgumentDescription[];
  readonly options?: readonly OptionDescription[];
  /** Each runs as written, against `--mock` where it asks a deployment. */
  readonly examples: readonly Example[];
  /** Undefined for a command that asks no deployment, and so takes nothing from a profile. */
  readonly endpoints?: readonly EndpointId[];
  readonly isDefault?: true;
  /** `--dry-run` is the command's own option, which asks the service and changes nothing; or it has no meaning. */
  readonly dryRun?: 'own' | 'refused';
  /** Default `rows`. */
  readonly output?: OutputKind;
  /** Formats other than those of listings. */
  readonly formats?: readonly Format[];
  /** Turns the input into what `run` needs. Throws a UsageError. */
  readonly parse: (input: Input) => Options;
  readonly run: (context: Context, options: Options) => Promise<CommandResult | undefined>;
}

/** Checks that the parts of a description fit together. */
export function command<Options>(description: CommandDescription<Options>): CommandDescription {
  return description as CommandDescription;
}
