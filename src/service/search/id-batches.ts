/** Any number of external ids, split over queries that fit into a URL. */
import { anyOf, buildQuery, type Search } from './query.js';

/** Bytes that a percent-encoded query may take: servers and proxies refuse request lines of more than about 8,000. */
const LONGEST_QUERY = 6000;

/** Ids in one query at most: as many as a page brings, so that one request answers for all of them. */
const MOST_IDS = 100;

/** The ids in runs, in their order, whose queries beside the rest of the search stay short enough to send. */
export function idBatches(ids: readonly string[], search: Search): string[][] {
  const room = LONGEST_QUERY - encodedLength(buildQuery({ ...search, externalIds: undefined }) ?? '');
  const batches: string[][] = [];
  let batch: string[] = [];
  let used = 0;
  for (const id of ids) {
    const length = encodedLength(anyOf('external_object_id', [id]));
    if (batch.length > 0 && (batch.length >= MOST_IDS || used + length > room)) {
      batches.push(batch);
      [batch, used] = [[], 0];
    }
    batch.push(id);
    used += length;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function encodedLength(query: string): number {
  return encodeURIComponent(query).length;
}
