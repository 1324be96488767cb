/** Searches a deployment: the pages of records that match, how many there are, which fields it publishes. */

import { DEFAULT_PAGE_SIZE } from '../../../client/defaults.js';
import type { HttpResponse } from '../../../client/http-request.js';
import type { ListResult } from '../../../client/paging/fetch-page.js';
import { fetchTotal, type ListedRecord, paginateEndpoint } from '../../../client/paging/pages.js';
import type { PagingReport } from '../../../client/paging/paging-report.js';
import { runInOrder } from '../../../client/paging/prefetch.js';
import {
  formatInvalidUtf8,
  type InvalidUtf8,
  InvalidUtf8Counter,
} from '../../../records/json/invalid-utf8.js';
import { keepLine } from '../../../records/json/item-bytes.js';
import { parsePageRecord, readLines } from '../../../records/json/page-records.js';
import type { ListEndpointId } from '../../../service/endpoints/catalogue.js';
import { OpacError } from '../../../service/errors.js';
import { formatNumber } from '../../../service/format-numbers.js';
import { asObject, type Json } from '../../../service/json.js';
import { KIND_KEYS, KINDS, type Kind, RECORD_KINDS } from '../../../service/kinds.js';
import { readRecord } from '../../../service/records/record.js';
import { isComparedByRecord, isKept, sortByList } from '../../../service/search/exact-match.js';
import { getValueList, MAX_BATCH_IDS, splitByIds } from '../../../service/search/id-batches.js';
import {
  type QueryParameters,
  type RecordSearch,
  searchParameters,
  withoutColumns,
} from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import type { ItemsResult } from '../../description/result.js';
import type { PagingInput } from '../../options/search.js';
import { fetchFieldIds } from '../items/view-fields.js';

export interface SearchPages extends Pick<ItemsResult, 'pages' | 'total' | 'failure'> {
  /** Of the list that was searched by, as far as it was read; names are what was not found. */
  readonly missing?: () => OpacError | undefined;
  /** Records whose bytes are not UTF-8, as far as they were read. */
  readonly notUtf8?: () => InvalidUtf8;
}

/** A batch of a list, its query, and how its records are put in its order. */
interface QueryBatch {
  readonly query: QueryParameters;
  readonly values: readonly string[];
}

/** The records that match, page by page, each once, in the order of the service or of a list of values. */
export async function searchPages(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  paging: PagingInput,
): Promise<SearchPages> {
  const endpointId = `${kind}.search` as const;
  const parts = splitByIds(withoutColumns(search)).map(
    (part): QueryBatch => ({ query: searchParameters(part), values: getValueList(part.terms)?.values ?? [] }),
  );
  const [only] = parts;
  if (getValueList(search.terms) === undefined && only) {
    if (!isComparedByRecord(search.terms)) return fetchEndpointPages(context, endpointId, only.query, paging);
    const all = await fetchEndpointPages(context, endpointId, only.query, {
      ...paging,
      offset: 0,
      limit: undefined,
    });
    return keptPages(context, kind, search, all, paging);
  }
  return searchInBatches(context, kind, search, parts, paging);
}

/** The records that belong to the search; the offset and the limit count them alone. */
function keptPages(
  { note }: Context,
  kind: Kind,
  { terms }: RecordSearch,
  { pages, failure, notUtf8 }: SearchPages,
  { offset, limit = Number.POSITIVE_INFINITY }: PagingInput,
): SearchPages {
  let kept = 0;
  let total: number | undefined;
  async function* compared(): AsyncGenerator<readonly Json[]> {
    for await (const page of pages) {
      const passed = page.filter((record) => isKept(terms, readRecord(record, kind)));
      const first = Math.max(0, offset - kept);
      yield passed.slice(first, Math.max(first, offset + limit - kept));
      kept += passed.length;
      if (kept > offset + limit) return note(`the first ${formatNumber(limit)} (use --all or export)`);
    }
    total = kept;
  }
  return { pages: compared(), total: () => total, ...(failure && { failure }), ...(notUtf8 && { notUtf8 }) };
}

