/** Carries out a search: which records, in which order. */
import type { Kind } from '../../service/kinds.js';
import type { RecordList, Selection } from '../data/record-list.js';
import { routeError } from '../response.js';
import type { Store } from '../store.js';
import { facetFilter, UnknownFacet } from './facets.js';
import { type Predicate, queryPredicate } from './match.js';
import { MalformedQuery, parseQuery } from './parse-query.js';
import { sortedPositions } from './sort.js';

/** A client asks for a selection page by page, so the latest are kept. */
const MOST_CACHED = 8;

const PARAMETERS = ['query', 'facet', 'hasImages', 'sort', 'direction'];

export class Searcher {
  readonly #store: Store;
  readonly #cache = new Map<string, Selection>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The records that the parameters select. Throws a 400 for a malformed query and an unknown field or facet. */
  select(kind: Kind, parameters: URLSearchParams): Selection {
    const key = JSON.stringify([kind, ...PARAMETERS.map((name) => parameters.get(name))]);
    const selection = this.#cache.get(key) ?? this.#search(kind, parameters);
    this.#cache.delete(key);
    this.#cache.set(key, selection);
    if (this.#cache.size > MOST_CACHED) this.#cache.delete(this.#cache.keys().next().value as string);
    return selection;
  }

  #search(kind: Kind, parameters: URLSearchParams): Selection {
    const records = this.#store.records[kind];
    const predicates = this.#predicates(kind, records, parameters);
    const sort = parameters.get('sort');
    if (sort && !records.identifiers.includes(sort))
      throw routeError(400, `Sort field : ${sort} does not exist`);
    const direction = parameters.get('direction') ?? 'asc';
    if (direction !== 'asc' && direction !== 'desc')
      throw routeError(400, `Direction : ${direction} is not asc or desc`);
    if (predicates.length === 0 && !sort) return records;
    const found: number[] = [];
    for (let position = 0; position < records.count; position++) {
      const record = records.at(position);
      if (predicates.every((predicate) => predicate(record))) found.push(position);
    }
    const positions = Uint32Array.from(sort ? sortedPositions(found, records, sort, direction) : found);
    return { count: positions.length, at: (index) => records.at(positions[index] as number) };
  }

  #predicates(kind: Kind, records: RecordList, parameters: URLSearchParams): Predicate[] {
    const predicates: Predicate[] = [];
    try {
      const query = parseQuery(parameters.get('query') ?? '');
      if (query) predicates.push(queryPredicate(query, this.#store));
      const facet = parameters.get('facet');
      if (facet) predicates.push(facetFilter(facet, kind, records));
    } catch (error) {
      if (error instanceof MalformedQuery) throw routeError(400, error.message);
      if (error instanceof UnknownFacet)
        throw routeError(400, `Facet with ID : ${error.message} does not exist`);
      throw error;
    }
    if (parameters.get('hasImages') === 'true') predicates.push(({ searched }) => searched.images.length > 0);
    return predicates;
  }
}
