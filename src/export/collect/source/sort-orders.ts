/** Finds sort orders that a deployment accepts. In results sorted by relevance, pages may repeat and miss records. */
import type { Client } from '../../../client/client.js';
import { HttpError } from '../../../client/errors/http-error.js';
import { KIND_KEYS, type Kind } from '../../../service/kinds.js';
import type { QueryParameters } from '../../../service/search/record-search.js';

/** Fields with mostly unique values come first, because records with equal values may change places. */
const CANDIDATES = ['accession_no', 'name', 'title'];

export function getSortFields(kind: Kind): readonly string[] {
  return [KIND_KEYS[kind].idKey, ...CANDIDATES];
}

export async function findSortedQuery(
  client: Client,
  kind: Kind,
  query: QueryParameters,
  signal: AbortSignal | undefined,
): Promise<QueryParameters | undefined> {
  const unsorted = query.filter(([name]) => name !== 'sort' && name !== 'direction');
  for (const field of getSortFields(kind)) {
    const sorted = [...unsorted, ['sort', field], ['direction', 'asc']] as const;
    if (await acceptsSort(client, kind, sorted, signal)) return sorted;
  }
  return undefined;
}

/** Requests one record. Throws an HttpError of kind `auth`, and returns false for other HTTP errors. */
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
