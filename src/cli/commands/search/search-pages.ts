/** Requests matching records, their number, and the published fields. */
import { DEFAULT_PAGE_SIZE } from '../../../client/defaults.js';
import { fetchTotal } from '../../../client/paging/pages.js';
import { runInOrder } from '../../../client/paging/prefetch.js';
import type { ListResponse } from '../../../client/paging/read-list.js';
import type { InvalidUtf8 } from '../../../records/json/invalid-utf8.js';
import type { ListEndpointId } from '../../../service/endpoints/catalogue.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount, formatList, formatNumber } from '../../../service/format-numbers.js';
import { asObject, type Json } from '../../../service/json.js';
import { KIND_KEYS, type Kind, RECORD_KINDS } from '../../../service/kinds.js';
import type { PublishedField } from '../../../service/records/field-use.js';
import { readRecord } from '../../../service/records/record.js';
import { sortByDate } from '../../../service/search/date-order.js';
import {
  formatExcess,
  isComparedByRecord,
  RecordFilter,
  sortByList,
} from '../../../service/search/exact-match.js';
import { createFilterCheck, formatExcluded } from '../../../service/search/filter-check.js';
import { getValueList, MAX_BATCH_IDS, splitByIds } from '../../../service/search/id-batches.js';
import {
  pagingParameters,
  type QueryParameters,
  type RecordSearch,
  searchParameters,
  withoutColumns,
} from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { collectItems } from '../../description/result.js';
import type { PagingInput } from '../../options/search.js';
import { readItemList } from '../items/read-list.js';
import { fetchViewFields } from '../items/view-fields.js';
import { fetchEndpointPages, findFailure, type SearchPages } from './endpoint-pages.js';

export const ALL_RECORDS: PagingInput = { offset: 0, limit: undefined, pageSize: DEFAULT_PAGE_SIZE };

interface QueryBatch {
  readonly query: QueryParameters;
  readonly values: readonly string[];
}

/** Returns the matching records without duplicates, in the order of the service, of dates (`isByDate`) or of the user's list. */
export async function searchPages(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  paging: PagingInput,
): Promise<SearchPages> {
  if (search.isByDate) {
    const found = await searchPages(context, kind, { ...search, isByDate: false }, ALL_RECORDS);
    return sortPages(context, kind, search, found, paging);
  }
  const endpointId = `${kind}.search` as const;
  const parts = splitByIds(withoutColumns(search)).map(
    (part): QueryBatch => ({ query: searchParameters(part), values: getValueList(part.terms)?.values ?? [] }),
  );
  const all = { ...paging, offset: 0, limit: undefined };
  const [only] = parts;
  if (getValueList(search.terms) === undefined && only) {
    if (!isComparedByRecord(search.terms)) return fetchEndpointPages(context, endpointId, only.query, paging);
    const found = await fetchEndpointPages(context, endpointId, only.query, all);
    return filterPages(context, kind, search, found, paging);
  }
  return searchInBatches(context, kind, search, parts, paging);
}

/** Filters by the terms that the service cannot search. The offset and the limit count the remaining records. */
function filterPages(
  { note }: Context,
  kind: Kind,
  { terms }: RecordSearch,
  { pages, total: _, ...found }: SearchPages,
  { offset, limit = Number.POSITIVE_INFINITY }: PagingInput,
): SearchPages {
  let kept = 0;
  let total: number | undefined;
  const filter = new RecordFilter(terms);
  async function* filtered(): AsyncGenerator<readonly Json[]> {
    for await (const page of pages) {
      const passed = page.filter((record) => filter.isKept(readRecord(record, kind)));
      const first = Math.max(0, offset - kept);
      yield passed.slice(first, Math.max(first, offset + limit - kept));
      kept += passed.length;
      if (kept > offset + limit)
        return note(`showing ${formatCount(limit, 'record')}; use --all or export for all of them`);
    }
    total = kept;
    noteUnknownDates(filter, note);
  }
  return { ...found, pages: filtered(), total: () => total };
}

function sortPages(
  { note }: Context,
  kind: Kind,
  { sort = '', direction }: RecordSearch,
  found: SearchPages,
  { offset, limit = Number.POSITIVE_INFINITY }: PagingInput,
): SearchPages {
  async function* sorted(): AsyncGenerator<readonly Json[]> {
    const items: Json[] = [];
    let isNoted = false;
    for await (const page of found.pages) {
      // opac prints the note after the first page, because the service may refuse an unknown field.
      if (!isNoted)
        note(
          `the service may sort "${sort}" as text; opac reads all matching records and sorts them by date`,
        );
      isNoted = true;
      for (const item of page) items.push(item);
    }
    const records = items.map((item) => ({ item, record: readRecord(item, kind) }));
    yield sortByDate(records, sort, direction).slice(offset, offset + limit);
  }
  return { ...found, pages: sorted() };
}

