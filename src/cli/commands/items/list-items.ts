/** Reads the lists of the service that are not searches, such as collections. */
import { type EndpointId, getEndpoint, type ListEndpointId } from '../../../service/endpoints/catalogue.js';
import { isServiceItem, SERVICE_ITEMS } from '../../../service/endpoints/items.js';
import type { Json } from '../../../service/json.js';
import { KIND_KEYS, KINDS } from '../../../service/kinds.js';
import { pagingParameters } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import type { ItemSchema } from '../../description/item-schema.js';
import { collectItems, type ItemsResult } from '../../description/result.js';
import { createItemSchema } from '../../output/item-schemas.js';
import { createRecordSchema } from '../../output/record-schema.js';
import { OffsetPager } from './offset-pager.js';
import { getAndKeepBytes, readItemList } from './read-list.js';

export interface ItemList {
  readonly endpointId: ListEndpointId;
  readonly path?: Readonly<Record<string, string>>;
  readonly limit?: number | undefined;
  /** How to get the items after the limit. Default: `use --all`. */
  readonly moreHint?: string;
  readonly emptyMessage?: string;
}

/** The first request has no offset, because INTERFACE.md does not mention paging for these lists. */
export function listItems(
  context: Context,
  { endpointId, path, limit, moreHint = 'use --all', emptyMessage = '' }: ItemList,
): ItemsResult & Required<Pick<ItemsResult, 'failure'>> {
  const fetchPage = async (offset: number, wanted: number | undefined) => {
    const client = await context.client();
    const query = pagingParameters(wanted, offset || undefined);
    return readItemList(
      await getAndKeepBytes(client, endpointId, { path, query, signal: context.signal }),
      endpointId,
      offset,
    );
  };
  const pager = new OffsetPager({ fetchPage, limit, uniqueKey: getUniqueKey(endpointId) });
  return {
    kind: 'items',
    pages: pager.pages(),
    schema: getItemSchema(endpointId),
    total: () => (pager.failure ? undefined : pager.total),
    failure: () => pager.failure,
    emptyMessage,
    moreHint,
  };
}

/** Returns the key whose value identifies an item; undefined if no key does. */
export function getUniqueKey(endpointId: EndpointId | undefined): string | undefined {
  const item = getItemType(endpointId);
  return isServiceItem(item) ? SERVICE_ITEMS[item].uniqueKey : undefined;
}

/** `endpointId` is undefined for a path that is not in catalogue.ts. */
export function getItemSchema(endpointId: EndpointId | undefined): ItemSchema {
  const item = getItemType(endpointId);
  const kind = KINDS.find((each) => KIND_KEYS[each].recordType === item);
  if (kind) return createRecordSchema(kind);
  return createItemSchema(isServiceItem(item) ? item : 'response');
}

function getItemType(endpointId: EndpointId | undefined): string {
  const response = endpointId && getEndpoint(endpointId).response;
  return response && 'item' in response ? response.item : '';
}

/** Throws an OpacError of kind `incomplete` if items are missing. */
export async function fetchAllItems(context: Context, list: ItemList): Promise<Json[]> {
  const { pages, failure } = listItems(context, list);
  const items = await collectItems(pages);
  const error = failure();
  if (error) throw error;
  return items;
}

/** Throws the errors of `fetchAllItems`. */
export async function fetchItemIds(context: Context, list: ItemList): Promise<string[]> {
  return (await fetchAllItems(context, list)).map(getItemSchema(list.endpointId).id);
}
