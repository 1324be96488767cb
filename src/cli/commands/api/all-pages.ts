/** `opac api --all`: every item behind a path. */
import { DEFAULT_PAGE_SIZE } from '../../../client/defaults.js';
import { parseJson } from '../../../client/errors/parse-json.js';
import { type EndpointId, endpoint, type ListEndpointId } from '../../../service/endpoints/catalogue.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { pagingParameters } from '../../../service/search/search.js';
import type { ItemsResult } from '../../command/result.js';
import type { Context } from '../../context.js';
import { offsetPages } from '../items/offset-pages.js';
import { endpointPages } from '../search/pages.js';
import type { ApiRequest } from './api-request.js';
import { itemsOf } from './response-items.js';

/** The items from `offset` on, `limit` of them a page. Searches are paged as in the other commands. */
export async function allPages(
  context: Context,
  request: ApiRequest,
  endpointId: EndpointId | undefined,
): Promise<Pick<ItemsResult, 'pages' | 'total' | 'failure'>> {
  const offset = paging(request, 'offset') ?? 0;
  const pageSize = paging(request, 'limit');
  const query = request.query.filter(([name]) => name !== 'limit' && name !== 'offset');
  if (endpointId !== undefined && isSearch(endpointId)) {
    return endpointPages(context, endpointId, query, {
      limit: undefined,
      offset,
      pageSize: pageSize || DEFAULT_PAGE_SIZE,
    });
  }
  return { pages: unknownPages(context, { ...request, query }, endpointId, offset, pageSize) };
}

function paging({ query }: ApiRequest, name: string): number | undefined {
  const value = query.find(([each]) => each === name)?.[1];
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw new UsageError(`invalid value "${value}" for ${name}; must be an integer`);
  return Number(value);
}

/** Whether it is known to page by limit and offset (FIELD-NOTES.md "Requests"). */
function isSearch(endpointId: EndpointId): endpointId is ListEndpointId {
  return endpoint(endpointId).query.some(({ name, origin }) => name === 'limit' && origin === 'observed');
}

/** A list of which nothing is known: the first request is as it was written, the next ones have an offset. */
async function* unknownPages(
  context: Context,
  { path, query }: ApiRequest,
  endpointId: EndpointId | undefined,
  offset: number,
  pageSize: number | undefined,
): AsyncGenerator<readonly Json[]> {
  const client = await context.client();
  const fetchPage = async (at: number) => {
    const parameters = [...query, ...pagingParameters(pageSize, at || undefined)];
    const { bytes } = await client.getPath(path, { query: parameters, signal: context.signal });
    const { items, total, isList } = itemsOf(parseJson(bytes), endpointId, at);
    if (!isList)
      throw new OpacError('deployment', `the response to ${path} is not a list`, { hint: 'leave out --all' });
    return { records: items, total };
  };
  for await (const { records } of offsetPages({ fetchPage, offset })) yield records;
}
