/** The search options of all commands that search records, facets or images. */
import { DEFAULT_PAGE_SIZE } from '../../client/defaults.js';
import { UsageError } from '../../service/errors.js';
import { type FieldTerm, parseWhere } from '../../service/search/query.js';
import {
  type ArgumentDescription,
  inGroup,
  type OptionDescription,
  type Parser,
  type ValuesOf,
} from '../description/option.js';
import { LIMIT_HEADING, OUTPUT_HEADING, SEARCH } from './groups.js';
import { limitOptions, resolveLimit } from './limit.js';
import { day, integer, nonBlank } from './parse.js';
import { PAGE_SIZE_OPTION } from './settings.js';

const DEFAULT_VIEW = 'detail';

/** Matches `@file`. `@@text` does not match: it means the text `@text`. */
const FILE = /^@([^@].*)$/s;

/** Returns the text to search for. Throws a UsageError for `@file`, because the user probably means the lines of the file. */
function parseLiteral(text: string): string {
  if (FILE.test(text))
    throw new UsageError(
      `"${text}" means a file, not text to search for`,
      `to search for its lines, use --where <field>=${text} or --external-id ${text}; to search for the text, write "@${text}"`,
    );
  // Pasted text often ends with a line break or a no-break space.
  return text.trim().replace(/^@@/, '@');
}

const parseWord: Parser<string> = (word) => parseLiteral(nonBlank(word, 'a word to search for'));

const parseFacet: Parser<FieldTerm> = (text) => {
  const { field, value } = parseWhere(text);
  if (value.trim() !== '') return { field, value: parseLiteral(value) };
  throw new UsageError(
    `--facet ${field}= has no value`,
    `to find records without a value: --where ${field}=`,
  );
};

const parseName: Parser<string> = (text, source) => nonBlank(text, source).trim();

/** Parses `production_date` or `production_date:desc`. */
const parseSort: Parser<{ readonly sort: string; readonly direction: 'asc' | 'desc' | undefined }> = (
  text,
  source,
) => {
  const [, sort = text, direction] = /^(.+):(asc|desc)$/s.exec(nonBlank(text, source)) ?? [];
  const [, field] = /^(?:-(?=\w))?(.+?)(?::(?:down|up|reverse|(?:asc|desc)\w*))?$/is.exec(sort) ?? [];
  if (field !== sort)
    throw new UsageError(`invalid value "${text}" for ${source}`, `write ${field} or ${field}:desc`);
  return { sort, direction: direction as 'asc' | 'desc' | undefined };
};

export const TEXT_ARGUMENT = {
  name: 'text',
  summary: 'words or phrases that must occur in the record',
  variadic: true,
  parse: parseWord,
} as const satisfies ArgumentDescription;

export const WHERE_OPTION = {
  group: SEARCH,
  flags: '--where <field=value>',
  summary:
    'only records whose field contains this phrase; field=@file: any value in the file; repeat to combine with AND',
  repeatable: true,
  parse: parseWhere,
} as const satisfies OptionDescription;

export const EXACT_OPTION = {
  group: SEARCH,
  flags: '--exact',
  summary: 'with --where: match only complete values (slower: opac reads every matching record)',
} as const satisfies OptionDescription;

export const COLLECTION_OPTION = {
  group: SEARCH,
  flags: '--collection <id>',
  summary: 'only records of this collection (id or name)',
  parse: parseName,
} as const satisfies OptionDescription;

const HAS_IMAGES_OPTION = {
  group: SEARCH,
  flags: '--has-images',
  summary: 'only records with images',
} as const satisfies OptionDescription;

export const QUERY_OPTION = {
  group: SEARCH,
  flags: '--query <query>',
  summary: "a query in the service's own syntax, or @file (@- for standard input); see: opac help query",
  parse: nonBlank,
} as const satisfies OptionDescription;

const FILTER_OPTIONS = [
  QUERY_OPTION,
  ...inGroup(SEARCH, [
    {
      flags: '--facet <field=value>',
      summary: 'only records with this facet value',
      repeatable: true,
      parse: parseFacet,
    },
  ]),
  COLLECTION_OPTION,
  ...inGroup(SEARCH, [
    { flags: '--highlight <id>', summary: 'only records of this highlight (id or name)', parse: parseName },
    {
      flags: '--external-id <ids>',
      summary: 'only records with these ids: a,b,c, or @file with one per line, or - for standard input',
      parse: nonBlank,
    },
  ]),
] as const satisfies readonly OptionDescription[];

/** The options for a search for images, in which `--has-images` and `--no-images` have no use. */
export const IMAGE_SEARCH_OPTIONS = [WHERE_OPTION, EXACT_OPTION, ...FILTER_OPTIONS] as const;

/** Without `--exact` and `--no-images`, because the service counts facets, and cannot apply these two options. */
export const FACET_SEARCH_OPTIONS = [WHERE_OPTION, ...FILTER_OPTIONS, HAS_IMAGES_OPTION] as const;

const NO_IMAGES_OPTION = {
  group: SEARCH,
  flags: '--no-images',
  summary: 'only records without images (slower: opac reads every matching record)',
  conflicts: ['--has-images'],
} as const satisfies OptionDescription;

