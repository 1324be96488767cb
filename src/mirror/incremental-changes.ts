/** Finds the changes since the last snapshot: reads the newest records, and requests all ids. */
import { ReportWriter } from '../client/paging/paging-report.js';
import { createSeenIds } from '../client/paging/seen-ids.js';
import { findChanges } from '../diff/changes.js';
import type { SnapshotIndex } from '../diff/snapshot-index.js';
import type { RecordSource, SourcePage } from '../export/collect/source/record-source.js';
import { checkIds } from '../export/verify/check-ids.js';
import { createPageRecord, type PageRecord } from '../records/json/page-records.js';
import type { RecordKind } from '../service/kinds.js';
import { isBelow, MovedError, type NewestPages } from './newest-pages.js';
import type { KindReading } from './sync-options.js';

export interface Changes {
  /** The added and changed records by id. Each value is the complete JSON of a record, on one line. */
  readonly fetched: ReadonlyMap<string, Buffer>;
  readonly removed: ReadonlySet<string>;
}

/** Maximum number of changed records in memory. If more records changed, it is faster to read all records. */
const MAX_CHANGES = 20_000;

/**
 * `since`: a value of the sort field. Records that were edited after the start of the last run have this value or a higher
 * value. Returns undefined if opac has to read all records.
 */
export async function findIncrementalChanges(
  index: SnapshotIndex,
  reading: KindReading,
  pages: NewestPages,
  since: string,
): Promise<Changes | undefined> {
  const fetched = await fetchNewest(index, reading, pages, since);
  const removed = fetched && (await addListed(index, reading, fetched));
  return removed && { fetched, removed };
}

/**
 * Reads pages until all records of a page are unchanged and have values of the sort field below `since`. Returns undefined if
 * opac has to read all records.
 */
async function fetchNewest(
  index: SnapshotIndex,
  { kind }: KindReading,
  pages: NewestPages,
  since: string,
): Promise<Map<string, Buffer> | undefined> {
  const changed = new Map<string, Buffer>();
  try {
    for await (const page of pages) {
      const before = changed.size;
      for (const { record, line } of page) {
        const known = index.find({ kind, id: record.id });
        if (!known || findChanges(index.read(known), record).length > 0) changed.set(record.id, line);
      }
      if (changed.size > MAX_CHANGES) return undefined;
      if (changed.size === before && page.every(({ value }) => isBelow(value, since))) break;
    }
    return changed;
  } catch (error) {
    if (error instanceof MovedError) return undefined;
    throw error;
  }
}

/** Requests all ids. Adds new records to `fetched`. Returns the removed ids; undefined if opac has to read all records. */
async function addListed(
  index: SnapshotIndex,
  reading: KindReading,
  fetched: Map<string, Buffer>,
): Promise<ReadonlySet<string> | undefined> {
  const { source, notUtf8, signal } = reading;
  const ids = () => listIds(index, fetched);
  const append = (records: readonly PageRecord[]) => {
    for (const { id, bytes, start, end } of records)
      if (id !== undefined) fetched.set(id, bytes.subarray(start, end));
  };
  const { isSettled, dropped } = await checkIds({
    search: source.search,
    ids,
    append,
    onPageRead: (bytes, offset, list) => notUtf8.addPage(bytes, offset, list),
    seen: createSeenIds(),
    isOfEarlierRun: true,
    maxAdded: MAX_CHANGES - fetched.size,
    signal,
  });
  if (!isSettled) return undefined;
  const removed = new Set([...ids()].filter((_, line) => dropped.has(line)));
  for (const id of removed) fetched.delete(id);
  return removed;
}

function listIds(index: SnapshotIndex, fetched: ReadonlyMap<string, Buffer>): Set<string> {
  return new Set([...Array.from(index.entries, ({ id }) => id), ...fetched.keys()]);
}

const PAGE_SIZE = 1000;

/** The source returns the records in the order of the old snapshot, and then the added records. */
export function createSnapshotSource(
  index: SnapshotIndex,
  kind: RecordKind,
  { fetched, removed }: Changes,
): RecordSource {
  const ids = [...listIds(index, fetched)].filter((id) => !removed.has(id));
  const total = ids.length;
  const createRecord = (id: string) => {
    const entry = index.find({ kind, id });
    const bytes = fetched.get(id) ?? (entry ? index.bytes(entry) : Buffer.of());
    return createPageRecord(id, bytes);
  };
  return {
    pages({ signal }) {
      const report = new ReportWriter(PAGE_SIZE);
      report.addTotal(0, total);
      async function* read(): AsyncGenerator<SourcePage> {
        for (let offset = 0; offset < total; offset += PAGE_SIZE) {
          signal?.throwIfAborted();
          const records = ids.slice(offset, offset + PAGE_SIZE).map(createRecord);
          const received = records.length;
          report.received += received;
          report.distinct += received;
          report.pages.push({ offset, received });
          const next = offset + received;
          yield { offset, records, received, total, retries: 0, elapsed: 0, next };
        }
        report.finish('complete', 0);
      }
      return { report, [Symbol.asyncIterator]: read };
    },
  };
}