/** The records of several queries as one list, in the order of the queries; so many are asked for ahead as the limit needs. */
function searchInBatches(
  context: Context,
  kind: Kind,
  { terms, sort }: RecordSearch,
  queries: readonly QueryBatch[],
  paging: PagingInput,
): SearchPages {
  const endpointId = `${kind}.search` as const;
  const parts: SearchPages[] = [];
  const seen = new Set<string>();
  const notFound: string[] = [];
  let held = 0;
  /** As the list has them, unless a sort was asked for. */
  const inOrderOfList = (values: readonly string[], records: readonly Json[]): readonly Json[] => {
    const passed = records.filter((each) => isKept(terms, readRecord(each, kind)));
    const found = passed.map((record) => ({ record, raw: asObject(record) }));
    const { ordered, missing, unmatched } = sortByList(values, found, terms.oneOf?.field);
    if (unmatched === 0) notFound.push(...missing);
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
    // The offset and the limit are those of the whole list of ids, so they are counted across its requests.
    let skip = paging.offset;
    let left = paging.limit ?? Number.POSITIVE_INFINITY;
    let asked = 0;
    const waiting = queries.values();
    const next = (signal: AbortSignal) => {
      if (asked - parts.length >= Math.ceil((skip + left) / MAX_BATCH_IDS)) return undefined;
      const { value: batch } = waiting.next();
      if (!batch) return undefined;
      asked++;
      return fetchBatch({ ...context, signal }, endpointId, batch, {
        ...paging,
        offset: 0,
        limit: undefined,
      });
    };
    const { globalOptions, signal } = context;
    const { concurrency } = globalOptions;
    for await (const { part, values, records: all } of runInOrder({ concurrency, next, signal })) {
      const records = inOrderOfList(values, all);
      const wanted = records.slice(skip).slice(0, left);
      skip -= Math.min(skip, records.length);
      left -= wanted.length;
      parts.push(part);
      yield wanted;
    }
  }
  return {
    pages: pages(),
    total: () => (parts.length === queries.length ? held : undefined),
    failure: () => parts.map(({ failure }) => failure?.()).find((failure) => failure !== undefined),
    missing: () => missingError(notFound, queries),
    notUtf8: () => mergeInvalidUtf8(parts),
  };
}

function mergeInvalidUtf8(parts: readonly SearchPages[]): InvalidUtf8 {
  const all = parts.flatMap(({ notUtf8 }) => notUtf8?.() ?? []);
  return { records: all.reduce((sum, { records }) => sum + records, 0), ids: all.flatMap(({ ids }) => ids) };
}

function missingError(notFound: readonly string[], parts: readonly QueryBatch[]): OpacError | undefined {
  if (notFound.length === 0) return undefined;
  const all = parts.reduce((sum, { values }) => sum + values.length, 0);
  const were = notFound.length === 1 ? 'was' : 'were';
  const message = `${formatNumber(notFound.length)} of ${formatNumber(all)} in the list ${were} not found: ${notFound.join(', ')}`;
  return new OpacError('incomplete', message, { ids: notFound });
}

/** What went wrong, looked at when all is read. Names what a list did not find: as an error with `strict`, else as a note. */
export function findFailure(
  { failure, missing, notUtf8 }: SearchPages,
  context: Context,
  strict = false,
): OpacError | undefined {
  const notFound = missing?.();
  if (notFound && !strict) context.note(notFound.message);
  const damaged = notUtf8?.();
  if (!strict) noteNotUtf8(damaged, context);
  const text = damaged && damaged.records > 0 ? formatInvalidUtf8(damaged) : undefined;
  const strictly = notFound ?? (text ? new OpacError('incomplete', text) : undefined);
  return failure?.() ?? (strict ? strictly : undefined);
}

export function noteNotUtf8(damaged: InvalidUtf8 | undefined, { note }: Context): void {
  if (damaged && damaged.records > 0) note(`warning: ${formatInvalidUtf8(damaged)}`);
}

async function fetchBatch(
  context: Context,
  endpointId: ListEndpointId,
  { query, values }: QueryBatch,
  paging: PagingInput,
) {
  const part = await fetchEndpointPages(context, endpointId, query, paging);
  const records: Json[] = [];
  for await (const page of part.pages) records.push(...page);
  return { part, values, records };
}

