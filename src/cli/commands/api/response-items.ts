/** Reads the response of any endpoint as a list of items. */
import type { FetchedResponse } from '../../../client/client.js';
import { readList } from '../../../client/paging/read-list.js';
import { keepBytes } from '../../../records/json/item-bytes.js';
import { type EndpointId, getEndpoint } from '../../../service/endpoints/catalogue.js';
import { isObject, type Json } from '../../../service/json.js';

/** A response that is not a list becomes one item. `endpointId` is undefined for a path that is not in catalogue.ts. */
export function readItems(
  { value, bytes }: FetchedResponse<object>,
  endpointId: EndpointId | undefined,
  offset = 0,
): { readonly items: readonly Json[]; readonly total: number | undefined; readonly isList: boolean } {
  keepBytes(value, bytes);
  const response = endpointId && getEndpoint(endpointId).response;
  const keys = response?.shape === 'list' ? response : { key: '', total: '' };
  const list = readList(value, keys, offset);
  const isList = response ? response.shape === 'list' : Array.isArray(value) || list?.total !== undefined;
  return list && isList
    ? { items: list.records, total: list.total, isList }
    : { items: [isObject(value) ? value : String(value)], total: undefined, isList: false };
}
