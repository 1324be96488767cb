/** Splits a slice into ranges of a field that can be sorted by: each begins where the one before fills the window. */
import { asText } from '../../../../service/json.js';
import { KIND_WORDS } from '../../../../service/kinds.js';
import { readRecord } from '../../../../service/records/record.js';
import { quote } from '../../../../service/search/query.js';
import { type CountedSearch, countSlice, recordsOfSlice } from './counts.js';
import { isNearer, type Node, type Split, totalOf, withTerm } from './splits.js';

/** The split by ranges in Lucene's syntax that adds up, else the nearest; undefined where the service does not know them. */
export async function splitByRange(
  search: CountedSearch,
  node: Node,
  window: number,
  fields: readonly string[],
): Promise<Split | undefined> {
  let nearest: Split | undefined;
  const counted = async (added: string): Promise<Node | undefined> => {
    const part = withTerm(node, added);
    const total = await countSlice(search, part);
    return total === undefined ? undefined : { ...part, total };
  };
  for (const field of [KIND_WORDS[search.kind].idKey, ...fields]) {
    const any = await counted(`${field}:[* TO *]`);
    if (!any || any.total === 0) continue;
    const none = any.total < node.total ? await counted(`NOT ${field}:*`) : undefined;
    const ranges = await rangesOf(search, any, field, window, counted);
    if (!ranges) continue;
    const parts = none ? [...ranges, none] : ranges;
    const split = { parts, field, missing: node.total - totalOf(parts) };
    if (split.missing === 0) return split;
    if (!nearest || isNearer(split, nearest)) nearest = split;
  }
  return nearest;
}

async function rangesOf(
  search: CountedSearch,
  any: Node,
  field: string,
  window: number,
  counted: (added: string) => Promise<Node | undefined>,
): Promise<Node[] | undefined> {
  const ranges: Node[] = [];
  let from = '[*';
  let left = any;
  while (left.total > window) {
    const next = await valueAt(search, left, field, window - 1);
    if (next === undefined) return undefined;
    // One value alone fills the window: it is a part by itself, for another field to split.
    const isStuck = from === `[${quote(next)}`;
    const range = await counted(
      isStuck ? `${field}:[${quote(next)} TO ${quote(next)}]` : `${field}:${from} TO ${quote(next)}}`,
    );
    from = `${isStuck ? '{' : '['}${quote(next)}`;
    const rest = await counted(`${field}:${from} TO *]`);
    // Where the order is not that of ranges, nothing comes off.
    if (!range || !rest || range.total === any.total || (range.total > window && !isStuck)) return undefined;
    if (range.total > 0) ranges.push(range);
    left = rest;
  }
  return left.total > 0 ? [...ranges, left] : ranges;
}

/** The value of the record at that offset, in the order of the field. */
async function valueAt(
  search: CountedSearch,
  node: Node,
  field: string,
  offset: number,
): Promise<string | undefined> {
  const sorted = { ...node, sort: field, direction: 'asc' as const };
  const [raw] = await recordsOfSlice(search, sorted, { offset, limit: 1 });
  if (!raw) return undefined;
  if (field === KIND_WORDS[search.kind].idKey) return asText(raw[field]) || undefined;
  return readRecord(raw, search.kind).fields.get(field)?.[0]?.value;
}
