/** Arguments, options and examples of a command, and the words that were typed. */

/** The words that can be options: all before `--`. */
export function wordsOfOptions(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** What a shell completes without fixed choices: `field=` is a field before its value, `columns` a list. */
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
  readonly summary: string;
  /** For the help, as `parse` applies it. */
  readonly default?: string | number;
  readonly group?: string;
  readonly repeatable?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  readonly hidden?: true;
}

export interface Example {
  readonly purpose: string;
  /** The command line, beginning with `opac`. */
  readonly command: string;
}

export interface Input {
  readonly arguments: readonly string[];
  /** By name in camel case: `--base-url x` is `baseUrl: 'x'`. */
  readonly options: Readonly<Record<string, unknown>>;
}
