/** The search options, the same wherever records, facets or images are searched. */
import { DEFAULT_PAGE_SIZE } from '../../client/defaults.js';
import { UsageError } from '../../service/errors.js';
import { type FieldTerm, parseWhere, type Search } from '../../service/search/query.js';
import type { RecordSearch } from '../../service/search/search.js';
import type { Input, OptionDescription } from '../command/option.js';
import { HOW_MANY, limitOptions, parseLimit } from './limit.js';
import { choiceOption, filledOption, flagOption, integerOption, stringsOption } from './read.js';
import { SETTING_OPTIONS } from './settings.js';

const SEARCH = 'Search options:';
const DEFAULT_VIEW = 'detail';

export const TEXT_ARGUMENT = {
  name: 'text',
  summary: 'words or phrases that must occur in the record',
  variadic: true,
} as const;

export const SEARCH_OPTIONS: readonly OptionDescription[] = [
  {
    group: SEARCH,
    flags: '--where <field=value>',
    summary: 'the field holds this phrase, or a line of @file; repeat to combine with AND',
    completes: 'field=',
    repeatable: true,
  },
  {
    group: SEARCH,
    flags: '--exact',
    summary: '--where compares whole values (reads every match)',
  },
  {
    group: SEARCH,
    flags: '--query <query>',
    summary: "a query in the service's own syntax; see: opac help query",
  },
  {
    group: SEARCH,
    flags: '--query-file <file>',
    summary: 'read the query from a file (use - for standard input)',
    completes: 'file',
  },
  { group: SEARCH, flags: '--collection <id>', summary: 'only records of this collection (id or name)' },
  { group: SEARCH, flags: '--highlight <id>', summary: 'only records of this highlight (id or name)' },
  {
    group: SEARCH,
    flags: '--external-id <ids>',
    summary: 'only these ids: a,b,c, or @file with one per line, or - for standard input',
  },
  {
    group: SEARCH,
    flags: '--facet <field=value>',
    summary: 'only records with this facet value',
    completes: 'field=',
    repeatable: true,
  },
  { group: SEARCH, flags: '--has-images', summary: 'only records with images' },
];

/** Of lists and counts; exports have one that says more. */
export const STRICT_OPTION: OptionDescription = {
  group: SEARCH,
  flags: '--strict',
  summary: 'exit 6 when ids or values of a list were not found',
};

export const ORDER_OPTIONS: readonly OptionDescription[] = [
  {
    group: SEARCH,
    flags: '--sort <field>',
    summary: 'sort by a field',
    default: 'relevance',
    completes: 'field',
  },
  {
    group: SEARCH,
    flags: '--direction <asc|desc>',
    summary: 'sort order',
    default: 'asc',
    choices: ['asc', 'desc'],
  },
  {
    group: SEARCH,
    flags: '--view <name>',
    summary: 'label, detail, or a view of the deployment',
    default: DEFAULT_VIEW,
  },
];

/** `limit` is the default of `--limit`, undefined for all. */
export function pagingOptions(limit: number | undefined, what = 'records'): readonly OptionDescription[] {
  return [
    ...limitOptions(limit, what),
    { group: HOW_MANY, flags: '--offset <n>', summary: `number of ${what} to skip`, default: 0 },
    ...SETTING_OPTIONS.filter(({ flags }) => flags.startsWith('--page-size')).map((option) => ({
      ...option,
      group: HOW_MANY,
    })),
  ];
}

/** All parts of a `T`: one that no option sets does not compile. */
type Every<T> = { readonly [K in keyof T]-?: T[K] };

export interface SearchInput extends Every<Omit<RecordSearch, 'terms'>> {
  readonly terms: Every<Omit<Search, 'columns' | 'externalIds' | 'oneOf'>>;
  readonly queryFile: string | undefined;
  readonly externalId: string | undefined;
  /** `--where field=@file`: the value is the name of the file. */
  readonly valueFile: FieldTerm | undefined;
}

export interface PagingInput {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly pageSize: number;
}

