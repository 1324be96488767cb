/** Whether a result moved while its export was stopped: its last page is requested again. */

import { readPage } from '../../records/json/page-records.js';
import { pagingParameters } from '../../service/search/search.js';
import type { ResultSearch } from '../collect/source/record-source.js';
import { withoutView } from './list-ids.js';

/** The last page before a checkpoint, and the ids that it had. */
interface LastPage {
  readonly offset: number;
  readonly ids: readonly (string | undefined)[];
}

/** Costs one request. Throws as it does. */
export async function hasMoved(
  { client, kind, query }: ResultSearch,
  { offset, ids }: LastPage,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (ids.length === 0) return false;
  const paged = [...withoutView(query), ...pagingParameters(ids.length, offset)];
  const { bytes } = await client.fetch(`${kind}.search`, { query: paged, signal });
  const records = readPage(bytes, kind, offset)?.records ?? [];
  return records.length !== ids.length || records.some(({ id }, n) => id !== ids[n]);
}
