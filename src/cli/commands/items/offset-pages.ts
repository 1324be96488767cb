/** Pages of the lists for which the service promises no paging. */
import type { ListResponse } from '../../../client/paging/list.js';
import type { Json } from '../../../service/json.js';

export interface OffsetPages {
  readonly fetchPage: (offset: number) => Promise<ListResponse>;
  readonly offset?: number;
  readonly limit?: number | undefined;
  /** Whether one page is everything when the service gives no total. */
  readonly needsTotal?: boolean;
}

/** Pages until one is empty, the total is reached, or the same items are repeated because the service ignores the offset. */
export async function* offsetPages({
  fetchPage,
  offset = 0,
  limit = Number.POSITIVE_INFINITY,
  needsTotal = false,
}: OffsetPages): AsyncGenerator<ListResponse> {
  const end = offset + limit;
  let before: readonly Json[] = [];
  while (offset < end) {
    const { records, total } = await fetchPage(offset);
    if (records.length === 0 || repeats(records, before)) return;
    yield { records: records.slice(0, end - offset), total };
    before = records;
    offset += records.length;
    if (total === undefined ? needsTotal : offset >= total) return;
  }
}

/** The limit may have made the later page shorter. */
function repeats(records: readonly Json[], before: readonly Json[]): boolean {
  const length = Math.min(records.length, before.length);
  return length > 0 && JSON.stringify(records.slice(0, length)) === JSON.stringify(before.slice(0, length));
}
