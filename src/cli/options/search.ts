/** The search options, the same wherever records, facets or images are searched. */
import { DEFAULT_PAGE_SIZE } from '../../client/defaults.js';
import { UsageError } from '../../service/errors.js';
import { parseWhere, type Search } from '../../service/search/query.js';
import type { RecordSearch } from '../../service/search/search.js';
import type { Input, OptionDescription } from '../command/option.js';
import { choiceOption, flagOption, integerOption, stringOption, stringsOption } from './read.js';

const SEARCH = 'Search options:';
const PAGING = 'How many:';

/** What is looked for. */
export const SEARCH_OPTIONS: readonly OptionDescription[] = [
  {
    group: SEARCH,
    flags: '--where <field=value>',
    summary: 'records whose field has exactly this value; several are joined by AND',
    completes: 'field=',
    repeatable: true,
  },
  {
    group: SEARCH,
    flags: '--query <query>',
    summary: "a query in the service's own language (see: opac help query)",
  },
  {
    group: SEARCH,
    flags: '--query-file <file>',
    summary: 'the query from a file, or from standard input with -',
    completes: 'file',
  },
  { group: SEARCH, flags: '--collection <id>', summary: 'records of this collection' },
  { group: SEARCH, flags: '--highlight <id>', summary: 'records of this highlight' },
  {
    group: SEARCH,
    flags: '--external-id <ids>',
    summary: 'records with these ids: a,b,c or @file (one a line) or - for standard input',
  },
  {
    group: SEARCH,
    flags: '--facet <field=value>',
    summary: 'records with this facet value',
    completes: 'field=',
    repeatable: true,
  },
  { group: SEARCH, flags: '--has-images', summary: 'records with images' },
];

/** In what order, and in how much detail. */
export const ORDER_OPTIONS: readonly OptionDescription[] = [
  {
    group: SEARCH,
    flags: '--sort <field>',
    summary: 'field to sort by; default: by relevance',
    completes: 'field',
  },
  {
    group: SEARCH,
    flags: '--direction <asc|desc>',
    summary: 'order of the sort; default: asc',
    choices: ['asc', 'desc'],
  },
  {
    group: SEARCH,
    flags: '--view <name>',
    summary: 'label, detail, or a view of the deployment; default: detail',
  },
];

/** How many, and from where. */
export const PAGING_OPTIONS: readonly OptionDescription[] = [
  { group: PAGING, flags: '--limit <n>', summary: 'records at most; default: 20' },
  { group: PAGING, flags: '--offset <n>', summary: 'records to pass over; default: 0' },
  { group: PAGING, flags: '--all', summary: 'every record that matches' },
  {
    group: PAGING,
    flags: '--page-size <n>',
    summary: `records to ask for at once; default: ${DEFAULT_PAGE_SIZE}`,
  },
];

/** All parts of a `T`: one that no option sets does not compile. */
type Every<T> = { readonly [K in keyof T]-?: T[K] };

/** A search before its files and standard input are read. */
export interface SearchInput extends Every<Omit<RecordSearch, 'terms'>> {
  readonly terms: Every<Omit<Search, 'externalIds'>>;
  readonly queryFile: string | undefined;
  /** Ids, `@file` or `-`. */
  readonly externalId: string | undefined;
}

export interface PagingInput {
  /** Undefined for every record. */
  readonly limit: number | undefined;
  readonly offset: number;
  readonly pageSize: number;
}

/** Checks the search options. Throws a UsageError. */
export function parseSearch({ arguments: text, options }: Input): SearchInput {
  const raw = stringOption(options, 'query');
  const queryFile = stringOption(options, 'queryFile');
  const externalId = stringOption(options, 'externalId');
  if (raw !== undefined && queryFile !== undefined) {
    throw new UsageError('--query and --query-file cannot go together: there is one query');
  }
  if (queryFile === '-' && externalId === '-') {
    throw new UsageError('--query-file and --external-id cannot both read standard input');
  }
  return {
    terms: {
      raw,
      text,
      where: stringsOption(options, 'where').map(parseWhere),
      collection: stringOption(options, 'collection'),
      highlight: stringOption(options, 'highlight'),
    },
    queryFile,
    externalId,
    facets: stringsOption(options, 'facet').map(parseWhere),
    hasImages: flagOption(options, 'hasImages') || undefined,
    sort: stringOption(options, 'sort'),
    direction: choiceOption(options, 'direction', ['asc', 'desc']),
    view: stringOption(options, 'view') ?? 'detail',
  };
}

/** Checks the paging options; `limit` is the default for `--limit`, undefined for every record. */
export function parsePaging({ options }: Input, limit: number | undefined): PagingInput {
  const all = flagOption(options, 'all');
  const asked = integerOption(options, 'limit', 1);
  if (all && asked !== undefined) throw new UsageError('--all and --limit contradict each other');
  return {
    limit: all ? undefined : (asked ?? limit),
    offset: integerOption(options, 'offset') ?? 0,
    pageSize: integerOption(options, 'pageSize', 1) ?? DEFAULT_PAGE_SIZE,
  };
}
