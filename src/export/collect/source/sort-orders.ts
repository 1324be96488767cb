/** Orders that a deployment accepts: results sorted by relevance may repeat and drop records between pages. */
import type { Client } from '../../../client/client.js';
import { HttpError } from '../../../client/errors/http-error.js';
import { KIND_KEYS, type Kind } from '../../../service/kinds.js';
import type { QueryParameters } from '../../../service/search/record-search.js';

/** Unique fields first: records with equal values may change places. */
const CANDIDATES = ['accession_no', 'name', 'title'];

export function sortFields(kind: Kind): readonly string[] {
  return [KIND_KEYS[kind].idKey, ...CANDIDATES];
}

/** The query in the first order that the deployment accepts; undefined when it accepts none. */
export async function findSortedQuery(
  client: Client,
  kind: Kind,
  query: QueryParameters,
  signal: AbortSignal | undefined,
): Promise<QueryParameters | undefined> {
  const unsorted = query.filter(([name]) => name !== 'sort' && name !== 'direction');
  for (const field of sortFields(kind)) {
    const sorted = [...unsorted, ['sort', field], ['direction', 'asc']] as const;
    if (await acceptsSort(client, kind, sorted, signal)) return sorted;
  }
  return undefined;
}

/** Whether the deployment accepts the order of a query. Costs one request. */
export async function acceptsSort(
  client: Client,
  kind: Kind,
  sorted: QueryParameters,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await client.fetch(`${kind}.search`, { query: [...sorted, ['limit', '1']], signal });
    return true;
  } catch (error) {
    if (!(error instanceof HttpError) || error.kind === 'auth') throw error;
    return false;
  }
}
