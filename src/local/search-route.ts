/** Responds to `GET /opacobjects` and the searches of other kinds with a page of records (FIELD-NOTES.md "Requests"). */
import { KIND_KEYS, type Kind } from '../service/kinds.js';
import { type Page, type RecordsState, type RouteRequest, readIntegerParameter } from './request.js';
import { jsonTextResponse, type RouteResponse, routeError } from './response.js';
import { findView, type RecordDetail, renderRecord } from './search/views.js';

const COMMA = Buffer.from(',');
const DEFAULT_LIMIT = 20;

/** Lowers `limit` to `cap`, the maximum page size. Ignores unknown parameters. */
export async function searchResponse(
  kind: Kind,
  { query, changePage = (page) => page }: RouteRequest,
  state: RecordsState,
): Promise<RouteResponse> {
  const { searcher, cap } = state;
  const limit = Math.min(readIntegerParameter(query, 'limit') ?? DEFAULT_LIMIT, cap);
  const offset = readIntegerParameter(query, 'offset') ?? 0;
  const detail = await findDetail(kind, query, state);
  const withFacets = query.get('facetedResults') === 'true';
  const { count, read, facets } = await searcher.select(kind, query, withFacets);
  const page = changePage({
    offset,
    limit,
    total: count,
    isSorted: query.has('sort'),
    at: (index) => index,
    showsEmptyList: false,
  });
  const indexes = limit === 0 ? [] : listIndexes(page);
  const isPastEnd = limit > 0 && indexes.length === 0 && !page.showsEmptyList;

  const { listKey, totalKey } = KIND_KEYS[kind];
  let rest = `"${totalKey}":${isPastEnd ? 0 : page.total}`;
  if (withFacets) rest += `,"facetsCollection":${JSON.stringify({ facets, totalFacets: facets.length })}`;
  if (limit === 0 || isPastEnd) return jsonTextResponse(`{${rest}}`);
  const records = (await read(indexes)).flatMap((record, index) => {
    const rendered = renderRecord(record, kind, detail);
    return index === 0 ? [rendered] : [COMMA, rendered];
  });
  return jsonTextResponse(
    Buffer.concat([Buffer.from(`{"${listKey}":[`), ...records, Buffer.from(`],${rest}}`)]),
  );
}

function listIndexes({ offset, limit, total, at }: Page): number[] {
  const length = Math.max(0, Math.min(total - offset, limit));
  return Array.from({ length }, (_, index) => at(offset + index));
}

async function findDetail(
  kind: Kind,
  query: URLSearchParams,
  { hasStubs, store }: RecordsState,
): Promise<RecordDetail> {
  const viewName = query.get('view');
  if (viewName === null) return hasStubs ? 'stub' : 'complete';
  if (viewName === 'detail') return 'complete';
  const view = findView(await store.records[kind].identifiers(), viewName);
  if (!view) throw routeError(400, `View : ${viewName} does not exist`);
  return view;
}
