/** A list that belongs to something named, which the service may not know. */
import type { Json } from '../../../service/json.js';
import type { ItemsResult } from '../../command/result.js';
import type { Context } from '../../context.js';
import { explained, type Named } from './known-names.js';
import { type ItemList, listItems } from './list-items.js';

/** The same as `listItems`, but a 404 says which names there are. */
export function listNamed(context: Context, list: ItemList, named: Named): ItemsResult {
  const items = listItems(context, list);
  async function* pages(): AsyncGenerator<readonly Json[]> {
    try {
      yield* items.pages;
    } catch (error) {
      throw await explained(error, list.endpointId, named);
    }
  }
  return { ...items, pages: pages() };
}
