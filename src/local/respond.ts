/** Responds to requests from records, without a server. */
import { findEndpoint } from '../service/endpoints/find-endpoint.js';
import type { RecordsState } from './request.js';
import { RouteError, type RouteResponse, routeError } from './response.js';
import { ROUTES } from './routes.js';
import { Searcher } from './search/select.js';
import type { Store } from './store.js';

/** Gives the response to a GET of a path below `/api/v3`; its pages have no limit. Throws a UsageError for a damaged record. */
export function responder(store: Store): (path: string, query: URLSearchParams) => Promise<RouteResponse> {
  const state: RecordsState = {
    store,
    searcher: new Searcher(store),
    cap: Number.MAX_SAFE_INTEGER,
    stubs: true,
  };
  return async (path, query) => {
    try {
      const found = findEndpoint(path);
      const route = found && ROUTES.get(found.row.id);
      if (!route) throw routeError(404, `No such path : ${path}`);
      return await route({ parameters: found.values, query }, state);
    } catch (error) {
      if (error instanceof RouteError) return error.response;
      throw error;
    }
  };
}
