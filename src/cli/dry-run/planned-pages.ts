/** The pages of a list that a walk would ask for, as far as that can be known before the first answer. */
import type { Client } from '../../client/client.js';
import type { QueryParameters } from '../../service/search/search.js';
import type { DryRunLog } from '../context.js';
import type { PagingInput } from '../options/search.js';

/** Asks for the pages up to a limit; without one for the first alone, and says in the script how it goes on. */
export async function askPlannedPages(
  client: Client,
  script: DryRunLog,
  endpointId: string,
  query: QueryParameters,
  { limit, offset, pageSize }: PagingInput,
): Promise<void> {
  const end = offset + (limit ?? pageSize);
  for (let at = offset; at < end; at += pageSize) {
    const paging = [
      ['limit', String(Math.min(pageSize, end - at))],
      ['offset', String(at)],
    ] as const;
    await client.fetch(endpointId, { query: [...query, ...paging] });
  }
  if (limit === undefined) {
    script.push(`# then offset=${offset + pageSize}, ${offset + 2 * pageSize}, … until an empty page`);
  }
}