/** Prints how many records the search omits only because their dates are unknown. */
export function noteUnknownDates(filter: RecordFilter, note: Context['note']): void {
  const unknown = filter.describeUnknownDates();
  if (unknown !== undefined) note(unknown);
}

/** Searches for a list of ids or values in batches. Requests only as many batches as the limit needs. */
function searchInBatches(
  context: Context,
  kind: Kind,
  { terms, sort, mayLackIds = false }: RecordSearch,
  queries: readonly QueryBatch[],
  paging: PagingInput,
): SearchPages {
  const endpointId = `${kind}.search` as const;
  const parts: SearchPages[] = [];
  const seen = new Set<string>();
  const notFound: string[] = [];
  const filter = new RecordFilter(terms);
  let held = 0;
  let isMissingUnknown = false;
  let excess = 0;
  let unfound = 0;
  /** Omits records of earlier batches. With a sort field, keeps the order of the response; otherwise sorts by the list. */
  const selectNewRecords = (values: readonly string[], records: readonly Json[]): readonly Json[] => {
    const passed = records.filter((each) => filter.isKept(readRecord(each, kind)));
    const found = passed.map((record) => ({ record, raw: asObject(record) }));
    const { ordered, missing, unmatched } = sortByList(values, found, terms.oneOf?.field);
    if (unmatched === 0) notFound.push(...missing);
    else isMissingUnknown = true;
    if (unmatched > 0 && !terms.oneOf) {
      excess += Math.max(0, unmatched - missing.length);
      unfound += Math.max(0, missing.length - unmatched);
    }
    const isListed = new Set(ordered);
    const fresh = (sort === undefined ? ordered : passed.filter((each) => isListed.has(each))).filter(
      (record) => {
        const { id, recordType } = readRecord(record);
        const isNew = id === '' || !seen.has(`${recordType} ${id}`);
        seen.add(`${recordType} ${id}`);
        return isNew;
      },
    );
    held += fresh.length;
    return fresh;
  };
  async function* pages(): AsyncGenerator<readonly Json[]> {
    let skip = paging.offset;
    let left = paging.limit ?? Number.POSITIVE_INFINITY;
    let requested = 0;
    const waiting = queries.values();
    const next = (signal: AbortSignal) => {
      if (requested - parts.length >= Math.ceil((skip + left) / MAX_BATCH_IDS)) return undefined;
      const { value: batch } = waiting.next();
      if (!batch) return undefined;
      requested++;
      const all = { ...paging, offset: 0, limit: undefined };
      return fetchBatch({ ...context, signal }, endpointId, batch, all);
    };
    const { globalOptions, signal } = context;
    const { concurrency } = globalOptions;
    for await (const { part, values, records: all } of runInOrder({ concurrency, next, signal })) {
      const records = selectNewRecords(values, all);
      const wanted = records.slice(skip).slice(0, left);
      skip -= Math.min(skip, records.length);
      left -= wanted.length;
      parts.push(part);
      yield wanted;
    }
    noteUnknownDates(filter, context.note);
  }
  return {
    pages: pages(),
    total: () => (parts.length === queries.length ? held : undefined),
    failure: () => parts.map(({ failure }) => failure?.()).find((failure) => failure !== undefined),
    missing: () =>
      mayLackIds
        ? undefined
        : (createMissingError(notFound, queries) ?? createUnmatchedError(excess, unfound)),
    isMissingUnknown: () => isMissingUnknown,
    excluded: () => parts.map(({ excluded }) => excluded?.()).find((each) => each !== undefined),
    notUtf8: () => mergeInvalidUtf8(parts),
  };
}

function mergeInvalidUtf8(parts: readonly SearchPages[]): InvalidUtf8 {
  const all = parts.flatMap(({ notUtf8 }) => notUtf8?.() ?? []);
  return { records: all.reduce((sum, { records }) => sum + records, 0), ids: all.flatMap(({ ids }) => ids) };
}

function createMissingError(
  notFound: readonly string[],
  parts: readonly QueryBatch[],
): OpacError | undefined {
  if (notFound.length === 0) return undefined;
  const all = parts.reduce((sum, { values }) => sum + values.length, 0);
  const were = notFound.length === 1 ? 'was' : 'were';
  const message = `${formatNumber(notFound.length)} of ${formatCount(all, 'entry', 'entries')} in the list ${were} not found: ${formatList(notFound)}`;
  return new OpacError('incomplete', message, { ids: notFound });
}

