/** Splits a slice by the values of a field. If possible, the records of each group of values fit the window (slice-plan.ts). */
import { getEncodedLength } from '../../../../service/percent-encoding.js';
import { formatAlternatives, formatTerm } from '../../../../service/search/query.js';
import type { FieldValues, ValueCount } from './search-requests.js';

/** A subset of the records of a search. It may be larger than the window. */
export interface SliceNode {
  /** Undefined for the entire search. */
  readonly term?: string | undefined;
  readonly total: number;
}

export interface Split {
  readonly parts: readonly SliceNode[];
  readonly field: string;
  /** The number of records that are not in any part; negative if records are in several parts. */
  readonly missing: number;
}

export interface Candidate {
  readonly field: string;
  readonly groups: readonly (readonly string[])[];
  /** Estimated number of slices after all further splits. */
  readonly cost: number;
}

/** Limits in bytes of the percent-encoded text. Servers refuse request lines over about 8,000 bytes. */
const MAX_GROUP_LENGTH = 2500;
export const MAX_TERM_LENGTH = 5500;

/** If records have several values, each term excludes the values of all earlier groups, so later terms are long. */
const MAX_OVERLAPPING_VALUES = 24;

export function sumTotals(nodes: readonly SliceNode[]): number {
  return nodes.reduce((sum, { total }) => sum + total, 0);
}

/** A split that repeats records is better than a split that misses records. */
export function isBetterSplit({ missing }: Split, { missing: otherMissing }: Split): boolean {
  if (missing > 0 !== otherMissing > 0) return otherMissing > 0;
  return Math.abs(missing) < Math.abs(otherMissing);
}

export function formatGroup(field: string, values: readonly string[]): string {
  const [only = ''] = values;
  return values.length === 1 ? formatTerm(field, only) : formatAlternatives(field, values);
}

/** Returns the cheapest field first. */
export function rankCandidates(
  fields: readonly FieldValues[],
  total: number,
  window: number,
  supportsNot: boolean,
): Candidate[] {
  return fields
    .filter(({ field, values }) => /^[^\s:"()\\]+$/.test(field) && values.length > 0)
    .map((each) => createCandidate(each, total, window, supportsNot))
    .filter(({ cost }) => Number.isFinite(cost))
    .sort((one, other) => one.cost - other.cost);
}

function createCandidate(
  { field, values }: FieldValues,
  total: number,
  window: number,
  supportsNot: boolean,
): Candidate {
  const overlaps = sumCounts(values) > total;
  const max = overlaps && supportsNot ? MAX_OVERLAPPING_VALUES : values.length;
  const sorted = values.toSorted(compareCounts).slice(0, max);
  const rest = overlaps
    ? total * sorted.reduce((share, { count }) => share * Math.max(0, 1 - count / total), 1)
    : total - sumCounts(sorted);
  const groups = packIntoGroups(field, sorted, window);
  return {
    field,
    groups: groups.map((group) => group.values),
    cost: estimateCost([...groups.map(({ count }) => count), rest], total, window),
  };
}

/** Estimates the number of slices; infinite if one part has nearly all records and does not fit the window. */
function estimateCost(counts: readonly number[], total: number, window: number): number {
  const largest = Math.max(window, total * 0.95);
  if (counts.some((count) => count > largest)) return Number.POSITIVE_INFINITY;
  return counts.reduce(
    (cost, count) => cost + (count > window ? 1.2 * Math.ceil(count / window) : count > 0 ? 1 : 0),
    0,
  );
}

interface Group {
  readonly values: string[];
  count: number;
  /** In bytes, percent-encoded. */
  length: number;
}

/** Puts each value into the first group with room for it. Expects the values with the most records first. */
function packIntoGroups(field: string, values: readonly ValueCount[], window: number): Group[] {
  const groups: Group[] = [];
  for (const { value, count } of values) {
    const length = getEncodedLength(formatGroup(field, [value])) + 6;
    const fitting = groups.find(
      (group) => group.count + count <= window && group.length + length <= MAX_GROUP_LENGTH,
    );
    const group = fitting ?? { values: [], count: 0, length: 0 };
    if (!fitting) groups.push(group);
    group.values.push(value);
    group.count += count;
    group.length += length;
  }
  return groups;
}

function compareCounts(one: ValueCount, other: ValueCount): number {
  return other.count - one.count || (one.value < other.value ? -1 : 1);
}

function sumCounts(values: readonly ValueCount[]): number {
  return values.reduce((total, { count }) => total + count, 0);
}

/** `isDisjoint`: each term excludes the values of the groups before it. */
export function formatTerms({ field, groups }: Candidate, isDisjoint: boolean): string[] {
  return groups.map((values, n) => {
    const term = formatGroup(field, values);
    const earlier = groups.slice(0, n).flat();
    return isDisjoint && earlier.length > 0 ? `${term} AND NOT ${formatGroup(field, earlier)}` : term;
  });
}

/** Returns a term that excludes the values of all groups. If it is too long, returns the term for records without a value. */
export function formatRestTerm({ field, groups }: Candidate, parentTerm = ''): string {
  const listed = `NOT ${formatGroup(field, groups.flat())}`;
  return getEncodedLength(listed) + getEncodedLength(parentTerm) <= MAX_TERM_LENGTH
    ? listed
    : `NOT ${field}:*`;
}
