/**
 * Ways to split a slice: by the values of a field, in groups that each fit, and all records that have none of these values.
 * `p` and `NOT p` part any set of records, whatever the counts of a facet say; so a split counts only when its parts add up.
 */
import { encodedLength } from '../../../../service/percent-encoding.js';
import { anyOf, term } from '../../../../service/search/query.js';
import type { FacetCounts, ValueCount } from './counts.js';
import { both, type Narrowing } from './plan.js';

/** A slice that is still to be split, or fits. */
export interface Node extends Narrowing {
  readonly total: number;
}

export function totalOf(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { total }) => sum + total, 0);
}

/** A split that was counted. */
export interface Split {
  readonly parts: readonly Node[];
  readonly field: string;
  /** Records of the node that are in no part, below 0 for records that are in several; as far as counts tell. */
  readonly missing: number;
}

/** Rather records twice than none of some. */
export function isNearer({ missing }: Split, { missing: before }: Split): boolean {
  if (missing > 0 !== before > 0) return before > 0;
  return Math.abs(missing) < Math.abs(before);
}

export interface Candidate {
  readonly field: string;
  /** Terms take groups and can be negated; the parameter `facet` takes one value at a time. */
  readonly form: 'terms' | 'facet';
  readonly groups: readonly (readonly string[])[];
  /** Slices that it takes to the end, as far as counts tell. */
  readonly cost: number;
}

/** In bytes, percent-encoded, as in id-batches.ts: servers refuse request lines over about 8,000. */
const LONGEST_GROUP = 2500;
export const LONGEST_TERM = 5500;

/** The values that are split off at once where the rest is split further. */
const MOST_CARVED = 24;

export function groupTerm(field: string, values: readonly string[]): string {
  const [only = ''] = values;
  return values.length === 1 ? term(field, only) : anyOf(field, values);
}

/** The splits worth trying for a node of that size, the cheapest first. */
export function candidatesOf(facets: readonly FacetCounts[], total: number, window: number): Candidate[] {
  const candidates = facets.flatMap((facet) => {
    const isField = /^[^\s:"()\\]+$/.test(facet.field);
    if (!isField) return [];
    const isText = facet.type === 'text' || facet.type === '';
    if (!isText) return [byFacet(facet, total, window)];
    const all = byTerms(facet, facet.values, total, window);
    const carved = byTerms(facet, facet.values.slice(0, MOST_CARVED), total, window);
    return [all, carved, byFacet(facet, total, window)];
  });
  return candidates
    .filter(({ groups, cost }) => groups.length > 0 && Number.isFinite(cost))
    .sort((one, other) => one.cost - other.cost);
}

function byTerms(
  { field, values: everyValue }: FacetCounts,
  values: readonly ValueCount[],
  total: number,
  window: number,
): Candidate {
  const overlaps = sum(everyValue) > total;
  const sorted = [...values].sort(byCount);
  // Where records have several values, those of one group are in others too.
  const rest = overlaps
    ? total * sorted.reduce((share, { count }) => share * (1 - count / total), 1)
    : Math.max(0, total - sum(sorted));
  return {
    field,
    form: 'terms',
    groups: grouped(field, sorted, window),
    cost: costOf([...groupedCounts(field, sorted, window), rest], total, window),
  };
}

function byFacet({ field, values }: FacetCounts, total: number, window: number): Candidate {
  const rest = Math.max(0, total - sum(values));
  return {
    field,
    form: 'facet',
    groups: [...values].sort(byCount).map(({ value }) => [value]),
    // Small slices cannot be put together.
    cost:
      values.length > total
        ? Number.POSITIVE_INFINITY
        : costOf([...values.map(({ count }) => count), rest], total, window) + 1,
  };
}

/** Infinite for a split that leaves nearly all together. */
function costOf(counts: readonly number[], total: number, window: number): number {
  if (Math.max(...counts) > total * 0.95) return Number.POSITIVE_INFINITY;
  return counts.reduce(
    (cost, count) => cost + (count > window ? 1.2 * Math.ceil(count / window) : count > 0 ? 1 : 0),
    0,
  );
}

/** First fit, the largest first. */
function grouped(field: string, values: readonly ValueCount[], window: number): string[][] {
  return bins(field, values, window).map((bin) => bin.map(({ value }) => value));
}

function groupedCounts(field: string, values: readonly ValueCount[], window: number): number[] {
  return bins(field, values, window).map(sum);
}

function bins(field: string, values: readonly ValueCount[], window: number): ValueCount[][] {
  const open: { values: ValueCount[]; count: number; length: number }[] = [];
  const made: typeof open = [];
  for (const each of values) {
    const length = encodedLength(groupTerm(field, [each.value])) + 6;
    const bin = open.find((one) => one.count + each.count <= window && one.length + length <= LONGEST_GROUP);
    if (bin) {
      bin.values.push(each);
      bin.count += each.count;
      bin.length += length;
      continue;
    }
    const next = { values: [each], count: each.count, length };
    made.push(next);
    if (each.count < window) open.push(next);
    // The oldest are nearly full.
    if (open.length > 50) open.shift();
  }
  return made.map((bin) => bin.values);
}

function byCount(one: ValueCount, other: ValueCount): number {
  return other.count - one.count || (one.value < other.value ? -1 : 1);
}

function sum(values: readonly ValueCount[]): number {
  return values.reduce((total, { count }) => total + count, 0);
}

/** The parts of a node by a candidate: one for each group, without the values of the groups before it where these overlap. */
export function partsOf(node: Narrowing, { field, form, groups }: Candidate, apart: boolean): Narrowing[] {
  return groups.map((values, n) => {
    if (form === 'facet') return withFacet(node, field, values[0] ?? '');
    const own = groupTerm(field, values);
    const before = groups.slice(0, n).flat();
    return withTerm(node, apart && before.length > 0 ? `${own} AND NOT ${groupTerm(field, before)}` : own);
  });
}

/** What has none of the values: by naming them where that is short enough, else whatever has no value. */
export function restOf(node: Narrowing, { field, form, groups }: Candidate): Narrowing {
  const listed = `NOT ${groupTerm(field, groups.flat())}`;
  const isShort = encodedLength(listed) + encodedLength(node.term ?? '') <= LONGEST_TERM;
  return withTerm(node, form === 'terms' && isShort ? listed : `NOT ${field}:*`);
}

export function withTerm(node: Narrowing, added: string): Narrowing {
  return { ...onlyNarrowing(node), term: both(node.term, added) };
}

function withFacet(node: Narrowing, field: string, value: string): Narrowing {
  const facet = `${field}:${value}`;
  return { ...onlyNarrowing(node), facet: node.facet ? `${node.facet},${facet}` : facet };
}

function onlyNarrowing({ term: own, facet }: Narrowing): Narrowing {
  return { ...(own !== undefined && { term: own }), ...(facet !== undefined && { facet }) };
}
