/** A command as plain data: what it is for, what it takes, how it parses that, what it runs. */
import type { Context } from './context.js';
import type { Listing } from './listing.js';

export interface CommandDescription<Options = unknown> {
  /** The verb, or the noun of a command without verbs. */
  readonly name: string;
  /** One line, lower-case start, no full stop. */
  readonly summary: string;
  readonly arguments?: readonly ArgumentDescription[];
  readonly options?: readonly OptionDescription[];
  /** Each runs as written, against `--mock` where it asks a deployment. */
  readonly examples: readonly Example[];
  /** Ids of the catalogue rows it calls, for the help. */
  readonly endpoints?: readonly string[];
  /** The verb that runs when none is named. */
  readonly isDefault?: true;
  /** Checks the input and turns it into what `run` needs. Throws a UsageError. */
  readonly parse: (input: Input) => Options;
  /** Does the work. What it gives is shown in the format asked for. */
  readonly run: (context: Context, options: Options) => Promise<Listing | undefined>;
}

/** What a shell offers where there are no fixed choices: `field=` is a field and its value to follow, `columns` a list. */
export type Completes = 'file' | 'profile' | 'field' | 'field=' | 'columns';

export interface ArgumentDescription {
  readonly name: string;
  readonly summary: string;
  readonly required?: true;
  readonly variadic?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

export interface OptionDescription {
  /** In commander's spelling: `-f, --format <name>`. */
  readonly flags: string;
  /** With unit and default. */
  readonly summary: string;
  /** Heading in the help. */
  readonly group?: string;
  readonly repeatable?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  /** Not in the help. */
  readonly hidden?: true;
}

export interface Example {
  readonly purpose: string;
  /** The command line, beginning with `opac`. */
  readonly command: string;
}

/** The words of a command line, before anybody checked them. */
export interface Input {
  readonly arguments: readonly string[];
  /** By name in camel case: `--base-url x` is `baseUrl: 'x'`. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Keeps the types of a description's parts together, and gives it to those who do not care for them. */
export function command<Options>(description: CommandDescription<Options>): CommandDescription {
  return description as CommandDescription;
}
