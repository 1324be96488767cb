/**
 * What changed in a deployment, without reading all of it: its records by the newest first, until a whole page is known, and a walk
 * of bare ids, which shows what was added and removed.
 */
import type { Client } from '../client/client.js';
import { DEFAULT_PAGE_SIZE } from '../client/defaults.js';
import { parseJson } from '../client/errors/parse-json.js';
import { pagesOf } from '../client/paging/pages.js';
import { inOrder } from '../client/paging/prefetch.js';
import { changesBetween } from '../diff/changes.js';
import type { SnapshotIndex } from '../diff/snapshot-index.js';
import { jsonRecord, type SnapshotRecord } from '../diff/snapshot-record.js';
import { type PageRecord, parsedRecord, readPage } from '../export/json/page-records.js';
import { OpacError } from '../service/errors.js';
import { asObject, isObject } from '../service/json.js';
import { KIND_WORDS, type RecordKind } from '../service/kinds.js';
import { idBatches } from '../service/search/id-batches.js';
import { pagingParameters, type QueryParameters, searchParameters } from '../service/search/search.js';

export interface QuickWalk {
  /** Whole records that are new or changed, by their ids. */
  readonly fetched: ReadonlyMap<string, Buffer>;
  readonly removed: ReadonlySet<string>;
}

export interface QuickOptions {
  readonly client: Client;
  readonly kind: RecordKind;
  readonly query: QueryParameters;
  /** A field that every edit raises; undefined to look for added and removed records alone. */
  readonly newestFirst: string | undefined;
  readonly concurrency: number | undefined;
  readonly signal: AbortSignal;
}

/** With more than these, reading everything costs less. */
const MOST = 20_000;

/** Walks until one finds nothing new, for a deployment may change meanwhile. */
const MOST_WALKS = 4;

/** What differs from the snapshot; undefined when so much does that all is to be read. Throws an OpacError as paging does. */
export async function quickWalk(index: SnapshotIndex, options: QuickOptions): Promise<QuickWalk | undefined> {
  const { kind } = options;
  const fetched = new Map<string, Buffer>();
  let present: ReadonlySet<string> | undefined;
  for (let walks = 0; walks < MOST_WALKS; walks++) {
    const isNew = await addNewest(index, options, fetched);
    if (fetched.size > MOST) return undefined;
    if (present && !isNew) break;
    present = await presentIds(options);
    if (!present) return undefined;
    const added = [...present].filter((id) => index.find(kind, id) === undefined && !fetched.has(id));
    if (added.length > MOST) return undefined;
    for await (const records of inOrder({ ...options, next: batches(added, options) }))
      for (const [id, bytes] of records) fetched.set(id, bytes);
    if (options.newestFirst === undefined) break;
  }
  for (const id of fetched.keys()) if (!present?.has(id)) fetched.delete(id);
  const removed = new Set<string>();
  for (const id of index.ids(kind)) if (!present?.has(id)) removed.add(id);
  return { fetched, removed };
}

const NONE: ReadonlySet<never> = new Set();

/** Adds the records that are newer than those known; gives whether there were any. */
async function addNewest(
  index: SnapshotIndex,
  options: QuickOptions,
  fetched: Map<string, Buffer>,
): Promise<boolean> {
  const { client, kind, query, newestFirst, signal } = options;
  if (newestFirst === undefined) return false;
  const sorted: QueryParameters = [...query, ['sort', newestFirst], ['direction', 'desc']];
  const known = (id: string): SnapshotRecord | undefined => {
    const bytes = fetched.get(id);
    const place = index.find(kind, id);
    if (bytes) return jsonRecord(asObject(parseJson(bytes)), kind, bytes);
    return place === undefined ? undefined : index.read(place);
  };
  let isNew = false;
  // One page after the other and none ahead, as any may be the last that is needed.
  for (let offset = 0; ; ) {
    const query = [...sorted, ...pagingParameters(DEFAULT_PAGE_SIZE, offset)];
    const { bytes: page } = await client.fetch(`${kind}.search`, { query, signal });
    const { records = [] } = readPage(page, kind, offset) ?? {};
    offset += records.length;
    let isKnown = true;
    for (const record of records) {
      const bytes = record.bytes.subarray(record.start, record.end);
      const after = jsonRecord(asObject(parsedRecord(record)), kind, bytes);
      const before = known(after.id);
      if (before && changesBetween(before, after, [], { include: NONE, isCompared: () => true }).length === 0)
        continue;
      isKnown = false;
      fetched.set(after.id, Buffer.from(bytes));
    }
    if (isKnown || fetched.size > MOST) break;
    isNew = true;
  }
  return isNew;
}

/** Every id that the deployment has; undefined when that could not be established. */
async function presentIds({
  client,
  kind,
  query,
  concurrency,
  signal,
}: QuickOptions): Promise<Set<string> | undefined> {
  const bare = query.filter(([name]) => name !== 'view');
  const pages = pagesOf<PageRecord>(
    client,
    `${kind}.search`,
    { query: bare, signal },
    { concurrency, read: ({ bytes }, offset) => readPage(bytes, kind, offset) },
  );
  const ids = new Set<string>();
  for await (const { records } of pages) for (const { id } of records) if (id !== undefined) ids.add(id);
  const { stopReason, totals, duplicates, withoutId } = pages.report;
  const isWhole = stopReason === 'complete' && totals.length <= 1 && duplicates + withoutId === 0;
  return isWhole ? ids : undefined;
}

/** Whole records by their ids: a batch a request, and those that it did not bring one by one. */
function batches(ids: readonly string[], { client, kind, query }: QuickOptions) {
  const waiting = idBatches({ externalIds: ids }).values();
  const view = query.find(([name]) => name === 'view')?.[1];
  return (signal: AbortSignal): Promise<Map<string, Buffer>> | undefined => {
    const { value: batch } = waiting.next();
    return batch && fetchBatch(batch, signal);
  };

  async function fetchBatch(batch: readonly string[], signal: AbortSignal): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    const asked = searchParameters({ terms: { externalIds: batch }, view });
    const { bytes } = await client.fetch(`${kind}.search`, {
      query: [...asked, ['limit', String(batch.length)]],
      signal,
    });
    for (const { id, bytes: page, start, end } of readPage(bytes, kind, 0)?.records ?? [])
      if (id !== undefined && batch.includes(id)) found.set(id, Buffer.from(page.subarray(start, end)));
    for (const id of batch) {
      const record = found.has(id) ? undefined : await fetchOne(id, signal);
      if (record) found.set(id, record);
    }
    return found;
  }

  async function fetchOne(id: string, signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      const record = await client.get(`${kind}.get`, { path: { [KIND_WORDS[kind].idKey]: id }, signal });
      return isObject(record) ? Buffer.from(JSON.stringify(record)) : undefined;
    } catch (error) {
      // It was removed since the walk of ids.
      if (error instanceof OpacError && error.kind === 'not-found') return undefined;
      throw error;
    }
  }
}
