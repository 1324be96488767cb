/** Reads all pages of a list for `opac api --all`. */
import { DEFAULT_PAGE_SIZE } from '../../../client/defaults.js';
import { type EndpointId, getEndpoint, type ListEndpointId } from '../../../service/endpoints/catalogue.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { pagingParameters } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import type { ItemsResult } from '../../description/result.js';
import { getUniqueKey } from '../items/list-items.js';
import { OffsetPager } from '../items/offset-pager.js';
import { fetchEndpointPages } from '../search/endpoint-pages.js';
import type { ApiRequest } from './api-request.js';
import { readItems } from './response-items.js';

/**
 * The query parameter `limit` sets the page size. Throws a UsageError if `limit` or `offset` is not an integer, and for `offset`
 * with a list that is not a search.
 */
export async function fetchAllPages(
  context: Context,
  request: ApiRequest,
  endpointId: EndpointId | undefined,
): Promise<Pick<ItemsResult, 'pages' | 'total' | 'failure'>> {
  const offset = readPagingParameter(request, 'offset') ?? 0;
  const pageSize = readPagingParameter(request, 'limit');
  const query = request.query.filter(([name]) => name !== 'limit' && name !== 'offset');
  if (endpointId !== undefined && isSearch(endpointId)) {
    return fetchEndpointPages(context, endpointId, query, {
      limit: undefined,
      offset,
      pageSize: pageSize || DEFAULT_PAGE_SIZE,
    });
  }
  if (offset > 0)
    throw new UsageError('--all cannot be used with offset for this list', 'remove --param offset');
  const pager = paginateUnknownList(context, { ...request, query }, endpointId, pageSize);
  return { pages: pager.pages(), failure: () => pager.failure };
}

function readPagingParameter({ query }: ApiRequest, name: string): number | undefined {
  const value = query.find(([each]) => each === name)?.[1];
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw new UsageError(`invalid value "${value}" for ${name}; must be an integer`);
  return Number(value);
}

/** Returns true for a search. Only searches are known to support `limit` and `offset` (FIELD-NOTES.md "Requests"). */
function isSearch(endpointId: EndpointId): endpointId is ListEndpointId {
  return getEndpoint(endpointId).query.some(({ name, origin }) => name === 'limit' && origin === 'observed');
}

/** The first request has no offset, because the list possibly does not support offsets. */
function paginateUnknownList(
  context: Context,
  { path, query }: ApiRequest,
  endpointId: EndpointId | undefined,
  pageSize: number | undefined,
): OffsetPager {
  const fetchPage = async (at: number, limit = pageSize) => {
    const client = await context.client();
    const parameters = [...query, ...pagingParameters(limit, at || undefined)];
    const response = await client.getPath(path, { query: parameters, signal: context.signal });
    const { items, total, isList } = readItems(response, endpointId, at);
    if (!isList)
      throw new OpacError('deployment', `the response to ${path} is not a list`, { hint: 'remove --all' });
    return { records: items, total };
  };
  return new OffsetPager({ fetchPage, uniqueKey: getUniqueKey(endpointId) });
}
