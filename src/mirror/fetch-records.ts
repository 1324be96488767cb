/** Whole records by their ids: a batch per request, and those that it did not bring one by one. */

import { pagesOf } from '../client/paging/pages.js';
import { inOrder } from '../client/paging/prefetch.js';
import { compact } from '../records/json/compact-json.js';
import { type PageRecord, readPage } from '../records/json/page-records.js';
import { OpacError } from '../service/errors.js';
import { asObject } from '../service/json.js';
import { KIND_WORDS } from '../service/kinds.js';
import { recordId } from '../service/records/record.js';
import { idBatches } from '../service/search/id-batches.js';
import { searchParameters } from '../service/search/search.js';
import type { KindReading } from './mirror-search.js';

/** Adds the records that the deployment still has, each on one line, in the service's own bytes. */
export async function fetchRecords(
  ids: readonly string[],
  reading: KindReading,
  fetched: Map<string, Buffer>,
): Promise<void> {
  const { concurrency, signal } = reading;
  const waiting = idBatches({ externalIds: ids }).values();
  const next = (own: AbortSignal): Promise<Map<string, Buffer>> | undefined => {
    const { value: batch } = waiting.next();
    return batch && fetchBatch(batch, { ...reading, signal: own });
  };
  for await (const records of inOrder({ concurrency, signal, next }))
    for (const [id, bytes] of records) fetched.set(id, bytes);
}

async function fetchBatch(batch: readonly string[], reading: KindReading): Promise<Map<string, Buffer>> {
  const { client, kind, search, signal } = reading;
  const found = new Map<string, Buffer>();
  const view = search.query([]).find(([name]) => name === 'view')?.[1];
  const query = searchParameters({ terms: { externalIds: batch }, view });
  const pages = pagesOf<PageRecord>(
    client,
    `${kind}.search`,
    { query, signal },
    {
      pageSize: batch.length,
      limit: batch.length,
      read: ({ bytes }, offset) => readPage(bytes, kind, offset),
    },
  );
  for await (const { records } of pages)
    for (const record of records)
      if (record.id !== undefined && batch.includes(record.id))
        found.set(record.id, lineOf(record.bytes.subarray(record.start, record.end)));
  for (const id of batch) {
    const record = found.has(id) ? undefined : await fetchOne(id, reading);
    if (record) found.set(id, record);
  }
  return found;
}

async function fetchOne(id: string, { client, kind, signal }: KindReading): Promise<Buffer | undefined> {
  try {
    const path = { [KIND_WORDS[kind].idKey]: id };
    const { bytes, value } = await client.fetch(`${kind}.get`, { path, signal });
    if (recordId(asObject(value)) !== id) return undefined;
    return lineOf(bytes.subarray(bytes.indexOf('{'), bytes.lastIndexOf('}') + 1));
  } catch (error) {
    // It was removed since ids were listed.
    if (error instanceof OpacError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** A record as a line of NDJSON, in memory of its own. */
export function lineOf(bytes: Buffer): Buffer {
  return bytes.includes('\n') || bytes.includes('\r') ? compact(bytes) : Buffer.from(bytes);
}
