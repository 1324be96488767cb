/**
 * Splits a slice by the values of a field, in groups that each fit the window, and all records that have none of these
 * values. `p` and `NOT p` divide any set of records, so a split counts only when its parts add up.
 */
import { getEncodedLength } from '../../../../service/percent-encoding.js';
import { formatAlternatives, formatTerm } from '../../../../service/search/query.js';
import type { FieldValues, ValueCount } from './search-requests.js';

/** A slice that fits, or is still to be split. */
export interface SliceNode {
  /** Undefined for the whole search. */
  readonly term?: string | undefined;
  readonly total: number;
}

/** A split that was counted. */
export interface Split {
  readonly parts: readonly SliceNode[];
  readonly field: string;
  /** Records of the node that are in no part, below 0 for records that are in several; as far as counts tell. */
  readonly missing: number;
}

export interface Candidate {
  readonly field: string;
  readonly groups: readonly (readonly string[])[];
  /** Slices that it takes to the end, as far as counts tell. */
  readonly cost: number;
}

/** In bytes, percent-encoded, as in id-batches.ts: servers refuse request lines over about 8,000. */
const MAX_GROUP_LENGTH = 2500;
export const MAX_TERM_LENGTH = 5500;

/** Of values that overlap, each group must exclude those before it, so that only few fit into a term. */
const MAX_OVERLAPPING = 24;

export function sumTotals(nodes: readonly SliceNode[]): number {
  return nodes.reduce((sum, { total }) => sum + total, 0);
}

/** Repeated records are better than missing ones. */
export function isBetterSplit({ missing }: Split, { missing: before }: Split): boolean {
  if (missing > 0 !== before > 0) return before > 0;
  return Math.abs(missing) < Math.abs(before);
}

export function formatGroup(field: string, values: readonly string[]): string {
  const [only = ''] = values;
  return values.length === 1 ? formatTerm(field, only) : formatAlternatives(field, values);
}

/** The splits worth trying, the cheapest first. Without NOT, records with the other values would be out of reach. */
export function rankCandidates(
  fields: readonly FieldValues[],
  total: number,
  window: number,
  hasNot: boolean,
): Candidate[] {
  return fields
    .filter(({ field, values }) => /^[^\s:"()\\]+$/.test(field) && values.length > 0)
    .map((each) => createCandidate(each, total, window, hasNot))
    .filter(({ cost }) => Number.isFinite(cost))
    .sort((one, other) => one.cost - other.cost);
}

function createCandidate(
  { field, values }: FieldValues,
  total: number,
  window: number,
  hasNot: boolean,
): Candidate {
  const overlaps = sumCounts(values) > total;
  const sorted = [...values]
    .sort(compareCounts)
    .slice(0, overlaps && hasNot ? MAX_OVERLAPPING : values.length);
  const rest = overlaps
    ? total * sorted.reduce((share, { count }) => share * Math.max(0, 1 - count / total), 1)
    : total - sumCounts(sorted);
  const groups = packIntoGroups(field, sorted, window);
  return {
    field,
    groups: groups.map((group) => group.map(({ value }) => value)),
    cost: estimateCost([...groups.map(sumCounts), rest], total, window),
  };
}

/** Infinite for a split that leaves nearly all together in a part that does not fit. */
function estimateCost(counts: readonly number[], total: number, window: number): number {
  if (Math.max(...counts) > Math.max(window, total * 0.95)) return Number.POSITIVE_INFINITY;
  return counts.reduce(
    (cost, count) => cost + (count > window ? 1.2 * Math.ceil(count / window) : count > 0 ? 1 : 0),
    0,
  );
}

/** Bin packing, first fit; the values with the most records first. */
function packIntoGroups(field: string, values: readonly ValueCount[], window: number): ValueCount[][] {
  const open: { values: ValueCount[]; count: number; length: number }[] = [];
  const groups: ValueCount[][] = [];
  for (const each of values) {
    const length = getEncodedLength(formatGroup(field, [each.value])) + 6;
    const fitting = open.find(
      (one) => one.count + each.count <= window && one.length + length <= MAX_GROUP_LENGTH,
    );
    if (fitting) {
      fitting.values.push(each);
      fitting.count += each.count;
      fitting.length += length;
      continue;
    }
    const group = { values: [each], count: each.count, length };
    groups.push(group.values);
    if (each.count < window) open.push(group);
    // The oldest are nearly full.
    if (open.length > 50) open.shift();
  }
  return groups;
}

function compareCounts(one: ValueCount, other: ValueCount): number {
  return other.count - one.count || (one.value < other.value ? -1 : 1);
}

function sumCounts(values: readonly ValueCount[]): number {
  return values.reduce((total, { count }) => total + count, 0);
}

/** The terms of the groups; `disjoint` ones exclude the values of the groups before. */
export function formatTerms({ field, groups }: Candidate, disjoint: boolean): string[] {
  return groups.map((values, n) => {
    const own = formatGroup(field, values);
    const before = groups.slice(0, n).flat();
    return disjoint && before.length > 0 ? `${own} AND NOT ${formatGroup(field, before)}` : own;
  });
}

/** The term of the records that have none of the values: names them where that is short enough. */
export function formatRestTerm({ field, groups }: Candidate, before = ''): string {
  const listed = `NOT ${formatGroup(field, groups.flat())}`;
  return getEncodedLength(listed) + getEncodedLength(before) <= MAX_TERM_LENGTH ? listed : `NOT ${field}:*`;
}
