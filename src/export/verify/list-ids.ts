/**
 * Every id of a result, from pages without a view. Each page begins with the last record of the page before: when that is
 * another one, records moved while they were listed.
 */
import { DEFAULT_PAGE_SIZE } from '../../client/defaults.js';
import { isDeepRefusal } from '../../client/paging/page-interpreter.js';
import { countOf } from '../../client/paging/pages.js';
import { inOrder } from '../../client/paging/prefetch.js';
import { readPage } from '../../records/json/page-records.js';
import { OpacError } from '../../service/errors.js';
import { pagingParameters, type QueryParameters } from '../../service/search/search.js';
import type { ResultSearch } from '../collect/source/record-source.js';
import { narrowed, partOf, type SlicePlan } from '../collect/source/slices/plan.js';

/** Counts the requests that a check takes. */
export interface RequestCount {
  requests: number;
}

/** Records of one search: `limit` from `offset` on. */
interface Piece {
  readonly query: QueryParameters;
  readonly offset: number;
  readonly limit: number;
  /** The most that offset + limit of a request may be. */
  readonly window: number;
}

interface IdPage {
  readonly ids: readonly (string | undefined)[];
  readonly total: number | undefined;
}

const ALL = Number.POSITIVE_INFINITY;

/**
 * Undefined when the records moved meanwhile, repeat, or have no ids. `isSequential`: one page after the other until one has
 * nothing new, for a service whose total is too low or whose pages overlap. Throws as a request does.
 */
export async function listIds(
  search: ResultSearch,
  plan: SlicePlan | undefined,
  count: RequestCount,
  signal: AbortSignal,
  isSequential = false,
): Promise<Set<string> | undefined> {
  const { client, kind, part } = search;
  const query = withoutView(search.query);
  const ids = new Set<string>();
  for (const piece of piecesOf(search, query, plan)) {
    const isSettled = await new PieceListing(search, piece, count, signal).addTo(ids, isSequential);
    if (!isSettled) return undefined;
  }
  if (!plan || part) return ids;
  count.requests++;
  // A record that moved from one slice to another is in neither.
  return (await countOf(client, `${kind}.search`, { query, signal })) === ids.size ? ids : undefined;
}

export function withoutView(query: QueryParameters): QueryParameters {
  return query.filter(([name]) => name !== 'view');
}

function piecesOf(
  { offset = 0, limit = ALL, part }: ResultSearch,
  query: QueryParameters,
  plan: SlicePlan | undefined,
): readonly Piece[] {
  if (!plan) return [{ query, offset, limit, window: ALL }];
  const window = plan.window ?? ALL;
  return (part ? partOf(plan, part) : plan.slices).map((slice) => {
    const isWhole = slice.offset === 0 && slice.limit >= slice.total;
    return {
      query: narrowed(query, slice),
      offset: slice.offset,
      limit: isWhole ? ALL : slice.limit,
      window,
    };
  });
}

class PieceListing {
  readonly #search: ResultSearch;
  readonly #piece: Piece;
  readonly #count: RequestCount;
  readonly #signal: AbortSignal;

  constructor(search: ResultSearch, piece: Piece, count: RequestCount, signal: AbortSignal) {
    this.#search = search;
    this.#piece = piece;
    this.#count = count;
    this.#signal = signal;
  }

