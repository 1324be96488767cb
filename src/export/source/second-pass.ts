/**
 * A second pass over a result whose order was not stable: results sorted by relevance may repeat and drop records between
 * pages. Under an explicit sort that the deployment accepts, it brings what the first pass missed, behind what that brought.
 */
import type { Client } from '../../client/client.js';
import { HttpError } from '../../client/errors/http-error.js';
import { KIND_WORDS, type Kind } from '../../service/kinds.js';
import type { QueryParameters } from '../../service/search/search.js';

/** Offsets of the second pass are kept apart from those of the first by this much. */
export const SECOND_PASS = 2 ** 40;

/** Fields to sort by: the unique ones first, for records that are alike in the field may change places again. */
const CANDIDATES = ['accession_no', 'name', 'title'];

/** The query with a sort that the deployment accepts; undefined when it accepts none. */
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
