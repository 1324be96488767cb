/** Lists the ids of a result. Each page begins with the last record of the page before it, to detect records that moved. */
import { DEFAULT_PAGE_SIZE } from '../../client/defaults.js';
import { isDeepOffsetRefusal } from '../../client/paging/page-interpreter.js';
import { createPageFetcher, fetchTotal } from '../../client/paging/pages.js';
import { runInOrder } from '../../client/paging/prefetch.js';
import { readPage } from '../../records/json/page-records.js';
import { OpacError } from '../../service/errors.js';
import type { QueryParameters } from '../../service/search/record-search.js';
import type { ResultSearch } from '../collect/source/record-source.js';
import { applyFilter, type SlicePlan, selectPart } from '../collect/source/slices/slice-plan.js';

interface Range {
  readonly query: QueryParameters;
  readonly offset: number;
  readonly limit: number;
  /** The maximum of offset + limit that the service accepts. */
  readonly window: number;
}

type Ids = readonly (string | undefined)[];

interface IdPage {
  readonly ids: Ids;
  readonly total: number | undefined;
}

const ALL = Number.POSITIVE_INFINITY;

/**
 * Returns undefined if the list is incomplete, or if records moved, occur twice, or have no ids. If `isSequential`, requests a
 * page only after the page before it, for services whose total is too low, or whose pages begin at another offset than requested.
 */
export async function listIds(
  search: ResultSearch,
  plan: SlicePlan | undefined,
  signal: AbortSignal,
  isSequential = false,
): Promise<Set<string> | undefined> {
  const { client, kind, part } = search;
  const query = search.query.filter(([name]) => name !== 'view');
  const ids = new Set<string>();
  for (const range of splitIntoRanges(search, plan)) {
    const listed = await new RangeListing(search, range, signal).list(isSequential);
    if (!listed) return undefined;
    for (const id of listed) ids.add(id);
  }
  if (!plan || part) return ids;
  // If a record moves to an earlier slice, the listing misses the record, and the total is higher than the number of ids.
  return (await fetchTotal(client, `${kind}.search`, { query, signal })) === ids.size ? ids : undefined;
}

/** Returns undefined if the response has no total. Some services respond to `limit=0` with an empty object. */
export async function fetchListTotal(
  { client, kind }: ResultSearch,
  query: QueryParameters,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    return await fetchTotal(client, `${kind}.search`, { query, signal });
  } catch (error) {
    if (error instanceof OpacError && error.code === 'unexpected-response') return undefined;
    throw error;
  }
}

function splitIntoRanges(
  { query, queries = [query], offset = 0, limit = ALL, part }: ResultSearch,
  plan: SlicePlan | undefined,
): readonly Range[] {
  const isSort = ([name]: QueryParameters[number]) => name === 'sort' || name === 'direction';
  const withoutView = queries.map((each) => [
    ...each.filter((parameter) => parameter[0] !== 'view' && !isSort(parameter)),
    ...query.filter(isSort),
  ]);
  if (!plan) return withoutView.map((each) => ({ query: each, offset, limit, window: ALL }));
  const window = plan.window ?? ALL;
  return (part ? selectPart(plan, part) : plan.slices).map((slice) => {
    const isEntire = slice.offset === 0 && slice.limit >= slice.total;
    const sliced = applyFilter(withoutView[0] ?? [], slice);
    return { query: sliced, offset: slice.offset, limit: isEntire ? ALL : slice.limit, window };
  });
}

class RangeListing {
  readonly #search: ResultSearch;
  readonly #range: Range;
  readonly #signal: AbortSignal;
  #first: IdPage = { ids: [], total: undefined };
  /** The end of the range, according to the total of the first page; 0 without a total. */
  #end = 0;

  constructor(search: ResultSearch, range: Range, signal: AbortSignal) {
    this.#search = search;
    this.#range = range;
    this.#signal = signal;
  }

