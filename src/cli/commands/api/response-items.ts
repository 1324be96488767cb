/** Reads the response to any path as items. The columns are those in the catalogue of endpoints, or the keys of the items. */
import type { FetchedResponse } from '../../../client/client.js';
import { readList } from '../../../client/paging/read-list.js';
import { keepBytes } from '../../../records/json/item-bytes.js';
import { type EndpointId, getEndpoint } from '../../../service/endpoints/catalogue.js';
import { isServiceItem } from '../../../service/endpoints/items.js';
import { isObject, type Json } from '../../../service/json.js';
import { KIND_KEYS, KINDS } from '../../../service/kinds.js';
import type { ItemSchema } from '../../description/item-schema.js';
import { createItemSchema } from '../../output/item-schemas.js';
import { createRecordSchema } from '../../output/record-schema.js';

/** Returns the items of a response. `endpointId` is undefined for a path that is not in the catalogue. */
export function readItems(
  { value, bytes }: FetchedResponse<object>,
  endpointId: EndpointId | undefined,
  offset = 0,
): { readonly items: readonly Json[]; readonly total: number | undefined; readonly isList: boolean } {
  keepBytes(value, bytes);
  const response = getResponse(endpointId);
  const keys = response?.shape === 'list' ? response : { key: '', total: '' };
  const list = readList(value, keys, offset);
  const isList = response ? response.shape === 'list' : Array.isArray(value) || list?.total !== undefined;
  return list && isList
    ? { items: list.records, total: list.total, isList }
    : { items: [isObject(value) ? value : String(value)], total: undefined, isList: false };
}

export function getItemSchema(endpointId: EndpointId | undefined): ItemSchema {
  const response = getResponse(endpointId);
  const item = response && 'item' in response ? response.item : '';
  const kind = KINDS.find((each) => KIND_KEYS[each].recordType === item);
  if (kind) return createRecordSchema(kind);
  return createItemSchema(isServiceItem(item) ? item : 'response');
}

function getResponse(endpointId: EndpointId | undefined) {
  return endpointId === undefined ? undefined : getEndpoint(endpointId).response;
}
