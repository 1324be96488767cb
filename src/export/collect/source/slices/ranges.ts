/** Splits a search into ranges of a field that all records have, for services that support Lucene ranges. */
import { asText } from '../../../../service/json.js';
import { KIND_KEYS } from '../../../../service/kinds.js';
import { readRecord } from '../../../../service/records/record.js';
import { quoteValue } from '../../../../service/search/query.js';
import { getSortFields } from '../sort-orders.js';
import { countSlice, fetchRecords, type SearchTarget } from './search-requests.js';
import type { SliceNode } from './split-candidates.js';

/**
 * `window`: the service returns only the first `window` records of a search. Returns undefined if the service does not support
 * ranges, or if no field is suitable.
 */
export async function splitByRanges(
  search: SearchTarget,
  total: number,
  window: number,
): Promise<readonly SliceNode[] | undefined> {
  for (const field of getSortFields(search.kind)) {
    const ranges = await findRanges(search, field, total, window);
    if (ranges) return ranges;
  }
  return undefined;
}

/** Each range ends before the value of the last record that fits the window. The next range begins with this value. */
async function findRanges(
  search: SearchTarget,
  field: string,
  total: number,
  window: number,
): Promise<readonly SliceNode[] | undefined> {
  const ranges: SliceNode[] = [];
  let from = '[*';
  let rest: SliceNode = { term: `${field}:[* TO *]`, total };
  if ((await countSlice(search, rest)) !== total) return undefined;
  while (rest.total > window) {
    const value = quoteValue(await fetchValueAt(search, rest, field, window - 1));
    const term = `${field}:${from} TO ${value}}`;
    from = `[${value}`;
    const after = `${field}:${from} TO *]`;
    const [count = 0, left] = await Promise.all(
      [term, after].map((each) => countSlice(search, { term: each })),
    );
    // The service may sort values in another order than its ranges.
    if (left === undefined || count === 0 || count > window || count + left !== rest.total) return undefined;
    ranges.push({ term, total: count });
    rest = { term: after, total: left };
  }
  return [...ranges, rest];
}

async function fetchValueAt(
  search: SearchTarget,
  { term }: SliceNode,
  field: string,
  offset: number,
): Promise<string> {
  const sorted = { term, sort: field, direction: 'asc' as const };
  const [raw = {}] = await fetchRecords(search, sorted, { offset, limit: 1 });
  if (field === KIND_KEYS[search.kind].idKey) return asText(raw[field]);
  return readRecord(raw, search.kind).fields.get(field)?.[0]?.value ?? '';
}
