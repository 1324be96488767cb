/** `GET /opacobjects` and its like: the page of a search, as FIELD-NOTES.md "Requests" has seen it. */
import { KIND_WORDS, type Kind } from '../../service/kinds.js';
import { pageOf } from '../faults/quirks.js';
import { jsonTextResponse, type RouteResponse, routeError } from '../response.js';
import { countFacet, facetsOf } from '../search/facets.js';
import { recordsOf, type Selection } from '../search/select.js';
import { type Representation, renderRecord, viewsOf } from '../search/views.js';
import { integerParameter, type RouteRequest, type ServerState } from './request.js';

const COMMA = Buffer.from(',');

/** Records in a page when the request does not say. */
const USUAL_LIMIT = 20;

/**
 * Answers a search. `limit` is capped in silence, 0 gives the total alone; `page`, `start`, `from`, `skip` and `size` are
 * ignored, as is everything that is not a parameter of the service.
 */
export function answerSearch(kind: Kind, { query }: RouteRequest, house: ServerState): RouteResponse {
  const { settings, searcher } = house;
  const offset = integerParameter(query, 'offset') ?? 0;
  const limit = Math.min(integerParameter(query, 'limit') ?? USUAL_LIMIT, settings.cap);
  if (offset + limit > settings.window) {
    throw routeError(400, `Result window is too large, offset + limit must not be above ${settings.window}`);
  }
  const showing = showingOf(kind, query, house);
  const selection = searcher.select(kind, query);
  house.searches++;
  const page = pageOf(
    selection,
    { offset, limit, sorted: query.has('sort'), number: house.searches },
    settings.quirks,
  );
  const { listKey, totalKey } = KIND_WORDS[kind];
  const facets = query.get('facetedResults') === 'true' ? [facetsCollection(kind, selection, house)] : [];
  const past = page.entries.length === 0 && limit > 0;
  const bare = limit === 0 || (past && (settings.quirks.endKey ?? 'absent') === 'absent');
  const total = `"${totalKey}":${past && bare ? 0 : page.total}`;
  const rest = [total, ...facets].join(',');
  if (bare) return jsonTextResponse(`{${rest}}`);
  const records = page.entries.flatMap((entry, index) => {
    const shown = renderRecord(entry, kind, showing);
    return index === 0 ? [shown] : [COMMA, shown];
  });
  return jsonTextResponse(
    Buffer.concat([Buffer.from(`{"${listKey}":[`), ...records, Buffer.from(`],${rest}}`)]),
  );
}

function showingOf(kind: Kind, query: URLSearchParams, { settings, store }: ServerState): Representation {
  const name = query.get('view');
  if (name === null) return { as: settings.stubs ? 'stub' : 'whole' };
  if (name === 'detail') return { as: 'whole' };
  const view = viewsOf(store.records[kind]).find(({ viewName }) => viewName === name);
  if (!view) throw routeError(400, `View : ${name} does not exist`);
  return { as: 'view', view };
}

function facetsCollection(kind: Kind, selection: Selection, { store }: ServerState): string {
  const facets = facetsOf(kind, store.records[kind]).map((facet) => countFacet(facet, recordsOf(selection)));
  return `"facetsCollection":${JSON.stringify({ facets, totalFacets: facets.length })}`;
}
