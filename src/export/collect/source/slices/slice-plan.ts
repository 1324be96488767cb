/**
 * The plan of a sliced export. Some services return only the first records of a large result. The window is the number of these
 * records. The plan divides a search into smaller searches, the slices.
 */
import { createHash } from 'node:crypto';
import { bracketOr } from '../../../../service/search/query.js';
import type { QueryParameters } from '../../../../service/search/record-search.js';
import { type Content, SIZE } from '../../../../system/schema.js';
import * as v from '../../../../system/valibot.js';

const SLICE_FILTER = v.object({
  /** Terms of the query language, joined by AND. */
  term: v.optional(v.string()),
  sort: v.optional(v.string()),
  direction: v.optional(v.picklist(['asc', 'desc'])),
});
export type SliceFilter = Content<typeof SLICE_FILTER>;

const SLICE = v.object({
  ...SLICE_FILTER.entries,
  /** opac reads `limit` of the `total` matching records, beginning at `offset`. */
  total: SIZE,
  offset: SIZE,
  limit: SIZE,
  /** Number of records that are not in earlier slices; 0 for a slice that is read only if records are still missing. */
  records: SIZE,
});
export type Slice = Content<typeof SLICE>;

export const SLICE_PLAN = v.object({
  total: SIZE,
  /** The maximum of offset + limit that the service accepts; null without a maximum. */
  window: v.nullable(SIZE),
  /** Hash of the other keys except `next`, to compare parts of an export. */
  sha256: v.string(),
  slices: v.array(SLICE),
  /** Records that may be missing from all slices, with their maximum number. */
  unreachable: v.array(v.object({ what: v.string(), records: SIZE })),
  /** Only in a part: the key (record-key.ts) of the first record of the next part. */
  next: v.optional(v.string()),
});
export type SlicePlan = Content<typeof SLICE_PLAN>;
export type Unreachable = SlicePlan['unreachable'][number];

/** A part of an export: `--part 1/3`. */
export interface Part {
  readonly number: number;
  readonly of: number;
}

export function createSlicePlan(plan: Omit<SlicePlan, 'sha256'>): SlicePlan {
  const { total, window, slices, unreachable } = plan;
  const sha256 = createHash('sha256')
    .update(JSON.stringify([total, window, slices, unreachable]))
    .digest('hex');
  return { total, window, sha256, slices, unreachable };
}

export function createUnslicedPlan(total: number, window: number | null): SlicePlan {
  const slices = [{ total, offset: 0, limit: total, records: total }];
  return createSlicePlan({ total, window, slices, unreachable: [] });
}

export function applyFilter(query: QueryParameters, filter: SliceFilter): QueryParameters {
  const before = query.find(([name]) => name === 'query')?.[1] ?? '';
  const { term, sort, direction } = filter;
  const added = [
    ['query', term && joinTerms(bracketOr(before), term)],
    ['sort', sort],
    ['direction', direction],
  ] as const;
  const given = added.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return [...query.filter(([name]) => !given.some(([each]) => each === name)), ...given];
}

export function joinTerms(one: string | undefined, other: string): string {
  return one ? `${one} AND ${other}` : other;
}

/** In a checkpoint, the offsets of slice n, counted from 0, begin at n times this number. */
export function getOffsetsPerSlice({ window }: SlicePlan): number {
  return window ?? 2 ** 40;
}

/** Returns the slices of a part. Several parts may share a slice. */
export function selectPart({ slices }: SlicePlan, { number, of }: Part): readonly Slice[] {
  const total = slices.reduce((sum, { records }) => sum + records, 0);
  const begin = Math.floor((total * (number - 1)) / of);
  const end = number === of ? Number.POSITIVE_INFINITY : Math.floor((total * number) / of);
  let before = 0;
  return slices.flatMap((slice) => {
    const from = findCut(slice, begin - before);
    const to = findCut(slice, end - before);
    before += slice.records;
    if (to <= from) return [];
    const records = Math.min(to, slice.records) - from;
    return [{ ...slice, offset: slice.offset + from, limit: to - from, records }];
  });
}

/** A slice is cut at a multiple of this number of records. */
const PART_ALIGNMENT = 100;

/** Returns the offset near `at` where a slice is cut. `limit` can be larger than `records`. */
function findCut({ records, limit }: Slice, at: number): number {
  if (at <= 0) return 0;
  if (at >= records) return limit;
  const rounded = Math.round(at / PART_ALIGNMENT) * PART_ALIGNMENT;
  return rounded >= records ? limit : rounded;
}

export function formatFilter({ term, sort, direction }: SliceFilter): string {
  const words = term || 'all records';
  return sort === undefined
    ? words
    : `${words}, by ${sort} ${direction === 'desc' ? 'descending' : 'ascending'}`;
}