export const SEARCH_OPTIONS = [...IMAGE_SEARCH_OPTIONS, HAS_IMAGES_OPTION, NO_IMAGES_OPTION] as const;

/** `--strict` for lists and counts. Exports have another `--strict`. */
export const STRICT_OPTION = {
  group: SEARCH,
  flags: '--strict',
  summary:
    'exit 6 if an id or a value of an @file was not found, or if records do not match --has-images, --facet or --collection',
} as const satisfies OptionDescription;

export const NOT_FOUND_OPTION = {
  group: OUTPUT_HEADING,
  flags: '--not-found <file>',
  summary: 'write the ids or values that were not found to this file, one per line',
  completes: 'file',
  parse: nonBlank,
} as const satisfies OptionDescription;

export const CHANGED_SINCE_OPTION = {
  group: SEARCH,
  flags: '--changed-since <day>',
  summary:
    'with --from <mirror>: only records that opac sync reported as added or changed on or after this day',
  parse: day,
} as const satisfies OptionDescription;

export const ORDER_OPTIONS = [
  ...inGroup(SEARCH, [
    {
      flags: '--sort <field>',
      summary: 'sort by a field; field:desc for descending order',
      defaultText: 'relevance',
      parse: parseSort,
    },
    {
      flags: '--view <name>',
      summary: 'label, detail, or a view of the deployment',
      default: DEFAULT_VIEW,
      parse: nonBlank,
    },
  ]),
] as const satisfies readonly OptionDescription[];

/** `limit` is the default of `--limit`; undefined for all records. */
export function pagingOptions(limit?: number, what = 'records') {
  const offset = {
    group: LIMIT_HEADING,
    flags: '--offset <n>',
    summary: `number of ${what} to skip`,
    default: 0,
    parse: integer(),
  } as const satisfies OptionDescription;
  return [...limitOptions(limit, what), offset, PAGE_SIZE_OPTION];
}

export interface PagingInput {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly pageSize: number;
}

type SearchValues = Partial<
  ValuesOf<typeof SEARCH_OPTIONS> &
    ValuesOf<typeof ORDER_OPTIONS> & {
      readonly text: readonly string[];
      readonly changedSince: Date | undefined;
    }
>;

export type SearchInput = ReturnType<typeof parseSearch>;

/** Throws a UsageError for options that cannot be used together. Does not read the files that options name. */
export function parseSearch(input: SearchValues) {
  const { query, externalId, exact, collection, highlight, text = [], facet = [], where: given = [] } = input;
  const terms = input.images === false ? [...given, { field: 'image.count', value: '0' }] : given;
  const queryFile = query === undefined ? undefined : FILE.exec(query)?.[1];
  const { where, valueFile } = splitWhere(terms);
  if (valueFile && externalId !== undefined)
    throw new UsageError('--external-id and a --where with @file cannot be used together');
  const { changedSince } = input;
  if (changedSince && (valueFile || externalId !== undefined))
    throw new UsageError('--changed-since cannot be used with --external-id or with a --where with @file');
  const readers = [queryFile, externalId?.replace(/^@/, ''), valueFile?.value].filter((file) => file === '-');
  if (readers.length > 1) throw new UsageError('only one option can read standard input');
  if (exact && given.length === 0) throw new UsageError('--exact works only with --where <field>=<value>');
  return {
    terms: {
      raw: queryFile === undefined ? query?.replace(/^@@/, '@') : undefined,
      text,
      where,
      exact: exact || undefined,
      collection,
      highlight,
    },
    /** The name of the file in `--query @file`. */
    queryFile,
    externalId,
    changedSince,
    /** `--where field=@file`; the value is the name of the file. */
    valueFile,
    facets: facet,
    hasImages: input.hasImages || undefined,
    sort: input.sort?.sort,
    direction: input.sort?.direction,
    view: input.view ?? DEFAULT_VIEW,
  };
}

function splitWhere(terms: readonly FieldTerm[]) {
  const [valueFile, second] = terms.filter(({ value }) => FILE.test(value));
  if (second) throw new UsageError('only one --where can take its values from a file');
  return {
    where: terms
      .filter((term) => term !== valueFile)
      .map((term) => ({ ...term, value: parseLiteral(term.value) })),
    valueFile: valueFile && { ...valueFile, value: valueFile.value.slice(1) },
  };
}

export function hasValueList({ externalId, valueFile }: SearchInput): boolean {
  return externalId !== undefined || valueFile !== undefined;
}

/** Returns true for a list of ids or values, and for --changed-since. These searches have no default limit. */
export function selectsNamedRecords(search: SearchInput): boolean {
  return hasValueList(search) || search.changedSince !== undefined;
}

type Paging = ValuesOf<ReturnType<typeof pagingOptions>>;

/** `limit` is the default limit; undefined for all records. */
export function resolvePaging(input: Omit<Paging, 'offset'> & Partial<Paging>, limit?: number): PagingInput {
  return {
    limit: resolveLimit(input, limit),
    offset: input.offset ?? 0,
    pageSize: input.pageSize ?? DEFAULT_PAGE_SIZE,
  };
}
