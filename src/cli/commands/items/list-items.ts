/** The lists of the service that are not searches: collections, highlights, comments, views and the like. */
import type { ListEndpointId } from '../../../service/endpoints/catalogue.js';
import type { Json } from '../../../service/json.js';
import { pagingParameters } from '../../../service/search/search.js';
import { allOf, type ItemsResult } from '../../command/result.js';
import type { Context } from '../../context.js';
import { type ItemName, itemSchema } from '../../output/item-schemas.js';
import { offsetPages } from './offset-pages.js';
import { listOf } from './read-list.js';

export interface ItemList {
  readonly endpointId: ListEndpointId;
  readonly item: ItemName;
  readonly path?: Readonly<Record<string, string>>;
  readonly limit?: number | undefined;
  readonly emptyMessage?: string;
}

/**
 * The items of a list endpoint. INTERFACE.md states no paging for these: the first request has no offset, and another one
 * follows only when the total says that there is more.
 */
export function listItems(
  context: Context,
  { endpointId, item, path, limit, emptyMessage = '' }: ItemList,
): ItemsResult {
  let total: number | undefined;
  async function* pages(): AsyncGenerator<readonly Json[]> {
    const client = await context.client();
    const fetchPage = async (offset: number) => {
      const query = pagingParameters(limit === undefined ? undefined : limit - offset, offset || undefined);
      return listOf(
        await client.get(endpointId, { path, query, signal: context.signal }),
        endpointId,
        offset,
      );
    };
    for await (const page of offsetPages({ fetchPage, limit, needsTotal: true })) {
      total = page.total;
      yield page.records;
    }
  }
  return {
    kind: 'items',
    pages: pages(),
    schema: itemSchema(item),
    total: () => total,
    emptyMessage,
    moreHint: 'use --all',
  };
}

export function allItems(context: Context, list: ItemList): Promise<Json[]> {
  return allOf(listItems(context, list).pages);
}
