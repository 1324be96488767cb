/** Fetches one page of a list. Sends further requests if the page is unexpectedly empty or short. */
import type { FetchedResponse } from '../client.js';

export interface HasId {
  readonly id: string | undefined;
}

export interface ListResult<R> {
  readonly records: readonly R[];
  readonly total: number | undefined;
}

/** Requests a page. With a `limit` of 0, requests only the total. Throws an HttpError if the response is not a list. */
export type FetchPage<R> = (
  offset: number,
  limit: number,
  signal: AbortSignal,
) => Promise<FetchedResponse<ListResult<R>>>;

export interface PagePlan {
  readonly offset: number;
  readonly limit: number;
  /** Whether to request the missing records if the page is shorter than `limit`. */
  readonly shouldFill: boolean;
  /** Whether the page is beyond the total. */
  readonly isProbe: boolean;
}

export interface FetchedPage<R> extends ListResult<R>, PagePlan {
  readonly retries: number;
  readonly elapsed: number;
  readonly bytes: Buffer;
  /** Whether the service repeated records of the page instead of returning the missing records. */
  readonly isUnderfilled: boolean;
}

/** `getEndOffset` returns the offset after the last record of the list. Without a `total`, it uses the last known total. */
export async function fetchCompletePage<R extends HasId>(
  plan: PagePlan,
  getEndOffset: (total: number | undefined) => number,
  fetch: (offset: number, limit: number) => Promise<FetchedResponse<ListResult<R>>>,
): Promise<FetchedPage<R>> {
  let retries = 0;
  let elapsed = 0;
  const fetchPart = async (offset: number, limit: number) => {
    const response = await fetch(offset, limit);
    retries += response.retries ?? 0;
    elapsed += response.elapsed;
    return { ...response.value, bytes: response.bytes };
  };

  let first = await fetchPart(plan.offset, plan.limit);
  const expected = getEndOffset(undefined);
  if (first.records.length === 0 && plan.offset < expected && expected !== Number.POSITIVE_INFINITY) {
    retries++;
    first = await fetchPart(plan.offset, plan.limit);
  }
  const records = [...first.records];
  let { total } = first;
  let isUnderfilled = false;
  while (plan.shouldFill && records.length > 0 && records.length < plan.limit) {
    const offset = plan.offset + records.length;
    if (offset >= getEndOffset(total)) break;
    const rest = await fetchPart(offset, plan.limit - records.length);
    if (rest.records.length === 0) break;
    isUnderfilled = isRepeat(rest.records, records);
    if (isUnderfilled) break;
    for (const record of rest.records) records.push(record);
    total = rest.total ?? total;
  }
  return { ...plan, records, total, retries, elapsed, bytes: first.bytes, isUnderfilled };
}

function isRepeat(records: readonly HasId[], earlier: readonly HasId[]): boolean {
  const ids = new Set(earlier.map(({ id }) => id));
  return records.every(({ id }) => id !== undefined && ids.has(id));
}