/** The records of a list endpoint that can be paged, page by page. */
export async function fetchEndpointPages(
  context: Context,
  endpointId: ListEndpointId,
  query: QueryParameters,
  paging: PagingInput,
): Promise<SearchPages> {
  const client = await context.client();
  const kind = KINDS.find((each) => endpointId === `${each}.search`);
  const notUtf8 = kind && new InvalidUtf8Counter(kind);
  const options = {
    ...paging,
    concurrency: context.globalOptions.concurrency,
    onPageRead: notUtf8?.addPage.bind(notUtf8),
  };
  const ask = { query, signal: context.signal };
  const paginator = kind
    ? paginateEndpoint<ListedRecord>(client, endpointId, ask, { ...options, read: recordReader(kind) })
    : paginateEndpoint(client, endpointId, ask, options);
  const { report } = paginator;
  async function* pages(): AsyncGenerator<readonly Json[]> {
    for await (const page of paginator) yield page.records.map(({ record }) => record);
    for (const { message } of report.notices) context.noteVerbose(message);
  }
  return {
    pages: pages(),
    total: () => report.lastTotal,
    failure: () => incomplete(report, paging.offset),
    ...(notUtf8 && { notUtf8: () => notUtf8.counts }),
  };
}

/** Reads pages as an export does, so that records print as they were sent. */
function recordReader(kind: Kind) {
  return ({ bytes }: HttpResponse, offset: number): ListResult<ListedRecord> | undefined => {
    const page = readLines(bytes, kind, offset);
    return (
      page && {
        total: page.total,
        records: page.records.map((each) => {
          const record = asObject(parsePageRecord(each));
          keepLine(record, each.bytes.subarray(each.start, each.end));
          return { id: each.id, record };
        }),
      }
    );
  };
}

/** The error when it could not be established that every record was received. */
function incomplete({ stopReason, missing, lastTotal }: PagingReport, offset: number): OpacError | undefined {
  if (stopReason === 'offset-ignored') {
    return new OpacError(
      'incomplete',
      'this deployment ignores offset, so only the first page can be received',
      { hint: 'narrow the search until it fits in one page' },
    );
  }
  if (missing === 0) return undefined;
  const promised = Math.max(0, (lastTotal ?? 0) - offset);
  return new OpacError(
    'incomplete',
    `${formatNumber(missing)} of ${formatNumber(promised)} records were not received`,
    {
      hint: 'try again, or use export, which fills gaps and lists what is missing',
    },
  );
}

/**
 * How many records match, asked for with limit=0; whole values and columns are counted by reading every match. Throws an
 * OpacError when the service does not say, or with `strict` when values of a list were not found.
 */
export async function countMatches(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  strict = false,
): Promise<number> {
  if (!strict && !search.terms.oneOf && !isComparedByRecord(search.terms))
    return fetchMatchTotal(context, kind, search);
  const paging = { offset: 0, limit: undefined, pageSize: DEFAULT_PAGE_SIZE };
  const matches = await searchPages(context, kind, { ...search, view: search.view ?? 'detail' }, paging);
  let total = 0;
  for await (const page of matches.pages) total += page.length;
  const failure = findFailure(matches, context, strict);
  if (failure) throw failure;
  return total;
}

/** How many records hold the words, as the service says. */
export async function fetchMatchTotal(context: Context, kind: Kind, search: RecordSearch): Promise<number> {
  const client = await context.client();
  const totals = splitByIds(search).map(async (part) => {
    const query = searchParameters(part);
    const total = await fetchTotal(client, `${kind}.search`, { query, signal: context.signal });
    if (total !== undefined) return total;
    throw new OpacError('deployment', `the service gave no ${KIND_KEYS[kind].totalKey} for ${kind}`, {
      hint: `count them with: opac ${kind} list --all -f ids | wc -l`,
    });
  });
  return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
}

/** The fields that the views name; of each kind that has views, for records of all kinds. */
export async function fetchPublishedFields(context: Context, kind: Kind): Promise<readonly string[]> {
  const kinds = kind === 'records' ? RECORD_KINDS : [kind];
  const fields = await Promise.all(kinds.map((each) => fetchFieldIds(context, each).catch(() => [])));
  return [...new Set(fields.flat())];
}
