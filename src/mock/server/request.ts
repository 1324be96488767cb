/** What a route is given: the request, and the state of the server. */
import type { Settings } from '../options.js';
import { routeError } from '../response.js';
import type { Searcher } from '../search/select.js';
import type { Store } from '../store.js';
import type { Access } from './access.js';
import type { OAuth } from './oauth.js';

export interface RouteRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
  readonly body: string;
}

export interface ServerState {
  readonly settings: Settings;
  readonly store: Store;
  readonly searcher: Searcher;
  readonly access: Access;
  readonly oauth: OAuth;
  searches: number;
}

/** The parameter as an integer, or undefined without it. Throws a 400 for anything else. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw routeError(400, `Parameter ${name} : ${text} is not a whole number`);
  return Number(text);
}