  /** Returns false when the listing cannot be trusted. */
  async addTo(all: Set<string>, isSequential: boolean): Promise<boolean> {
    const { offset, limit, window } = this.#piece;
    const most = Math.min(limit, DEFAULT_PAGE_SIZE, window - offset);
    const first = await this.#page(offset, most, this.#signal);
    const size = first.ids.length;
    const least = Math.min(offset + limit, first.total ?? 0);
    if (size === 0) return offset >= least;
    const seen = new Set<string>();
    if (!add(first.ids.slice(0, limit), seen)) return false;
    const isSettled =
      isSequential || first.total === undefined
        ? (await this.#addInTurn(seen, size)) && offset + seen.size >= least
        : (await this.#addOthers(seen, first, least)) && offset + seen.size === least;
    if (isSettled) for (const id of seen) all.add(id);
    return isSettled;
  }

  async #addOthers(seen: Set<string>, { ids, total }: IdPage, end: number): Promise<boolean> {
    const { offset, limit } = this.#piece;
    const isCut = offset + ids.length < end;
    // Pages of one record could not overlap.
    if (isCut && ids.length < 2) return false;
    if (!isCut && limit !== ALL) return true;
    let last = ids.at(-1);
    for await (const page of this.#others(ids.length, end)) {
      const [overlap, ...fresh] = page.ids;
      if (page.total !== total || overlap !== last || !add(fresh, seen)) return false;
      last = fresh.at(-1) ?? last;
    }
    return true;
  }

  /** The pages after the first, the last of which shows that nothing follows. */
  #others(size: number, end: number): AsyncIterable<IdPage> {
    const { offset, limit, window } = this.#piece;
    const { concurrency } = this.#search;
    const step = Math.max(1, size - 1);
    let at = offset + size - 1;
    let isAtEnd = false;
    const next = (signal: AbortSignal) => {
      if (isAtEnd) return undefined;
      // One more than is expected, where all is listed: a record behind the total would show.
      const wanted = limit === ALL ? Math.max(2, size) : Math.min(size, end - at);
      const most = Math.min(wanted, window - at);
      if (most < 2) return undefined;
      const from = at;
      isAtEnd = at + most > end || (limit !== ALL && at + most >= end);
      at += step;
      return this.#page(from, most, signal, Math.min(most, end - from));
    };
    return inOrder({ concurrency, next, signal: this.#signal });
  }

  /** One page after the other, until one has nothing new. A page may repeat more than one record of those before. */
  async #addInTurn(seen: Set<string>, size: number): Promise<boolean> {
    const { offset, limit, window } = this.#piece;
    let last = [...seen].at(-1);
    while (seen.size < limit) {
      const at = offset + seen.size - 1;
      const most = Math.min(Math.max(2, size), window - at);
      if (most < 2) return true;
      const { ids } = await this.#page(at, most, this.#signal);
      const known = ids.indexOf(last) + 1;
      if (known === 0 || ids.slice(0, known).some((id) => id === undefined || !seen.has(id))) return false;
      const fresh = ids.slice(known, known + limit - seen.size);
      if (fresh.length === 0) return true;
      if (!add(fresh, seen)) return false;
      last = fresh.at(-1);
    }
    return true;
  }

  /** Requests a page again that has fewer ids than expected, or that a window refuses because it asks for more. */
  async #page(offset: number, limit: number, signal: AbortSignal, expected = 1): Promise<IdPage> {
    try {
      const page = await this.#request(offset, limit, signal);
      return page.ids.length < expected ? await this.#request(offset, limit, signal) : page;
    } catch (error) {
      if (!isDeepRefusal(error) || expected >= limit) throw error;
      return this.#request(offset, expected, signal);
    }
  }

  async #request(offset: number, limit: number, signal: AbortSignal): Promise<IdPage> {
    const { client, kind } = this.#search;
    const query = [...this.#piece.query, ...pagingParameters(limit, offset)];
    this.#count.requests++;
    const { bytes } = await client.fetch(`${kind}.search`, { query, signal });
    const page = readPage(bytes, kind, offset);
    if (!page) throw new OpacError('deployment', 'the response is not a list of records');
    return { ids: page.records.map(({ id }) => id), total: page.total };
  }
}

/** Returns false for an id that is there already, and for none. */
function add(ids: readonly (string | undefined)[], seen: Set<string>): boolean {
  for (const id of ids) {
    if (id === undefined || seen.has(id)) return false;
    seen.add(id);
  }
  return true;
}
