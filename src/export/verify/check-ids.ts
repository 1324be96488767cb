/** Compares the ids of what was collected with those of the service, and makes up for the difference. */
import type { SeenIds } from '../../client/paging/seen-ids.js';
import type { PageRecord } from '../../records/json/page-records.js';
import type { ResultSearch } from '../collect/source/record-source.js';
import type { SlicePlan } from '../collect/source/slices/plan.js';
import { planOf } from '../collect/source/slices/sliced-source.js';
import { sortedQuery } from '../collect/source/sort-orders.js';
import { fetchRecords } from './fetch-records.js';
import { listIds, type RequestCount } from './list-ids.js';

/** Listings until the ids are those of the service: it may change while they are listed. */
const MAX_LISTINGS = 4;

export interface Collected {
  readonly search: ResultSearch;
  readonly plan: SlicePlan | undefined;
  /** The ids of the records in the order of their lines, undefined for a record without one. */
  readonly ids: () => AsyncIterable<string | undefined>;
  readonly append: (records: readonly PageRecord[]) => Promise<void>;
  /** Whether a record belongs to the export; absent where all of the search do. */
  readonly isWanted?: ((record: PageRecord) => boolean) | undefined;
  /** The ids that the run saw, also of records that it did not want. */
  readonly seen: SeenIds;
  readonly signal: AbortSignal;
}

export interface IdCheck {
  /** Whether the records are those that the service lists. */
  readonly isSettled: boolean;
  readonly listings: number;
  readonly requests: number;
  /** Records that were fetched by their ids. */
  readonly added: number;
  /** Lines of records that the service no longer lists, counted from 0. */
  readonly dropped: ReadonlySet<number>;
  /** Ids that the last listing had, and no request brought. */
  readonly missing: readonly string[];
}

/** Throws as a request does. */
export async function checkIds(collected: Collected): Promise<IdCheck> {
  const { search, signal, append, isWanted, seen } = collected;
  const count: RequestCount = { requests: 0 };
  const doubtful = new Set<string>();
  let added = 0;
  let missing: ReadonlySet<string> = new Set();
  let dropped: ReadonlySet<number> = new Set();
  for (let listings = 1; listings <= MAX_LISTINGS; listings++) {
    const listed = await listIn(collected, listings, count);
    if (!listed) continue;
    const gone = await goneFrom(collected, listed);
    dropped = new Set(gone.values());
    const before = missing;
    const isUnknown = (id: string) => !isWanted || before.has(id) || seen.add(id);
    const wanted = [...listed].filter(isUnknown);
    const left = new Set(wanted);
    for await (const records of fetchRecords(search, wanted, count, signal)) {
      for (const { id } of records) left.delete(id ?? '');
      const own = isWanted ? records.filter(isWanted) : records;
      await append(own);
      added += own.length;
    }
    missing = left;
    const isGone = await areGone([...gone.keys()], doubtful);
    if (missing.size === 0 && isGone)
      return { isSettled: true, listings, requests: count.requests, added, dropped, missing: [] };
  }
  return {
    isSettled: false,
    listings: MAX_LISTINGS,
    requests: count.requests,
    added,
    dropped,
    missing: [...missing],
  };

  /** A record that exists, but is not listed, may have been passed over: two listings decide. */
  async function areGone(ids: readonly string[], before: Set<string>): Promise<boolean> {
    const unsure = ids.filter((id) => !before.has(id));
    let areAll = true;
    for await (const records of fetchRecords(search, unsure, count, signal)) {
      for (const { id } of records) {
        before.add(id ?? '');
        areAll = false;
      }
    }
    return areAll;
  }
}

/** A result that does not settle in its own order may do so in that of its ids. */
async function listIn(
  { search, plan, signal }: Collected,
  listings: number,
  count: RequestCount,
): Promise<Set<string> | undefined> {
  const { client, kind, query, limit, offset = 0, part } = search;
  if (listings === 1) return listIds(search, plan, count, signal);
  const isRange = limit !== undefined || offset > 0 || part !== undefined;
  const sorted = isRange ? undefined : await sortedQuery(client, kind, query, signal);
  const again = { ...search, query: sorted ?? query };
  // The slices may have outgrown the window.
  const now = plan && !part ? await planOf({ ...again, window: plan.window ?? undefined }, signal) : plan;
  return listIds(again, now, count, signal, listings === MAX_LISTINGS);
}

/** The lines of ids that are not listed. Those that are collected are taken out of `listed`. */
async function goneFrom({ ids }: Collected, listed: Set<string>): Promise<ReadonlyMap<string, number>> {
  const gone = new Map<string, number>();
  let line = 0;
  for await (const id of ids()) {
    if (id !== undefined && !listed.delete(id)) gone.set(id, line);
    line++;
  }
  return gone;
}