/** Some records do not show which entry they match, so opac can only compare the numbers of records and entries. */
function createUnmatchedError(excess: number, unfound: number): OpacError | undefined {
  if (excess > 0) return new OpacError('incomplete', formatExcess(excess));
  if (unfound === 0) return undefined;
  const message = `at least ${formatCount(unfound, 'entry', 'entries')} of the list ${unfound === 1 ? 'was' : 'were'} not found; opac cannot tell which entries`;
  return new OpacError('incomplete', message);
}

async function fetchBatch(
  context: Context,
  endpointId: ListEndpointId,
  { query, values }: QueryBatch,
  paging: PagingInput,
) {
  const part = await fetchEndpointPages(context, endpointId, query, paging);
  const records: Json[] = [];
  for await (const page of part.pages) for (const record of page) records.push(record);
  return { part, values, records };
}

/**
 * Uses the total of the service if it can count the matches; otherwise reads the records. Throws an OpacError if records are
 * missing.
 */
export async function countMatches(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  strict = false,
): Promise<number> {
  const { oneOf, externalIds } = search.terms;
  if (!strict && !oneOf && !externalIds && !isComparedByRecord(search.terms))
    return fetchCheckedTotal(context, kind, search);
  const detailed = { ...search, view: search.view ?? 'detail' };
  const matches = await searchPages(context, kind, detailed, ALL_RECORDS);
  let total = 0;
  for await (const page of matches.pages) total += page.length;
  const failure = findFailure(matches, context, strict);
  if (failure) throw failure;
  return total;
}

/** Warns if records on the first page do not match a filter of the search, because the service may ignore the filter. */
async function fetchCheckedTotal(context: Context, kind: Kind, search: RecordSearch): Promise<number> {
  const total = await fetchMatchTotal(context, kind, search);
  const detailed = { ...search, view: 'detail' };
  const isFromFiles = context.globalOptions.from.length > 0;
  const isExcluded = createFilterCheck(searchParameters(detailed));
  const isEmpty = total === 0 && !context.dryRunLog;
  if (isEmpty || isFromFiles || !isExcluded) return total;
  const page = { offset: 0, limit: DEFAULT_PAGE_SIZE };
  const { records } = await fetchSearchPage(context, kind, detailed, page);
  const excluded = records.filter((record) => isExcluded(readRecord(record, kind))).length;
  if (excluded > 0) context.warn(formatExcluded(excluded, records.length));
  return total;
}

/** Throws an OpacError of kind `deployment` if the service returns no total. */
export async function fetchMatchTotal(context: Context, kind: Kind, search: RecordSearch): Promise<number> {
  const client = await context.client();
  const totals = splitByIds(search).map(async (part) => {
    const query = searchParameters(part);
    const total = await fetchTotal(client, `${kind}.search`, { query, signal: context.signal });
    if (total !== undefined) return total;
    throw new OpacError('deployment', `the service returned no ${KIND_KEYS[kind].totalKey} for ${kind}`, {
      hint: `count them with: opac ${kind} list <search> --all -f ids | wc -l`,
    });
  });
  return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
}

/** For `--dry-run`: requests the pages, so that their requests are printed. */
export async function requestPages(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  paging = ALL_RECORDS,
): Promise<void> {
  const { pages } = await searchPages(context, kind, search, paging);
  await collectItems(pages);
}

/** Returns the records as the service sent them. Throws the errors of the request. */
export async function fetchSearchPage(
  { client: connect, signal }: Context,
  kind: Kind,
  search: RecordSearch,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ListResponse> {
  const client = await connect();
  const endpointId = `${kind}.search` as const;
  const query = [...searchParameters(search), ...pagingParameters(limit, offset)];
  return readItemList(await client.get(endpointId, { query, signal }), endpointId, offset);
}

/** Returns the fields of the views. Views that cannot be read count as empty. `records` stands for all kinds. */
export async function fetchPublishedFields(context: Context, kind: Kind): Promise<readonly PublishedField[]> {
  const kinds = kind === 'records' ? RECORD_KINDS : [kind];
  const fields = await Promise.all(kinds.map((each) => fetchViewFields(context, each).catch(() => [])));
  return fields.flat();
}

export async function fetchFieldNames(context: Context, kind: Kind): Promise<readonly string[]> {
  return (await fetchPublishedFields(context, kind)).map(({ identifier }) => identifier);
}
