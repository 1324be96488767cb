/** What a route is given: the request, and the records. */
import { routeError } from './response.js';
import type { Searcher } from './search/searcher.js';
import type { RecordStore } from './store.js';

export interface RouteRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Lets a fault of the museum give another page. */
  readonly changePage?: (page: Page) => Page;
}

/** A page of a search, before its records are read. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly isSorted: boolean;
  /** The place in the result of what this page calls the `index`-th record. */
  readonly at: (index: number) => number;
  /** An empty page has an empty list and the true total; otherwise the list is missing and the total is 0. */
  readonly showsEmptyList: boolean;
}

export interface RecordsState {
  readonly store: RecordStore;
  readonly searcher: Searcher;
  /** The most records in a page. */
  readonly cap: number;
  /** Whether a list without `view` holds bare ids. */
  readonly stubs: boolean;
}

/** The parameter as an integer, or undefined without it. Throws a 400 for anything else. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw routeError(400, `Parameter ${name} : ${text} is not a whole number`);
  return Number(text);
}
