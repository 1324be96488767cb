/** What a snapshot lacks to be the state of its deployment: by the records with the newest values, and by a listing of ids. */
import { createSeenIds } from '../client/paging/seen-ids.js';
import { changesBetween } from '../diff/changes.js';
import type { SnapshotIndex } from '../diff/snapshot-index.js';
import { checkIds } from '../export/verify/check-ids.js';
import type { PageRecord } from '../records/json/page-records.js';
import { createResultSearch, type KindReading } from './mirror-search.js';
import { MovedError, NewestPages } from './newest-pages.js';
import type { KindState } from './state.js';

export interface Changes {
  /** Whole records that are new or changed, by their ids, each on one line. */
  readonly fetched: ReadonlyMap<string, Buffer>;
  readonly removed: ReadonlySet<string>;
}

/** Records in memory. With more than these, reading everything costs less. */
const MAX_CHANGES = 20_000;

const MAX_PASSES = 4;

const EVERYTHING = { include: new Set<never>(), isCompared: () => true };

type Newest = NonNullable<KindState['newest']>;

/**
 * `since`: each edit since the last run has this value or one above. Undefined when too much changed, or the deployment went on
 * changing. Throws a NotSortedError.
 */
export async function findIncrementalChanges(
  index: SnapshotIndex,
  reading: KindReading,
  first: NewestPages,
  since: Newest,
): Promise<Changes | undefined> {
  const fetched = await fetchNewest(index, reading, first, since);
  const removed = fetched && (await addListed(index, reading, fetched));
  return removed && { fetched, removed };
}

/** Reads until a page has only known records, all older than the last run. */
async function fetchNewest(
  index: SnapshotIndex,
  reading: KindReading,
  first: NewestPages,
  { field, value: since }: Newest,
): Promise<Map<string, Buffer> | undefined> {
  const changed = new Map<string, Buffer>();
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    try {
      const pages = passes === 0 ? first : await NewestPages.open(reading, field, false);
      for await (const page of pages) {
        let isKnown = true;
        for (const { record, line } of page) {
          const place = index.find(reading.kind, record.id);
          const before = place === undefined ? undefined : index.read(place);
          if (before && changesBetween(before, record, [], EVERYTHING).length === 0) continue;
          isKnown &&= changed.has(record.id);
          changed.set(record.id, line);
        }
        if (changed.size > MAX_CHANGES) return undefined;
        if (isKnown && page.every(({ value }) => pages.isOlder(value, since))) return changed;
      }
      return changed;
    } catch (error) {
      if (!(error instanceof MovedError)) throw error;
    }
  }
  return undefined;
}

/** Fetches the records that the deployment lists and the snapshot lacks. Returns the ids that it no longer lists. */
async function addListed(
  index: SnapshotIndex,
  reading: KindReading,
  fetched: Map<string, Buffer>,
): Promise<ReadonlySet<string> | undefined> {
  const { kind, notUtf8, signal } = reading;
  function* ids(): Generator<string> {
    yield* index.ids(kind);
    for (const id of fetched.keys()) if (index.find(kind, id) === undefined) yield id;
  }
  const append = (records: readonly PageRecord[]) => {
    for (const { id, bytes, start, end } of records)
      if (id !== undefined) fetched.set(id, bytes.subarray(start, end));
  };
  const { isSettled, dropped } = await checkIds({
    search: createResultSearch(reading),
    ids,
    append,
    watch: (bytes, offset, list) => notUtf8.see(bytes, offset, list),
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
