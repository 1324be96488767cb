/** What a snapshot lacks to be the state of its deployment: by a listing of ids, and by the records with the newest values. */
import { changesBetween } from '../diff/changes.js';
import type { SnapshotIndex } from '../diff/snapshot-index.js';
import { fetchRecords } from './fetch-records.js';
import type { KindReading } from './mirror-search.js';
import { MovedError, NewestPages } from './newest-pages.js';
import { presentIds } from './present-ids.js';

export interface Changes {
  /** Whole records that are new or changed, by their ids. */
  readonly fetched: ReadonlyMap<string, Buffer>;
  readonly removed: ReadonlySet<string>;
}

/** Records in memory. With more than these, reading everything costs less. */
const MAX_RECORDS = 20_000;

const MAX_TRIES = 4;

/**
 * What was added and removed since the snapshot; undefined when no listing agrees with what can be read, or too much
 * differs. Adds to `fetched`, which holds records that changed.
 */
export async function addedAndRemoved(
  index: SnapshotIndex,
  reading: KindReading,
  fetched = new Map<string, Buffer>(),
): Promise<Changes | undefined> {
  const { kind } = reading;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const present = await presentIds(reading);
    if (!present) return undefined;
    const added = [...present].filter((id) => index.find(kind, id) === undefined && !fetched.has(id));
    if (fetched.size + added.length > MAX_RECORDS) return undefined;
    await fetchRecords(added, reading, fetched);
    // What could not be fetched may have been removed since; then the next listing does not have it.
    if (!added.every((id) => fetched.has(id))) continue;
    for (const id of fetched.keys()) if (!present.has(id)) fetched.delete(id);
    const removed = new Set<string>();
    for (const id of index.ids(kind)) if (!present.has(id)) removed.add(id);
    return { fetched, removed };
  }
  return undefined;
}

const NONE: ReadonlySet<never> = new Set();

/**
 * The records that changed since the last run, by a field that every edit raises: reads until a page has only known records,
 * all older than `since`. Undefined when too much changed, or went on changing. Throws a NotSortedError.
 */
export async function changedSince(
  index: SnapshotIndex,
  reading: KindReading,
  { first, field, since }: { readonly first: NewestPages; readonly field: string; readonly since: string },
): Promise<Map<string, Buffer> | undefined> {
  const { kind } = reading;
  const changed = new Map<string, Buffer>();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      const pages = tries === 0 ? first : await NewestPages.open(reading, field, false);
      for await (const page of pages) {
        let isKnown = true;
        for (const { record, line } of page) {
          const place = index.find(kind, record.id);
          const before = place === undefined ? undefined : index.read(place);
          const changes =
            before && changesBetween(before, record, [], { include: NONE, isCompared: () => true });
          if (changes?.length === 0) continue;
          isKnown &&= changed.has(record.id);
          changed.set(record.id, line);
        }
        if (changed.size > MAX_RECORDS) return undefined;
        if (isKnown && page.every(({ value }) => pages.isOlder(value, since))) return changed;
      }
      return changed;
    } catch (error) {
      if (!(error instanceof MovedError)) throw error;
    }
  }
  return undefined;
}
