/** What a route is given: the request, and what it answers from. */

import type { Settings } from '../options.js';
import { routeError } from '../response.js';
import type { Searcher } from '../search/select.js';
import type { Store } from '../store.js';
import type { OAuth } from './oauth.js';

/** A request as the routes see it. */
export interface RouteRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** What the routes answer from. */
export interface ServerState {
  readonly settings: Settings;
  readonly store: Store;
  readonly searcher: Searcher;
  readonly oauth: OAuth;
  /** Search requests so far, this one included. */
  searches: number;
}

/** The parameter as a whole number, or undefined without it. Refuses anything else with 400. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw routeError(400, `Parameter ${name} : ${text} is not a whole number`);
  return Number(text);
}
