/** Carries out a search: which records, in which order. Selections are kept, since a client asks for them page by page. */
import type { Kind } from '../../service/kinds.js';
import type { RecordList, StoredRecord } from '../data/record-list.js';
import { routeError } from '../response.js';
import type { Store } from '../store.js';
import { facetFilter, UnknownFacet } from './facets.js';
import { type Predicate, queryPredicate } from './match.js';
import { MalformedQuery, parseQuery } from './parse-query.js';
import { sortedPositions } from './sort.js';

/** The records found, by their place in the result. */
export interface Selection {
  readonly count: number;
  at(place: number): StoredRecord;
}

/** How many selections of a museum are kept, the latest used. */
const KEPT = 8;

export class Searcher {
  readonly #holdings: Store;
  readonly #kept = new Map<string, Selection>();

  constructor(holdings: Store) {
    this.#holdings = holdings;
  }

  /** What the parameters of a search select. Refuses with 400 a query that cannot be read and an unknown field or facet. */
  select(kind: Kind, parameters: URLSearchParams): Selection {
    const asked = ['query', 'facet', 'hasImages', 'sort', 'direction'].map((name) => parameters.get(name));
    const key = JSON.stringify([kind, ...asked]);
    const selection = this.#kept.get(key) ?? this.#carryOut(kind, parameters);
    this.#kept.delete(key);
    this.#kept.set(key, selection);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value as string);
    return selection;
  }

  #carryOut(kind: Kind, parameters: URLSearchParams): Selection {
    const shelf = this.#holdings.records[kind];
    const tests = this.#tests(kind, shelf, parameters);
    const sort = parameters.get('sort');
    if (sort && !shelf.identifiers.includes(sort))
      throw routeError(400, `Sort field : ${sort} does not exist`);
    const direction = parameters.get('direction') ?? 'asc';
    if (direction !== 'asc' && direction !== 'desc') {
      throw routeError(400, `Direction : ${direction} is not asc or desc`);
    }
    if (tests.length === 0 && !sort) return shelf;
    const found: number[] = [];
    for (let position = 0; position < shelf.count; position++) {
      const entry = shelf.at(position);
      if (tests.every((test) => test(entry))) found.push(position);
    }
    const order = sort ? sortedPositions(found, (position) => shelf.at(position), sort, direction) : found;
    const positions = Uint32Array.from(order);
    return { count: positions.length, at: (place) => shelf.at(positions[place] as number) };
  }

  #tests(kind: Kind, shelf: RecordList, parameters: URLSearchParams): Predicate[] {
    const tests: Predicate[] = [];
    try {
      const query = parseQuery(parameters.get('query') ?? '');
      if (query) tests.push(queryPredicate(query, this.#holdings));
      const facet = parameters.get('facet');
      if (facet) tests.push(facetFilter(facet, kind, shelf));
    } catch (error) {
      if (error instanceof MalformedQuery) throw routeError(400, error.message);
      if (error instanceof UnknownFacet)
        throw routeError(400, `Facet with ID : ${error.message} does not exist`);
      throw error;
    }
    if (parameters.get('hasImages') === 'true') tests.push(({ parsed: facts }) => facts.images.length > 0);
    return tests;
  }
}

/** The records of a selection, in order. */
export function* recordsOf(selection: Selection): Generator<StoredRecord> {
  for (let place = 0; place < selection.count; place++) yield selection.at(place);
}
