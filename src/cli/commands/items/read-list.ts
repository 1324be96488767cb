/** Reads the list or the item in a response of the service. */
import type { Client, RequestOptions } from '../../../client/client.js';
import { type ListKeys, type ListResponse, readList } from '../../../client/paging/read-list.js';
import { keepBytes } from '../../../records/json/item-bytes.js';
import { type EndpointId, getEndpoint, type ResponseOf } from '../../../service/endpoints/catalogue.js';
import { isServiceItem, SERVICE_ITEMS } from '../../../service/endpoints/items.js';
import { OpacError } from '../../../service/errors.js';
import { isObject, type JsonObject } from '../../../service/json.js';
import { KIND_KEYS, kindOfRecordType } from '../../../service/kinds.js';

/** Keeps the original JSON of the items, so that opac can print them unchanged. Throws the errors of `client.fetch`. */
export async function getAndKeepBytes<const Id extends EndpointId>(
  client: Client,
  endpointId: Id,
  options: RequestOptions,
): Promise<ResponseOf<Id>> {
  const { value, bytes } = await client.fetch(endpointId, options);
  keepBytes(value, bytes);
  return value;
}

/** Throws an OpacError of kind `deployment` if the response is not a list. */
export function readItemList(value: unknown, endpointId: EndpointId, offset = 0): ListResponse {
  const { response } = getEndpoint(endpointId);
  const list = readList(value, response as ListKeys, offset);
  if (list) return list;
  throw createUnexpectedResponseError(value, endpointId, 'a list');
}

/** Throws an OpacError of kind `deployment` if the item has none of the expected keys. */
export function readItem(value: unknown, endpointId: EndpointId): JsonObject {
  const { response } = getEndpoint(endpointId);
  const item = response.shape === 'one' ? response.item : 'record';
  if (isObject(value) && listExpectedKeys(item).some((key) => Object.hasOwn(value, key))) return value;
  throw createUnexpectedResponseError(value, endpointId, `of the type "${item}"`);
}

function listExpectedKeys(item: string): readonly string[] {
  if (isServiceItem(item)) return [...SERVICE_ITEMS[item].idKeys, ...SERVICE_ITEMS[item].defaultColumns];
  const { idKey, fieldSetsKey } = KIND_KEYS[kindOfRecordType(item) ?? 'records'];
  return [idKey, fieldSetsKey, 'id', 'recordType', 'slug'];
}

function createUnexpectedResponseError(value: unknown, endpointId: EndpointId, what: string): OpacError {
  const { method, path } = getEndpoint(endpointId);
  const keys = isObject(value) ? Object.keys(value).slice(0, 5) : [];
  const seen =
    keys.length > 0 ? `contains ${keys.map((key) => `"${key.slice(0, 40)}"`).join(', ')}` : 'has no keys';
  return new OpacError('deployment', `the response is not ${what}: it ${seen} (${method} ${path})`, {
    hint: 'check the base URL',
    code: 'unexpected-response',
  });
}
