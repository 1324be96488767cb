/** Whole records by their ids: batches by a search for external ids where that finds them, the others one by one. */
import { isUtf8 } from 'node:buffer';
import { inOrder } from '../../client/paging/prefetch.js';
import { compact } from '../../records/json/compact-json.js';
import { type PageRecord, readLines } from '../../records/json/page-records.js';
import { OpacError } from '../../service/errors.js';
import { asObject } from '../../service/json.js';
import { KIND_WORDS, kindOfRecordType } from '../../service/kinds.js';
import { identityOf } from '../../service/records/identity.js';
import { idBatches } from '../../service/search/id-batches.js';
import { searchParameters } from '../../service/search/search.js';
import type { ResultSearch } from '../collect/source/record-source.js';
import type { RequestCount } from './list-ids.js';

/** The records that exist, in batches in the order of the ids. Throws as a request does. */
export function fetchRecords(
  search: ResultSearch,
  ids: readonly string[],
  count: RequestCount,
  signal: AbortSignal,
): AsyncIterable<readonly PageRecord[]> {
  const waiting = idBatches({ externalIds: ids }).values();
  return inOrder({
    concurrency: search.concurrency,
    signal,
    next: (stop) => {
      const { value: batch } = waiting.next();
      return batch && fetchBatch(search, batch, count, stop);
    },
  });
}

async function fetchBatch(
  search: ResultSearch,
  batch: readonly string[],
  count: RequestCount,
  signal: AbortSignal,
): Promise<readonly PageRecord[]> {
  const found = search.kind === 'records' ? new Map() : await searchBatch(search, batch, count, signal);
  const records: PageRecord[] = [];
  for (const id of batch) {
    const record = found.get(id) ?? (await fetchOne(search, id, count, signal));
    if (record) records.push(record);
  }
  return records;
}

async function searchBatch(
  { client, kind, query }: ResultSearch,
  batch: readonly string[],
  count: RequestCount,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PageRecord>> {
  const view = query.find(([name]) => name === 'view')?.[1];
  const asked = searchParameters({ terms: { externalIds: batch }, view });
  count.requests++;
  try {
    const limited = [...asked, ['limit', String(batch.length)]] as const;
    const { bytes } = await client.fetch(`${kind}.search`, { query: limited, signal });
    const { records = [] } = readLines(bytes, kind, 0) ?? {};
    return new Map(records.flatMap((record) => (record.id === undefined ? [] : [[record.id, record]])));
  } catch (error) {
    // A service that does not know the field is asked for one record after the other.
    if (error instanceof OpacError && (error.kind === 'usage' || error.kind === 'not-found'))
      return new Map();
    throw error;
  }
}

/** Undefined for a record that does not exist. */
async function fetchOne(
  { client, kind: searched, query }: ResultSearch,
  identity: string,
  count: RequestCount,
  signal: AbortSignal,
): Promise<PageRecord | undefined> {
  const isAny = searched === 'records';
  const colon = identity.indexOf(':');
  const kind = isAny ? kindOfRecordType(identity.slice(0, colon)) : searched;
  if (!kind) return undefined;
  const id = isAny ? identity.slice(colon + 1) : identity;
  const view = query.filter(([name]) => name === 'view');
  count.requests++;
  try {
    const path = { [KIND_WORDS[kind].idKey]: id };
    const { value, bytes } = await client.fetch(`${kind}.get`, { path, query: view, signal });
    if (identityOf(asObject(value), searched) !== identity) return undefined;
    const line = isUtf8(bytes) ? compact(bytes) : Buffer.from(JSON.stringify(value));
    return { id: identity, bytes: line, start: 0, end: line.length };
  } catch (error) {
    if (error instanceof OpacError && error.kind === 'not-found') return undefined;
    throw error;
  }
}
