/**
 * A second pass over a result in unstable order: results sorted by relevance may repeat and drop records between pages. It
 * requests an explicit sort and appends what the first pass missed.
 */
import type { Client } from '../../../client/client.js';
import { HttpError } from '../../../client/errors/http-error.js';
import { KIND_WORDS, type Kind } from '../../../service/kinds.js';
import type { QueryParameters } from '../../../service/search/search.js';

/** Added to offsets of the second pass to tell them from those of the first. */
export const SECOND_PASS = 2 ** 40;

/** Unique fields first: records with equal values may change places again. */
const CANDIDATES = ['accession_no', 'name', 'title'];

/** Undefined when the deployment accepts no sort. */
export async function sortedQuery(
  client: Client,
  kind: Kind,
  query: QueryParameters,
  signal: AbortSignal | undefined,
): Promise<QueryParameters | undefined> {
  const unsorted = query.filter(([name]) => name !== 'sort' && name !== 'direction');
  for (const field of [KIND_WORDS[kind].idKey, ...CANDIDATES]) {
    const sorted = [...unsorted, ['sort', field], ['direction', 'asc']] as const;
    try {
      await client.fetch(`${kind}.search`, { query: [...sorted, ['limit', '1']], signal });
      return sorted;
    } catch (error) {
      if (!(error instanceof HttpError) || error.kind === 'auth') throw error;
    }
  }
  return undefined;
}
