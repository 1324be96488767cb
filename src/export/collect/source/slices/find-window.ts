/** How far into a result the service gives records: search engines behind it stop at 10,000, or where they were told to. */
import { HttpError } from '../../../../client/errors/http-error.js';
import { isDeepOffsetRefusal } from '../../../../client/paging/page-interpreter.js';
import { readPage } from '../../../../records/json/page-records.js';
import { pagingParameters } from '../../../../service/search/record-search.js';
import type { SearchTarget } from './search-requests.js';

/** The window of Elasticsearch and OpenSearch (`index.max_result_window`), tried first. */
const DEFAULT_RESULT_WINDOW = 10_000;

/** Longer results are asked for their last record at once: of shorter ones little has to be read again. */
export const MAX_UNPROBED_TOTAL = 1000;

/**
 * The most that offset + limit may be, undefined where the last record of `total` (two or more) can be had. Costs two
 * requests of one record, and some thirty where there is a window: it may refuse, be silent, or give its last page again.
 */
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
  // A service that ignores the offset has no window, and one that only failed has none either.
  return inside > 1 && (await isBeyondWindow(search, beyond)) ? inside : undefined;
}

/** Whether the record of that number, counted from 1, cannot be had: it is refused, missing, or the same as the one before. */
async function isBeyondWindow(search: SearchTarget, number: number): Promise<boolean> {
  const [record, before] = await Promise.all([
    fetchRecordIdAt(search, number - 1),
    fetchRecordIdAt(search, number - 2),
  ]);
  if (record === 'unknown') return false;
  return record === 'none' || record === before;
}

/** What tells a record from others. */
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
    // Asked again and again, and it failed each time.
    return error.status === 500 ? 'none' : 'unknown';
  }
}
