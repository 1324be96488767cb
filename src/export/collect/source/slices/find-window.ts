/** Detects the window: how many records of a result the service returns. Search engines often stop after 10,000. */
import { HttpError } from '../../../../client/errors/http-error.js';
import { isDeepOffsetRefusal } from '../../../../client/paging/page-interpreter.js';
import { readPage } from '../../../../records/json/page-records.js';
import { pagingParameters } from '../../../../service/search/record-search.js';
import type { SearchTarget } from './search-requests.js';

/** The window of Elasticsearch and OpenSearch (`index.max_result_window`), tried first. */
const DEFAULT_RESULT_WINDOW = 10_000;

/** opac reads a result of this size or less without looking for a window first, because reading the result again is quick. */
export const MAX_UNPROBED_TOTAL = 1000;

/** Returns the maximum of offset + limit that the service accepts. Returns undefined if opac detects no such maximum. */
export async function findWindow(search: SearchTarget, total: number): Promise<number | undefined> {
  if (!(await isBeyondWindow(search, total))) return undefined;
  let inside = 1;
  let beyond = total;
  for (const usual of [DEFAULT_RESULT_WINDOW, DEFAULT_RESULT_WINDOW + 1]) {
    if (usual >= beyond) continue;
    if (await isBeyondWindow(search, usual)) beyond = usual;
    else inside = usual;
  }
  while (beyond - inside > 1) {
    const middle = Math.floor((inside + beyond) / 2);
    if (await isBeyondWindow(search, middle)) beyond = middle;
    else inside = middle;
  }
  // A service that ignores the offset, or that failed only for a moment, does not have a window.
  return inside > 1 && (await isBeyondWindow(search, beyond)) ? inside : undefined;
}

/** Returns true if the service refuses or omits record `number`, counted from 1, or returns the previous record instead. */
async function isBeyondWindow(search: SearchTarget, number: number): Promise<boolean> {
  const [record, before] = await Promise.all([
    fetchRecordIdAt(search, number - 1),
    fetchRecordIdAt(search, number - 2),
  ]);
  if (record === 'unknown') return false;
  return record === 'none' || record === before;
}

/**
 * Returns the id of the record, or the entire response if the record has no id. Returns `none` if the service refuses or omits
 * the record, and `unknown` if the request fails in another way.
 */
async function fetchRecordIdAt(
  { client, kind, query, signal }: SearchTarget,
  offset: number,
): Promise<string | 'none' | 'unknown'> {
  try {
    const { bytes } = await client.fetch(`${kind}.search`, {
      query: [...query, ...pagingParameters(1, offset)],
      signal,
    });
    const record = readPage(bytes, kind, offset)?.records[0];
    return record ? (record.id ?? bytes.toString()) : 'none';
  } catch (error) {
    if (isDeepOffsetRefusal(error)) return 'none';
    if (!(error instanceof HttpError) || error.kind === 'auth') throw error;
    // Some services respond with 500 to an offset that they refuse.
    return error.status === 500 ? 'none' : 'unknown';
  }
}
