/** Any number of external ids, split over queries that fit into a URL. */
import { anyOf, buildQuery, type Search } from './query.js';
import type { RecordSearch } from './search.js';

/** Bytes that a percent-encoded query may take: servers and proxies refuse request lines of more than about 8,000. */
const LONGEST_QUERY = 6000;

/** Ids in one query at most: as many as a page brings, so that one request answers for all of them. */
const MOST_IDS = 100;

/** The ids of a search in runs, in their order, whose queries beside its other terms stay short enough to send. */
export function idBatches({ externalIds = [], ...others }: Search): string[][] {
  const room = LONGEST_QUERY - encodedLength(buildQuery(others) ?? '');
  const batches: string[][] = [];
  let batch: string[] = [];
  let used = 0;
  for (const id of externalIds) {
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

/** The same search for these ids in place of its own. */
export function withIds(search: RecordSearch, externalIds: readonly string[]): RecordSearch {
  return { ...search, terms: { ...search.terms, externalIds } };
}

/** A search by ids as searches that can each be sent, in the order of the ids; any other search as it is. */
export function splitByIds(search: RecordSearch): readonly RecordSearch[] {
  if (search.terms.externalIds === undefined) return [search];
  return idBatches(search.terms).map((ids) => withIds(search, ids));
}

function encodedLength(query: string): number {
  return encodeURIComponent(query).length;
}
