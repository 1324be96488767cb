/** Fetches records by id: searches for a batch of ids, then requests each record that the search did not find. */
import { isUtf8 } from 'node:buffer';
import { runInOrder } from '../../client/paging/prefetch.js';
import { compactJson } from '../../records/json/compact-json.js';
import { createPageRecord, type PageRecord, readLines } from '../../records/json/page-records.js';
import { OpacError } from '../../service/errors.js';
import { asObject } from '../../service/json.js';
import { KIND_KEYS, kindOfRecordType } from '../../service/kinds.js';
import { readRecordKey } from '../../service/records/record-key.js';
import { splitIntoBatches } from '../../service/search/id-batches.js';
import { searchParameters } from '../../service/search/record-search.js';
import type { ResultSearch, ResumePoint } from '../collect/source/record-source.js';

type Fetching = ResultSearch & Pick<ResumePoint, 'onPageRead'>;

/**
 * Yields records in the order of the ids. Skips records that do not exist. Throws the errors of requests, except if the service
 * refuses the search for ids.
 */
export function fetchRecords(
  search: Fetching,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncIterable<readonly PageRecord[]> {
  const waiting = splitIntoBatches({ externalIds: ids }).values();
  const next = (stop: AbortSignal) => {
    const { value: batch } = waiting.next();
    return batch && fetchBatch(search, batch, stop);
  };
  return runInOrder({ concurrency: search.concurrency, signal, next });
}

async function fetchBatch(
  search: Fetching,
  batch: readonly string[],
  signal: AbortSignal,
): Promise<readonly PageRecord[]> {
  const found = search.kind === 'records' ? new Map() : await searchBatch(search, batch, signal);
  const records: PageRecord[] = [];
  for (const id of batch) {
    const record = found.get(id) ?? (await fetchOne(search, id, signal));
    if (record) records.push(record);
  }
  return records;
}

async function searchBatch(
  { client, kind, query, onPageRead }: Fetching,
  batch: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PageRecord>> {
  const view = query.find(([name]) => name === 'view')?.[1];
  const asked = searchParameters({ terms: { externalIds: batch }, view });
  try {
    const limited = [...asked, ['limit', String(batch.length)]] as const;
    const { bytes } = await client.fetch(`${kind}.search`, { query: limited, signal });
    const page = readLines(bytes, kind, 0);
    if (page) onPageRead?.(bytes, 0, page);
    return new Map(page?.records.flatMap((each) => (each.id === undefined ? [] : [[each.id, each]])));
  } catch (error) {
    // If the service refuses the search for external ids, opac requests each record separately.
    if (error instanceof OpacError && (error.kind === 'usage' || error.kind === 'not-found'))
      return new Map();
    throw error;
  }
}

/** Returns undefined if the record does not exist, or if the response contains another record. */
async function fetchOne(
  { client, kind: searched, query, onPageRead }: Fetching,
  identity: string,
  signal: AbortSignal,
): Promise<PageRecord | undefined> {
  const isAny = searched === 'records';
  const colon = identity.indexOf(':');
  const kind = isAny ? kindOfRecordType(identity.slice(0, colon)) : searched;
  if (!kind) return undefined;
  const path = { [KIND_KEYS[kind].idKey]: isAny ? identity.slice(colon + 1) : identity };
  const view = query.filter(([name]) => name === 'view');
  try {
    const { value, bytes } = await client.fetch(`${kind}.get`, { path, query: view, signal });
    if (readRecordKey(asObject(value), searched) !== identity) return undefined;
    const json = bytes.subarray(bytes.indexOf('{'), bytes.lastIndexOf('}') + 1);
    const line = isUtf8(json) ? compactJson(json) : Buffer.from(JSON.stringify(value));
    const list = Buffer.concat([Buffer.from('['), json, Buffer.from(']')]);
    onPageRead?.(list, 0, { records: [{ id: identity }], total: undefined });
    return createPageRecord(identity, line);
  } catch (error) {
    if (error instanceof OpacError && error.kind === 'not-found') return undefined;
    throw error;
  }
}