export function parseSearch({ arguments: text, options }: Input): SearchInput {
  const raw = filledOption(options, 'query');
  const queryFile = filledOption(options, 'queryFile');
  const externalId = filledOption(options, 'externalId');
  if (raw !== undefined && queryFile !== undefined) {
    throw new UsageError('--query and --query-file cannot be used together');
  }
  const { where, valueFile } = parseWheres(stringsOption(options, 'where'));
  const exact = flagOption(options, 'exact') || undefined;
  checkLists(valueFile, externalId, queryFile);
  if (exact && where.length === 0) throw new UsageError('--exact works only with --where <field>=<value>');
  return {
    terms: {
      raw,
      text: text.map(parseWord),
      where,
      exact,
      collection: filledOption(options, 'collection')?.trim(),
      highlight: filledOption(options, 'highlight')?.trim(),
    },
    queryFile,
    externalId,
    valueFile,
    facets: stringsOption(options, 'facet').map(parseFacet),
    hasImages: flagOption(options, 'hasImages') || undefined,
    sort: filledOption(options, 'sort'),
    direction: choiceOption(options, 'direction', ['asc', 'desc']),
    view: filledOption(options, 'view') ?? DEFAULT_VIEW,
  };
}

/** `@file`, but not `@@text`, which means the text `@text`. */
const FILE = /^@([^@].*)$/s;

function parseWheres(all: readonly string[]) {
  const terms = all.map(parseWhere);
  const [valueFile, second] = terms.filter(({ value }) => FILE.test(value));
  if (second) throw new UsageError('only one --where can take its values from a file');
  return {
    where: terms
      .filter((term) => term !== valueFile)
      .map((term) => ({ ...term, value: literal(term.value) })),
    valueFile: valueFile && { ...valueFile, value: valueFile.value.slice(1) },
  };
}

function parseWord(word: string): string {
  if (word.trim() !== '') return literal(word);
  throw new UsageError('a word to search for is empty', 'give it a value, or leave it out');
}

function parseFacet(argument: string): FieldTerm {
  const { field, value } = parseWhere(argument);
  if (value.trim() !== '') return { field, value: literal(value) };
  throw new UsageError(
    `--facet ${field}= has no value`,
    `to find records without a value: --where ${field}=`,
  );
}

/** A name of a file is never searched for as text. */
function literal(text: string): string {
  if (FILE.test(text))
    throw new UsageError(
      `"${text}" is not searched for`,
      `for a list in a file use --where <field>=${text} or --external-id ${text}; for the text write "@${text}"`,
    );
  // What is pasted often ends in a line break or a space that does not break.
  return text.trim().replace(/^@@/, '@');
}

function checkLists(valueFile: FieldTerm | undefined, externalId?: string, queryFile?: string): void {
  if (valueFile && externalId !== undefined)
    throw new UsageError('--external-id and a --where with @file cannot be used together');
  const readers = [queryFile, externalId?.replace(/^@/, ''), valueFile?.value].filter((file) => file === '-');
  if (readers.length > 1)
    throw new UsageError('--query-file and --external-id cannot both read standard input');
}

/** The words of a command line that `parseSearch` reads as these terms; text comes last, after `--` where it needs that. */
export function searchWords(search: SearchInput, more: readonly FieldTerm[] = []): readonly string[] {
  const { terms, facets = [], valueFile, queryFile, externalId, hasImages } = search;
  const { raw, text = [], where = [], exact, collection, highlight } = terms;
  // A word that begins with @ would name a file.
  const written = (value: string) => value.replace(/^@/, '@@');
  const option = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value]);
  return [
    ...[...where, ...more].flatMap(({ field, value }) => ['--where', `${field}=${written(value)}`]),
    ...option('--where', valueFile && `${valueFile.field}=@${valueFile.value}`),
    ...(exact ? ['--exact'] : []),
    ...option('--query', raw),
    ...option('--query-file', queryFile),
    ...option('--collection', collection),
    ...option('--highlight', highlight),
    ...option('--external-id', externalId),
    ...facets.flatMap(({ field, value }) => ['--facet', `${field}=${written(value)}`]),
    ...(hasImages ? ['--has-images'] : []),
    ...(text.some((word) => word.startsWith('-')) ? ['--'] : []),
    ...text.map(written),
  ];
}

/** Whether the search is by a list of ids or values, all of which are meant. */
export function isByList({ externalId, valueFile }: SearchInput): boolean {
  return externalId !== undefined || valueFile !== undefined;
}

/** Checks the paging options; `limit` is the default for `--limit`, undefined for every record. */
export function parsePaging(input: Input, limit: number | undefined): PagingInput {
  return {
    limit: parseLimit(input, limit),
    offset: integerOption(input.options, 'offset') ?? 0,
    pageSize: integerOption(input.options, 'pageSize', 1) ?? DEFAULT_PAGE_SIZE,
  };
}
