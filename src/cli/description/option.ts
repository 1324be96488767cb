/** Arguments, options and examples of a command, and the types of the values that they give. */

/** Returns the words before `--`; only they can be options. */
export function dropOperands(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** What a shell completes if an option has no fixed choices. `columns` is a list. */
export type CompletionSource = 'file' | 'profile' | 'columns';

/** Returns the value of a text. Throws a UsageError that names where the text is from (`where`), such as `--limit`. */
export type Parser<Value> = (text: string, where: string) => Value;

export interface ArgumentDescription {
  readonly name: string;
  readonly summary: string;
  readonly required?: true;
  readonly variadic?: true;
  readonly choices?: readonly string[];
  /** Default: one of the choices, or the text. */
  readonly parse?: Parser<unknown>;
  readonly completes?: CompletionSource;
}

export interface OptionDescription {
  /** In commander's spelling: `-f, --format <name>`. */
  readonly flags: string;
  readonly summary: string;
  /** The value when the option is not given. */
  readonly default?: string | number;
  /** The default for the help, if the command determines it. */
  readonly defaultText?: string | number;
  readonly group?: string;
  /** The option can be repeated. Its values become one list. */
  readonly repeatable?: true;
  /** It is an error to give the option twice, as for all search options. For others, the last value counts. */
  readonly once?: true;
  readonly choices?: readonly string[];
  /** Default: one of the choices, or the text. */
  readonly parse?: Parser<unknown>;
  /** Long flags of options that cannot be used with this one. */
  readonly conflicts?: readonly string[];
  readonly completes?: CompletionSource;
  readonly hidden?: true | undefined;
}

/** Command lines, beginning with `opac`, by their purpose. */
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

/** The values of declared options. */
export type ValuesOf<Options extends readonly OptionDescription[]> = {
  readonly [Row in Options[number] as Camel<Positive<LongName<Row['flags']>>>]: OptionValue<Row>;
};

/** The values of declared arguments and options. */
export type InputOf<
  Arguments extends readonly ArgumentDescription[],
  Options extends readonly OptionDescription[],
> = { readonly [Row in Arguments[number] as Camel<Row['name']>]: ArgumentValue<Row> } & ValuesOf<Options>;

/** Returns the flags of an option: `-f` and `--format` for `-f, --format <name>`. */
export function listFlags({ flags }: OptionDescription): string[] {
  return flags.split(/,? /).filter((part) => part.startsWith('-'));
}

export function getLongFlag(option: OptionDescription): string {
  return listFlags(option).at(-1) ?? '';
}

/** Returns a name in camel case: `baseUrl` for `base-url`. */
export function toCamelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the options with the heading under which the help lists them. */
export function inGroup<const Rows extends readonly OptionDescription[]>(group: string, rows: Rows): Rows {
  return rows.map((row) => ({ ...row, group })) as readonly OptionDescription[] as Rows;
}
