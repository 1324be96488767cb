/** Splits any number of external ids over queries that fit into a URL. */
import { anyOf, buildQuery, type Search } from './query.js';
import type { RecordSearch } from './search.js';

/** In bytes, percent-encoded: servers and proxies refuse request lines over about 8,000. */
const LONGEST_QUERY = 6000;

/** As many as a page holds, so that one request serves a batch. */
export const MOST_IDS = 100;

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

export function withIds(search: RecordSearch, externalIds: readonly string[]): RecordSearch {
  return { ...search, terms: { ...search.terms, externalIds } };
}

/** Searches that can each be sent, in the order of the ids; a search without ids stays as it is. */
export function splitByIds(search: RecordSearch): readonly RecordSearch[] {
  if (search.terms.externalIds === undefined) return [search];
  return idBatches(search.terms).map((ids) => withIds(search, ids));
}

function encodedLength(query: string): number {
  return encodeURIComponent(query).length;
}
