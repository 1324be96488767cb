/** Describes the arguments, options and examples of a command, and the types of their values. */

/** Returns the words before `--`, because the words after it cannot be options. */
export function dropOperands(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** What the shell completes. For `columns`, the value is a list of column names, separated by commas. */
export type CompletionSource = 'file' | 'profile' | 'columns';

/** Throws a UsageError that names the source of the text (`where`), such as `--limit`. */
export type Parser<Value> = (text: string, where: string) => Value;

export interface ArgumentDescription {
  readonly name: string;
  readonly summary: string;
  readonly required?: true;
  readonly variadic?: true;
  readonly choices?: readonly string[];
  /** Default: accepts only the choices, or any text if there are no choices. */
  readonly parse?: Parser<unknown>;
  readonly completes?: CompletionSource;
}

export interface OptionDescription {
  /** In commander's spelling: `-f, --format <name>`. */
  readonly flags: string;
  readonly summary: string;
  readonly default?: string | number;
  /** The default that the help shows, if the command itself determines the default. */
  readonly defaultText?: string | number;
  readonly group?: string;
  /** The values of all uses become one list. */
  readonly repeatable?: true;
  /** A second use is an error. This is the default for search options; for other options, the last value counts. */
  readonly once?: true;
  readonly choices?: readonly string[];
  readonly parse?: Parser<unknown>;
  /** The long flags of options that cannot be used with this option. */
  readonly conflicts?: readonly string[];
  readonly completes?: CompletionSource;
  readonly hidden?: true | undefined;
}

/** Command lines by their purpose. Each begins with `opac`. */
export type Examples = Readonly<Record<string, string>>;

/** Values of arguments and options by name in camel case: `--base-url x` is `baseUrl: 'x'`. */
export type CommandInput = Readonly<Record<string, unknown>>;

type AfterDashes<Flags> = Flags extends `${string}--${infer Rest}` ? Rest : never;
type LongName<Flags> = AfterDashes<Flags> extends `${infer Name} ${string}` ? Name : AfterDashes<Flags>;
type Positive<Name> = Name extends `no-${infer Rest}` ? Rest : Name;
type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;

type Parsed<Row> = Row extends { parse: Parser<infer Value> }
  ? Value
  : Row extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string;
type ListOf<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : readonly Value[];

type OptionValue<Row extends OptionDescription> = Row['flags'] extends `${string}[${string}`
  ? string | true | undefined
  : Row['flags'] extends `${string}<${string}`
    ? Row extends { repeatable: true }
      ? ListOf<Parsed<Row>>
      : Row extends { default: string | number }
        ? Parsed<Row>
        : Parsed<Row> | undefined
    : boolean;

type ArgumentValue<Row> = Row extends { variadic: true }
  ? readonly Parsed<Row>[]
  : Row extends { required: true }
    ? Parsed<Row>
    : Parsed<Row> | undefined;

export type ValuesOf<Options extends readonly OptionDescription[]> = {
  readonly [Row in Options[number] as Camel<Positive<LongName<Row['flags']>>>]: OptionValue<Row>;
};

export type InputOf<
  Arguments extends readonly ArgumentDescription[],
  Options extends readonly OptionDescription[],
> = { readonly [Row in Arguments[number] as Camel<Row['name']>]: ArgumentValue<Row> } & ValuesOf<Options>;

/** Returns `-f` and `--format` for `-f, --format <name>`. */
export function listFlags({ flags }: OptionDescription): string[] {
  return flags.split(/,? /).filter((part) => part.startsWith('-'));
}

export function getLongFlag(option: OptionDescription): string {
  return listFlags(option).at(-1) ?? '';
}

/** Returns `baseUrl` for `base-url`. */
export function toCamelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The help shows the options under the heading `group`. */
export function inGroup<const Rows extends readonly OptionDescription[]>(group: string, rows: Rows): Rows {
  return rows.map((row) => ({ ...row, group })) as readonly OptionDescription[] as Rows;
}
