/** `GET /opacobjects` and its like: a page of a search, as FIELD-NOTES.md "Requests" has seen it. */
import { KIND_WORDS, type Kind } from '../../service/kinds.js';
import { pageOf } from '../faults/quirks.js';
import type { Settings } from '../options.js';
import { jsonTextResponse, type RouteResponse, routeError } from '../response.js';
import { countFacet, facetsOf } from '../search/facets.js';
import { findView, type Representation, renderRecord } from '../search/views.js';
import { integerParameter, type RouteRequest, type ServerState } from './request.js';

const COMMA = Buffer.from(',');
const DEFAULT_LIMIT = 20;

/** Responds to a search. `limit` is lowered to the cap; 0 gives the total alone. Unknown parameters are ignored. */
export function searchResponse(kind: Kind, { query }: RouteRequest, state: ServerState): RouteResponse {
  const { settings, searcher, store } = state;
  const limit = Math.min(integerParameter(query, 'limit') ?? DEFAULT_LIMIT, settings.cap);
  const { offset, isEmpty } = withinWindow(integerParameter(query, 'offset') ?? 0, limit, settings);
  const representation = representationOf(kind, query, state);
  const selection = searcher.select(kind, query);
  state.searches++;
  const pageRequest = { offset, limit, sorted: query.has('sort'), number: state.searches };
  const page = pageOf(selection, isEmpty ? { ...pageRequest, limit: 0 } : pageRequest, settings.quirks);

  const isPastEnd = page.records.length === 0 && limit > 0 && !isEmpty;
  const isBare = limit === 0 || (isPastEnd && settings.quirks.endKey !== 'empty');
  const { listKey, totalKey } = KIND_WORDS[kind];
  let rest = `"${totalKey}":${isPastEnd && isBare ? 0 : page.total}`;
  if (query.get('facetedResults') === 'true') {
    const facets = facetsOf(kind, store.records[kind]).map((facet) => countFacet(facet, selection));
    rest += `,"facetsCollection":${JSON.stringify({ facets, totalFacets: facets.length })}`;
  }
  if (isBare) return jsonTextResponse(`{${rest}}`);
  const records = page.records.flatMap((record, index) => {
    const rendered = renderRecord(record, kind, representation);
    return index === 0 ? [rendered] : [COMMA, rendered];
  });
  return jsonTextResponse(
    Buffer.concat([Buffer.from(`{"${listKey}":[`), ...records, Buffer.from(`],${rest}}`)]),
  );
}

/** Where the page begins, and whether it is empty for lying beyond the window. Throws the refusal of a museum that refuses. */
function withinWindow(offset: number, limit: number, { window, beyondWindow }: Settings) {
  if (offset + limit <= window) return { offset, isEmpty: false };
  if (beyondWindow === 'empty') return { offset, isEmpty: true };
  if (beyondWindow === 'repeat') return { offset: Math.max(0, window - limit), isEmpty: false };
  throw routeError(
    Number(beyondWindow),
    `Result window is too large, offset + limit must not be above ${window}`,
  );
}

function representationOf(
  kind: Kind,
  query: URLSearchParams,
  { settings, store }: ServerState,
): Representation {
  const viewName = query.get('view');
  if (viewName === null) return settings.stubs ? 'stub' : 'whole';
  if (viewName === 'detail') return 'whole';
  const view = findView(store.records[kind], viewName);
  if (!view) throw routeError(400, `View : ${viewName} does not exist`);
  return view;
}
