/** Compares the ids of the collected records with the ids that the service lists, and fetches missing records. */
import type { Client, RequestOptions } from '../../client/client.js';
import type { SeenIds } from '../../client/paging/seen-ids.js';
import type { PageRecord } from '../../records/json/page-records.js';
import type { EndpointId } from '../../service/endpoints/catalogue.js';
import type { ResultSearch, ResumePoint } from '../collect/source/record-source.js';
import type { SlicePlan } from '../collect/source/slices/slice-plan.js';
import { createPlanFor } from '../collect/source/slices/sliced-source.js';
import { findSortedQuery } from '../collect/source/sort-orders.js';
import { fetchRecords } from './fetch-records.js';
import { fetchListTotal, listIds } from './list-ids.js';

/** Maximum number of listings. If the records change during a listing, opac lists the ids again. */
const MAX_LISTINGS = 4;

export interface IdCheckInput extends Pick<ResumePoint, 'onPageRead'> {
  readonly search: ResultSearch;
  readonly plan?: SlicePlan | undefined;
  /** The ids of the collected records, in the order of the records; undefined for a record without an id. */
  readonly ids: () => Iterable<string> | AsyncIterable<string | undefined>;
  readonly append: (records: readonly PageRecord[]) => Promise<void> | void;
  readonly isWanted?: ((record: PageRecord) => boolean) | undefined;
  readonly seen: SeenIds;
  /** Whether the records are from an earlier run. Then a record that is absent from one listing counts as removed. */
  readonly isOfEarlierRun?: boolean;
  /** If more records than this are missing after a listing, opac fetches none of them and stops. */
  readonly maxAdded?: number;
  readonly signal: AbortSignal;
}

export interface IdCheck {
  /** Whether the export has exactly the ids that the service listed. */
  readonly isSettled: boolean;
  readonly listings: number;
  readonly requests: number;
  readonly added: number;
  /** Positions in `ids`, counted from 0, of the records that the service no longer lists. */
  readonly dropped: ReadonlySet<number>;
  /** Ids for which the service returned no record. */
  readonly missing: readonly string[];
  /** If the list may be incomplete: the number of collected records that it does not contain. Then `dropped` is empty. */
  readonly unlisted?: number | undefined;
}

export async function checkIds(collected: IdCheckInput): Promise<IdCheck> {
  const { signal, append, isWanted, seen, onPageRead, maxAdded = Number.POSITIVE_INFINITY } = collected;
  const { client } = collected.search;
  let requests = 0;
  const fetch = (endpointId: EndpointId, ask?: RequestOptions) => {
    requests++;
    return client.fetch(endpointId, ask);
  };
  const search = { ...collected.search, client: { ...client, fetch: fetch as Client['fetch'] } };
  const foundById = new Set<string>();
  let [listings, added, isSettled] = [0, 0, false];
  let missing: ReadonlySet<string> = new Set();
  let dropped: ReadonlySet<number> = new Set();
  let isDoubtful = false;
  while (!isSettled && listings < MAX_LISTINGS) {
    const listed = await listAgain({ ...collected, search }, ++listings);
    if (!listed) continue;
    const { size } = listed;
    const { gone, count } = await removeCollected(collected, listed);
    dropped = new Set(gone.values());
    // If most records are not listed, the service probably failed without an error, for example because it rebuilds its index.
    isDoubtful = gone.size > count / 2;
    if (isDoubtful) continue;
    const before = missing;
    const wanted = [...listed].filter((id) => !isWanted || before.has(id) || seen.add(id));
    if (wanted.length > maxAdded) break;
    const left = new Set(wanted);
    for await (const records of fetchRecords({ ...search, onPageRead }, wanted, signal)) {
      for (const { id } of records) left.delete(id ?? '');
      const own = isWanted ? records.filter(isWanted) : records;
      await append(own);
      added += own.length;
    }
    missing = left;
    const isComplete =
      (collected.isOfEarlierRun || (await findsNoneById([...gone.keys()]))) && missing.size === 0;
    isDoubtful = isComplete && gone.size > 0 && (await isTotalAbove(collected, size));
    isSettled = isComplete && !isDoubtful;
  }
  const result = { isSettled, listings, requests, added, missing: [...missing] };
  return isDoubtful ? { ...result, dropped: new Set(), unlisted: dropped.size } : { ...result, dropped };

  /** Returns false if a record still exists. Skips records that an earlier call found, because two lists do not contain them. */
  async function findsNoneById(ids: readonly string[]): Promise<boolean> {
    const known = foundById.size;
    const unsure = ids.filter((id) => !foundById.has(id));
    for await (const records of fetchRecords(search, unsure, signal))
      for (const { id } of records) foundById.add(id ?? '');
    return foundById.size === known;
  }
}

/** `listIds` uses the default view. Some services list fewer records there than in the view of the export. */
async function isTotalAbove({ search, plan, signal }: IdCheckInput, listed: number): Promise<boolean> {
  const { query, queries, limit, offset = 0 } = search;
  if (plan || queries || limit !== undefined || offset > 0) return false;
  return ((await fetchListTotal(search, query, signal)) ?? 0) > listed;
}

/** Later listings sort by a unique field if possible, because the first sort order may be unstable. */
async function listAgain(
  { search, plan, signal }: IdCheckInput,
  listings: number,
): Promise<Set<string> | undefined> {
  const { client, kind, query, limit, offset = 0, part } = search;
  if (listings === 1) return listIds(search, plan, signal);
  const isRange = limit !== undefined || offset > 0 || part !== undefined;
  const sorted = isRange ? undefined : await findSortedQuery(client, kind, query, signal);
  const again = { ...search, query: sorted ?? query };
  // Since the plan was made, a slice may have grown beyond the window (the records that the service returns for one search).
  const now =
    plan && !part ? await createPlanFor({ ...again, window: plan.window ?? undefined }, signal) : plan;
  return listIds(again, now, signal, listings === MAX_LISTINGS);
}

/** Removes the collected ids from `listed`. Returns the line numbers of ids that are not listed, and the number of lines. */
async function removeCollected(
  { ids }: IdCheckInput,
  listed: Set<string>,
): Promise<{ readonly gone: ReadonlyMap<string, number>; readonly count: number }> {
  const gone = new Map<string, number>();
  let line = 0;
  for await (const id of ids()) {
    if (id !== undefined && !listed.delete(id)) gone.set(id, line);
    line++;
  }
  return { gone, count: line };
}
