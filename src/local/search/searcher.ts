/** Searches records: selects and sorts them. */
import type { Kind } from '../../service/kinds.js';
import type { StoredRecord } from '../record.js';
import type { RecordList } from '../record-list.js';
import { routeError } from '../response.js';
import type { RecordStore } from '../store.js';
import {
  createFacetCounter,
  createFacetFilter,
  type FacetCounts,
  listFacets,
  UnknownFacet,
} from './facets.js';
import { createQueryPredicate, findRequiredText, type Predicate } from './match.js';
import { MalformedQuery, parseQuery } from './parse-query.js';
import { createSortEntry, type SortEntry, sortPositions } from './sort.js';

export interface Selection {
  readonly count: number;
  readonly read: (indexes: readonly number[]) => Promise<readonly StoredRecord[]>;
  readonly facets: readonly FacetCounts[];
}

/** Maximum number of selections to keep for later requests, because clients request the pages of a selection one by one. */
const MAX_CACHED = 8;

const PARAMETERS = ['query', 'facet', 'hasImages', 'sort', 'direction'];

interface Search {
  readonly predicates: readonly Predicate[];
  /** Every matching record contains this text. */
  readonly required: string | undefined;
}

export class Searcher {
  readonly #store: RecordStore;
  readonly #cache = new Map<string, Selection>();

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** Throws a RouteError (400) for a malformed query, an unknown facet or sort field, and an invalid direction. */
  async select(kind: Kind, parameters: URLSearchParams, withFacets = false): Promise<Selection> {
    const key = JSON.stringify([kind, withFacets, ...PARAMETERS.map((name) => parameters.get(name))]);
    const selection = this.#cache.get(key) ?? (await this.#search(kind, parameters, withFacets));
    this.#cache.delete(key);
    this.#cache.set(key, selection);
    if (this.#cache.size > MAX_CACHED) this.#cache.delete(this.#cache.keys().next().value as string);
    return selection;
  }

  async #search(kind: Kind, parameters: URLSearchParams, withFacets: boolean): Promise<Selection> {
    const records = this.#store.records[kind];
    const search = await this.#parse(kind, records, parameters);
    const sort = parameters.get('sort');
    if (sort && !(await records.identifiers()).includes(sort))
      throw routeError(400, `Sort field : ${sort} does not exist`);
    const direction = parameters.get('direction') ?? 'asc';
    if (direction !== 'asc' && direction !== 'desc')
      throw routeError(400, `Direction : ${direction} is not asc or desc`);
    const facets = withFacets ? listFacets(kind, await records.identifiers()) : [];
    if (search.predicates.length === 0 && !sort && !withFacets)
      return createSelection(records, await records.count(), (index) => index);

    const counters = facets.map(createFacetCounter);
    const positions: number[] = [];
    const entries: SortEntry[] = [];
    await forEachMatch(records, search, (record, position) => {
      for (const counter of counters) counter.add(record);
      records.keep?.(position, record);
      if (sort) entries.push(createSortEntry(record, position, sort));
      else positions.push(position);
    });
    const ordered = sort ? sortPositions(entries, direction) : Uint32Array.from(positions);
    const counts = counters.map((counter) => counter.counts());
    return {
      ...createSelection(records, ordered.length, (index) => ordered[index] as number),
      facets: counts,
    };
  }

  async #parse(kind: Kind, records: RecordList, parameters: URLSearchParams): Promise<Search> {
    const predicates: Predicate[] = [];
    let required: string | undefined;
    try {
      const query = parseQuery(parameters.get('query') ?? '');
      if (query) predicates.push(createQueryPredicate(query, this.#store));
      required = query && findRequiredText(query);
      const facet = parameters.get('facet');
      if (facet) predicates.push(createFacetFilter(facet, kind, await records.identifiers()));
    } catch (error) {
      if (error instanceof MalformedQuery) throw routeError(400, error.message);
      if (error instanceof UnknownFacet)
        throw routeError(400, `Facet with ID : ${error.message} does not exist`);
      throw error;
    }
    if (parameters.get('hasImages') === 'true') predicates.push(({ parsed }) => parsed.images.length > 0);
    return { predicates, required };
  }
}

async function forEachMatch(
  records: RecordList,
  { predicates, required }: Search,
  visit: (record: StoredRecord, position: number) => void,
): Promise<void> {
  let position = -1;
  for await (const piece of records.pieces())
    for (const record of piece) {
      position++;
      if (required !== undefined && record.mayContain?.(required) === false) continue;
      if (predicates.every((predicate) => predicate(record))) visit(record, position);
    }
}

function createSelection(
  records: RecordList,
  count: number,
  positionOf: (index: number) => number,
): Selection {
  return {
    count,
    facets: [],
    read: (indexes) =>
      records.at(indexes.map(positionOf), (most) => {
        const begin = (indexes.at(-1) ?? 0) + 1;
        const length = Math.max(0, Math.min(count - begin, most));
        return Array.from({ length }, (_, index) => positionOf(begin + index));
      }),
  };
}