  async list(isSequential: boolean): Promise<ReadonlySet<string> | undefined> {
    const { offset, limit, window } = this.#range;
    const most = Math.min(limit, DEFAULT_PAGE_SIZE, window - offset);
    this.#first = await this.#fetchPage(offset, most, this.#signal);
    const { ids, total } = this.#first;
    this.#end = Math.min(offset + limit, total ?? 0);
    const seen = new Set<string>();
    if (limit === 0) return seen;
    // A cache or a service that is starting may return an empty page. A request with `limit=0` shows whether the result is empty.
    if (ids.length === 0)
      return offset >=
        Math.max(this.#end, (await fetchListTotal(this.#search, this.#range.query, this.#signal)) ?? 0)
        ? seen
        : undefined;
    if (!addNew(ids.slice(0, limit), seen)) return undefined;
    const isPageByPage = isSequential || total === undefined;
    const isSettled = isPageByPage ? await this.#addSequentially(seen) : await this.#addOthers(seen);
    const end = offset + seen.size;
    return isSettled && (end === this.#end || (isPageByPage && end > this.#end)) ? seen : undefined;
  }

  async #addOthers(seen: Set<string>): Promise<boolean> {
    const { offset, limit } = this.#range;
    const { ids, total } = this.#first;
    const isCut = offset + ids.length < this.#end;
    // Pages of one record cannot overlap.
    if (isCut && ids.length < 2) return false;
    if (!isCut && limit !== ALL) return true;
    let last = ids.at(-1);
    for await (const page of this.#fetchOthers()) {
      const [overlap, ...fresh] = page.ids;
      if (page.total !== total || overlap !== last || !addNew(fresh, seen)) return false;
      last = fresh.at(-1) ?? last;
    }
    return true;
  }

  #fetchOthers(): AsyncIterable<IdPage> {
    const { offset, limit, window } = this.#range;
    const end = this.#end;
    // The service may return fewer records than requested.
    const size = this.#first.ids.length;
    const step = Math.max(1, size - 1);
    let at = offset + size - 1;
    let isAtEnd = false;
    const next = (signal: AbortSignal) => {
      if (isAtEnd) return undefined;
      // Without a limit, the last request continues beyond the total, to detect additional records.
      const wanted = limit === ALL ? Math.max(2, size) : Math.min(size, end - at);
      const most = Math.min(wanted, window - at);
      if (most < 2) return undefined;
      const from = at;
      isAtEnd = at + most > end || (limit !== ALL && at + most >= end);
      at += step;
      return this.#fetchPage(from, most, signal, Math.min(most, end - from));
    };
    return runInOrder({ concurrency: this.#search.concurrency, next, signal: this.#signal });
  }

  async #addSequentially(seen: Set<string>): Promise<boolean> {
    if (!(await this.#addUntilNothingNew(seen, 1))) return false;
    const { size } = seen;
    if (this.#end > 0 && this.#range.offset + size >= this.#end) return true;
    // If the service rounds offsets or returns one record per page, pages cannot overlap. Then opac lists twice and compares.
    if (!(await this.#addUntilNothingNew(seen, 0))) return false;
    if (seen.size === size) return true;
    const again = new Set<string>();
    return (await this.#addUntilNothingNew(again, 0)) && [...again].join('\n') === [...seen].join('\n');
  }

  /** Each request begins with `overlap` known records, but the page may begin even earlier. */
  async #addUntilNothingNew(seen: Set<string>, overlap: 0 | 1): Promise<boolean> {
    const { offset, limit, window } = this.#range;
    let last = [...seen].at(-1);
    for (;;) {
      const at = offset + seen.size - overlap;
      const most = Math.min(Math.max(1 + overlap, this.#first.ids.length), window - at);
      const isAtEnd = overlap === 0 && this.#end > 0 && at >= this.#end;
      if (seen.size >= limit || most <= overlap || isAtEnd) return true;
      const { ids, total } = await this.#fetchPage(at, most, this.#signal);
      // The total in a page beyond the end is not reliable.
      if (at < this.#end && total !== this.#first.total) return false;
      const firstNew = ids.findIndex((id) => id === undefined || !seen.has(id));
      const known = firstNew < 0 ? ids.length : firstNew;
      if (overlap === 1 && (known === 0 || ids[known - 1] !== last)) return false;
      const fresh = ids.slice(known, known + limit - seen.size);
      if (fresh.length === 0) return true;
      if (!addNew(fresh, seen)) return false;
      last = fresh.at(-1);
    }
  }

  /** Requests a short page again. If the page ends outside the window, requests only the expected records. */
  async #fetchPage(offset: number, limit: number, signal: AbortSignal, expected = 1): Promise<IdPage> {
    try {
      const page = await this.#request(offset, limit, signal);
      return page.ids.length < expected ? await this.#request(offset, limit, signal) : page;
    } catch (error) {
      if (!isDeepOffsetRefusal(error) || expected >= limit) throw error;
      return this.#request(offset, expected, signal);
    }
  }

  async #request(offset: number, limit: number, signal: AbortSignal): Promise<IdPage> {
    const { client, kind } = this.#search;
    const { query } = this.#range;
    const fetchPage = createPageFetcher(client, `${kind}.search`, { query }, ({ bytes }, at) =>
      readPage(bytes, kind, at),
    );
    const { value: page } = await fetchPage(offset, limit, signal);
    return { ids: page.records.map(({ id }) => id), total: page.total };
  }
}

/** Returns false if an id is missing or repeated. */
function addNew(ids: Ids, seen: Set<string>): boolean {
  for (const id of ids) {
    if (id === undefined || seen.has(id)) return false;
    seen.add(id);
  }
  return true;
}
