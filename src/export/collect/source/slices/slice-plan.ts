/**
 * The plan of a sliced export: searches that each fit a window and together are the whole, in the order in which they are
 * read. It decides the bytes of the file, so it stands in the checkpoint and in the manifest.
 */
import { createHash } from 'node:crypto';
import { bracketOr } from '../../../../service/search/query.js';
import type { QueryParameters } from '../../../../service/search/record-search.js';
import { type Content, SIZE } from '../../../../system/schema.js';
import * as v from '../../../../system/valibot.js';

/** What a slice adds to the search. */
const SLICE_FILTER = v.object({
  /** Terms of the query language, joined by AND. */
  term: v.optional(v.string()),
  sort: v.optional(v.string()),
  direction: v.optional(v.picklist(['asc', 'desc'])),
});
export type SliceFilter = Content<typeof SLICE_FILTER>;

const SLICE = v.object({
  ...SLICE_FILTER.entries,
  /** Records that match, and of those the ones that are read: `limit` from `offset` on. */
  total: SIZE,
  offset: SIZE,
  limit: SIZE,
  /** Of those read, the ones that no slice before it has, as far as counts tell; 0 for one that is read only while records are missing. */
  records: SIZE,
});
export type Slice = Content<typeof SLICE>;

export const SLICE_PLAN = v.object({
  /** Of the whole search, and the most that offset + limit may be; null for no window. */
  total: SIZE,
  window: v.nullable(SIZE),
  /** Of everything above and below, the same on each machine. */
  sha256: v.string(),
  slices: v.array(SLICE),
  /** At most so many records are perhaps in no slice. */
  unreachable: v.array(v.object({ what: v.string(), records: SIZE })),
  /** Of a part: the identity of the record after it, which the next part begins with. */
  next: v.optional(v.string()),
});
export type SlicePlan = Content<typeof SLICE_PLAN>;
export type Unreachable = SlicePlan['unreachable'][number];

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

export function createUnfilteredSlice(total: number): Slice {
  return { total, offset: 0, limit: total, records: total };
}

/** The query parameters with what a slice adds. */
export function applyFilter(query: QueryParameters, filter: SliceFilter): QueryParameters {
  const before = query.find(([name]) => name === 'query')?.[1] ?? '';
  const { term, sort, direction } = filter;
  const added = [
    ['query', term && joinTerms(bracketOr(before), term)],
    ['sort', sort],
    ['direction', direction],
  ] as const;
  const own = added.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return [...query.filter(([name]) => !own.some(([each]) => each === name)), ...own];
}

/** Both terms, or the one that there is. */
export function joinTerms(one: string | undefined, other: string): string {
  return one ? `${one} AND ${other}` : other;
}

/** Where the pages of a slice begin among those of all, to resume from. */
export function getOffsetsPerSlice({ window }: SlicePlan): number {
  return window ?? 2 ** 40;
}

/** The slices of a part: those of about an nth of the records in the order of the plan, cut inside slices at whole pages. */
export function selectPart({ slices }: SlicePlan, { number, of }: Part): readonly Slice[] {
  const total = slices.reduce((sum, { records }) => sum + records, 0);
  const begin = Math.floor((total * (number - 1)) / of);
  const end = number === of ? Number.POSITIVE_INFINITY : Math.floor((total * number) / of);
  let before = 0;
  return slices.flatMap((slice) => {
    const from = alignToPage(slice, begin - before);
    const to = alignToPage(slice, end - before);
    before += slice.records;
    if (to <= from) return [];
    const records = Math.min(to, slice.records) - from;
    return [{ ...slice, offset: slice.offset + from, limit: to - from, records }];
  });
}

const PART_ALIGNMENT = 100;

/** The page at which a slice is cut; the last part of it also has what is read of it beyond what it is to bring. */
function alignToPage({ records, limit }: Slice, at: number): number {
  if (at <= 0) return 0;
  if (at >= records) return limit;
  const rounded = Math.round(at / PART_ALIGNMENT) * PART_ALIGNMENT;
  return rounded >= records ? limit : rounded;
}

/** What a slice is, for people. */
export function formatFilter({ term, sort, direction }: SliceFilter): string {
  const words = term || 'all records';
  return sort === undefined
    ? words
    : `${words}, by ${sort} ${direction === 'desc' ? 'downwards' : 'upwards'}`;
}
