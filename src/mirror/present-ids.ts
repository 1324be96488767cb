/** Lists the ids of all records that a mirror should hold, and notices when records move meanwhile. */
import type { RequestOptions } from '../client/client.js';
import { DEFAULT_PAGE_SIZE } from '../client/defaults.js';
import { pagesOf } from '../client/paging/pages.js';
import { sortedQuery } from '../export/collect/source/sort-orders.js';
import { type PageRecord, parsedRecord, readPage } from '../records/json/page-records.js';
import type { EndpointId } from '../service/endpoints/catalogue.js';
import { asObject } from '../service/json.js';
import { readRecord } from '../service/records/record.js';
import { inListOrder } from '../service/search/exact.js';
import type { QueryParameters } from '../service/search/search.js';
import { isFiltered, type KindReading, type MirrorSearch } from './mirror-search.js';

interface Way {
  /** In an explicit order where the deployment accepts one: without, equal scores may change places. */
  readonly isSorted: boolean;
  /** Whether pages overlap. */
  readonly overlaps: boolean;
}

/** Where offsets are rounded down, or a page has one record, pages cannot overlap: then two listings must be the same. */
const WAYS: readonly Way[] = [
  { isSorted: false, overlaps: true },
  { isSorted: true, overlaps: true },
  ...Array.from({ length: 3 }, () => ({ isSorted: true, overlaps: false })),
];

/** Undefined when no listing was free of changes. Throws an OpacError as paging does. */
export async function presentIds(reading: KindReading): Promise<ReadonlySet<string> | undefined> {
  let before: ReadonlySet<string> | undefined;
  for (const way of WAYS) {
    const ids = await listOnce(reading, way);
    if (ids && (way.overlaps || isSame(ids, before))) return ids;
    before = way.overlaps ? undefined : ids;
  }
  return undefined;
}

function isSame(ids: ReadonlySet<string>, others: ReadonlySet<string> | undefined): boolean {
  return ids.size === others?.size && [...ids].every((id) => others.has(id));
}

async function listOnce(reading: KindReading, way: Way): Promise<Set<string> | undefined> {
  const { client, kind, search, signal } = reading;
  const ids = new Set<string>();
  for (const batch of search.list?.batches ?? [[]]) {
    const query = search.query(batch).filter(([name]) => name !== 'view' || isFiltered(search));
    const sorted = way.isSorted ? await sortedQuery(client, kind, query, signal) : undefined;
    const listing = { query: sorted ?? query, batch, overlaps: way.overlaps };
    if (!(await addIds(reading, listing, ids))) return undefined;
  }
  return ids;
}

interface Listing {
  readonly query: QueryParameters;
  readonly batch: readonly string[];
  readonly overlaps: boolean;
}

/**
 * Adds the ids of a query; false when that failed. Pages overlap by one record: when two pages do not agree on it, records
 * have moved between the two requests.
 */
async function addIds(
  reading: KindReading,
  listing: Listing,
  ids: Set<string>,
  pageSize = DEFAULT_PAGE_SIZE - 1,
): Promise<boolean> {
  const { client, kind, search, concurrency, signal } = reading;
  const { query, batch, overlaps } = listing;
  /** Ids by their positions in the list, those of the pages to come. */
  const placed = new Map<number, string | undefined>();
  let hasMoved = false;
  const read = ({ bytes }: { readonly bytes: Buffer }, offset: number) => {
    const page = readPage(bytes, kind, offset);
    if (!page) return undefined;
    const overlap = overlaps && offset > 0 ? 1 : 0;
    // Past the end, some services repeat records.
    if (offset < (page.total ?? Number.POSITIVE_INFINITY))
      for (const [n, { id }] of page.records.entries()) {
        const position = offset - overlap + n;
        hasMoved ||= placed.has(position) && placed.get(position) !== id;
        placed.set(position, id);
      }
    return { ...page, records: page.records.slice(overlap) };
  };
  const asked = overlaps ? { ...client, fetch: withOverlap(client.fetch) } : client;
  const endpointId = `${kind}.search` as const;
  const pages = pagesOf<PageRecord>(asked, endpointId, { query, signal }, { concurrency, pageSize, read });
  for await (const { offset, records, received, total } of pages) {
    const isCapped =
      overlaps && offset === 0 && received > 1 && received < pageSize && received < (total ?? 0);
    // The service gives smaller pages: pages of that size, with the record before, are the fewest requests.
    if (isCapped && pageSize === DEFAULT_PAGE_SIZE - 1) return addIds(reading, listing, ids, received - 1);
    if (hasMoved) return false;
    for (let position = offset; position < offset + received - 1; position++) placed.delete(position);
    for (const { id } of wanted(records, batch, search)) if (id !== undefined) ids.add(id);
  }
  const { stopReason, totals, withoutId } = pages.report;
  return !hasMoved && stopReason === 'complete' && totals.length <= 1 && withoutId === 0;
}

type Fetch = KindReading['client']['fetch'];

/** Requests the record before a page as well. */
function withOverlap(fetch: Fetch): Fetch {
  const before = (query: QueryParameters): QueryParameters => {
    const offset = Number(query.find(([name]) => name === 'offset')?.[1] ?? 0);
    const limit = Number(query.find(([name]) => name === 'limit')?.[1] ?? 0);
    if (offset === 0 || limit === 0) return query;
    const others = query.filter(([name]) => name !== 'offset' && name !== 'limit');
    return [...others, ['limit', String(limit + 1)], ['offset', String(offset - 1)]];
  };
  return ((endpointId: EndpointId, ask: RequestOptions = {}) =>
    fetch(endpointId, { ...ask, query: before(ask.query ?? []) })) as Fetch;
}

function wanted(
  records: readonly PageRecord[],
  batch: readonly string[],
  { list, isExact }: MirrorSearch,
): readonly PageRecord[] {
  if (!list && !isExact) return records;
  const found = records.map((record) => ({ record, raw: asObject(parsedRecord(record)) }));
  const exact = isExact ? found.filter(({ raw }) => isExact(readRecord(raw))) : found;
  return list ? inListOrder(batch, exact, list.field).ordered : exact.map(({ record }) => record);
}
