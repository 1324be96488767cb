/** The lists of the service that are not searches: collections, highlights, comments, views and the like. */
import type { Json } from '../../../service/json.js';
import type { QueryParameters } from '../../../service/search/search.js';
import type { ItemsResult } from '../../command/result.js';
import type { Context } from '../../context.js';
import { type ItemName, itemSchema } from '../../output/item-schemas.js';
import { listOf } from './read-list.js';

export interface ItemList {
  /** Id of the catalogue row. */
  readonly endpointId: string;
  readonly item: ItemName;
  /** Values of the parameters in its path. */
  readonly path?: Readonly<Record<string, string>>;
  /** Items at most; undefined for all. */
  readonly limit?: number | undefined;
  readonly nothing: string;
}

/**
 * The items of a list endpoint, from the first to the last. The document states no paging for these: the first request
 * asks for everything, and only when the total says that there is more does the next one ask with an offset.
 */
export function listItems(
  context: Context,
  { endpointId, item, path, limit, nothing }: ItemList,
): ItemsResult {
  let total: number | undefined;
  async function* pages(): AsyncGenerator<readonly Json[]> {
    const client = await context.client();
    let got = 0;
    let before = '';
    while (limit === undefined || got < limit) {
      const query = pageParameters(got, limit);
      const list = listOf(
        await client.get(endpointId, { path, query, signal: context.signal }),
        endpointId,
        got,
      );
      // A list that does not page gives the same items again.
      const again = JSON.stringify(list.records[0]);
      if (list.records.length === 0 || (got > 0 && again === before)) return;
      before = again ?? '';
      total ??= list.total;
      yield limit === undefined ? list.records : list.records.slice(0, limit - got);
      got += list.records.length;
      if (total === undefined || got >= total) return;
    }
  }
  return {
    pages: pages(),
    schema: itemSchema(item),
    total: () => total,
    nothing,
    more: 'use --all',
  };
}

function pageParameters(offset: number, limit: number | undefined): QueryParameters {
  return [
    ...(limit === undefined ? [] : [['limit', String(limit - offset)] as const]),
    ...(offset === 0 ? [] : [['offset', String(offset)] as const]),
  ];
}
