/** The pages that a list would request, as far as they are known before the first response. */

import type { Client } from '../../client/client.js';
import type { EndpointId } from '../../service/endpoints/catalogue.js';
import { pagingParameters, type QueryParameters } from '../../service/search/search.js';
import type { DryRunLog } from '../context.js';
import type { PagingInput } from '../options/search.js';

/** Requests the pages up to a limit; without one the first alone, with a comment on those that follow. */
export async function askPlannedPages(
  client: Client,
  log: DryRunLog,
  endpointId: EndpointId,
  query: QueryParameters,
  { limit, offset, pageSize }: PagingInput,
): Promise<void> {
  const end = offset + (limit ?? pageSize);
  for (let at = offset; at < end; at += pageSize) {
    const paging = pagingParameters(Math.min(pageSize, end - at), at);
    await client.fetch(endpointId, { query: [...query, ...paging] });
  }
  if (limit === undefined) {
    log.push(`# then offset=${offset + pageSize}, ${offset + 2 * pageSize}, … until an empty page`);
  }
}
