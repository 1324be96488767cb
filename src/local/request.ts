/** The input of a route: the request and the records. */
import { routeError } from './response.js';
import type { Searcher } from './search/searcher.js';
import type { RecordStore } from './store.js';

export interface RouteRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Changes the page to simulate a fault of the museum (src/mock/faults). */
  readonly changePage?: (page: Page) => Page;
}

/** A page of a search, before its records are read. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly isSorted: boolean;
  /** Converts a position that the client requests to the position that the museum reads. Both start at 0. */
  readonly at: (index: number) => number;
  /** Whether a page past the end has an empty list and the correct total, instead of no list and the total 0. */
  readonly showsEmptyList: boolean;
}

export interface RecordsState {
  readonly store: RecordStore;
  readonly searcher: Searcher;
  /** Maximum page size. */
  readonly cap: number;
  /** Whether the records of a list contain only their ids if the request has no `view`. */
  readonly hasStubs: boolean;
}

/** Returns undefined if the parameter is absent. Throws a RouteError (400) unless its value consists of digits. */
export function readIntegerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw routeError(400, `Parameter ${name} : ${text} is not an integer`);
  return Number(text);
}
