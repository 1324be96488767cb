/** `opac api --all`: every item behind a path. */
import { DEFAULT_PAGE_SIZE } from '../../../client/defaults.js';
import { parseJson } from '../../../client/errors/parse-json.js';
import { endpoint } from '../../../service/catalogue.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import type { QueryParameters } from '../../../service/search/search.js';
import type { ItemsResult } from '../../command/result.js';
import type { Context } from '../../context.js';
import { endpointPages } from '../records/pages.js';
import { itemsOf } from './answer-items.js';
import type { Asked } from './asked.js';

/** The items from the offset on; `limit` is the size of a page. Searches are walked like those of the other commands. */
export async function allPages(
  context: Context,
  asked: Asked,
  endpointId: string | undefined,
): Promise<Pick<ItemsResult, 'pages' | 'total' | 'failure'>> {
  const offset = paging(asked.query, 'offset') ?? 0;
  const pageSize = paging(asked.query, 'limit');
  const query = asked.query.filter(([name]) => name !== 'limit' && name !== 'offset');
  if (endpointId !== undefined && isSearch(endpointId)) {
    const size = pageSize || DEFAULT_PAGE_SIZE;
    return endpointPages(context, endpointId, query, { limit: undefined, offset, pageSize: size });
  }
  return { pages: followed(context, { ...asked, query }, endpointId, { offset, pageSize }) };
}

function paging(query: QueryParameters, name: string): number | undefined {
  const value = query.find(([each]) => each === name)?.[1];
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw new UsageError(`${name} takes a whole number, not "${value}"`);
  return Number(value);
}

/** Whether it is known to page by limit and offset (FIELD-NOTES.md "Requests"). */
function isSearch(endpointId: string): boolean {
  return endpoint(endpointId).query.some(({ name, origin }) => name === 'limit' && origin === 'observed');
}

/**
 * A list of which nothing is known: the first request is as it was written, the next ones ask with an offset, until
 * nothing comes, the total is reached, or the same comes again because the endpoint does not page.
 */
async function* followed(
  context: Context,
  { path, query }: Asked,
  endpointId: string | undefined,
  { offset, pageSize }: { readonly offset: number; readonly pageSize: number | undefined },
): AsyncGenerator<readonly Json[]> {
  const client = await context.client();
  let at = offset;
  let before = '';
  while (true) {
    const limit = pageSize === undefined ? [] : [['limit', String(pageSize)] as const];
    const from = at === 0 ? [] : [['offset', String(at)] as const];
    const answer = await client.getPath(path, {
      query: [...query, ...limit, ...from],
      signal: context.signal,
    });
    const { items, total, isList } = itemsOf(parseJson(answer.bytes), endpointId, at);
    if (!isList)
      throw new OpacError('deployment', `the answer to ${path} is no list`, { hint: 'leave out --all' });
    const again = JSON.stringify(items);
    if (items.length === 0 || again === before) return;
    before = again;
    yield items;
    at += items.length;
    if (total !== undefined && at >= total) return;
  }
}
