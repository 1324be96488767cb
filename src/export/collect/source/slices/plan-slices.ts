/** Plans a sliced export (slice-plan.ts): splits the search until each slice fits the window, and counts each slice. */
import { getEncodedLength } from '../../../../service/percent-encoding.js';
import { acceptsSort, getSortFields } from '../sort-orders.js';
import { splitByRanges } from './ranges.js';
import {
  countSlice,
  type FieldValues,
  fetchFacets,
  type SearchTarget,
  sampleFields,
} from './search-requests.js';
import {
  applyFilter,
  createSlicePlan,
  formatFilter,
  joinTerms,
  type Slice,
  type SlicePlan,
  type Unreachable,
} from './slice-plan.js';
import {
  type Candidate,
  formatGroup,
  formatRestTerm,
  formatTerms,
  isBetterSplit,
  MAX_TERM_LENGTH,
  rankCandidates,
  type SliceNode,
  type Split,
  sumTotals,
} from './split-candidates.js';

/** The first candidate is usually the best. The others are for services with wrong counts. */
const MAX_TRIED_SPLITS = 3;

/** Maximum number of sort orders for a slice that cannot be split completely. opac reads both ends of each order. */
const MAX_ORDERS = 8;

/** Number of records in the middle that opac reads from both ends, because records with equal sort values may change places. */
const OVERLAP_RECORDS = 100;

/** `window`: how many of the `total` records the service returns. The same records result in the same plan. */
export async function planSlices(search: SearchTarget, total: number, window: number): Promise<SlicePlan> {
  const ranges = await splitByRanges(search, total, window);
  if (ranges) return createSlicePlan({ total, window, slices: ranges.map(createSlice), unreachable: [] });
  const planner = new Planner(search, window);
  const slices = await planner.split({ total });
  return createSlicePlan({
    total,
    window,
    slices: [...slices, ...planner.reserve],
    unreachable: planner.unreachable,
  });
}

function createSlice(node: SliceNode): Slice {
  return { ...node, offset: 0, limit: node.total, records: node.total };
}

class Planner {
  /** Slices that are read only if records are still missing. */
  readonly reserve: Slice[] = [];
  readonly unreachable: Unreachable[] = [];
  readonly #search: SearchTarget;
  readonly #window: number;
  /** Undefined until opac knows whether the service supports NOT. */
  #supportsNot: boolean | undefined;
  readonly #acceptedSorts = new Map<string, boolean>();

  constructor(search: SearchTarget, window: number) {
    this.#search = search;
    this.#window = window;
  }

  async split(node: SliceNode): Promise<Slice[]> {
    if (node.total <= this.#window) return [createSlice(node)];
    const split = await this.#findSplit(node);
    if (!split) return this.#planBothEnds(node);
    const slices: Slice[] = [];
    for (const part of split.parts) slices.push(...(await this.split(part)));
    const { field, missing } = split;
    if (missing === 0 || (missing < 0 && this.#supportsNot)) return slices;
    const without = `without a value of ${field}`;
    const what = node.term ? `that match ${formatFilter(node)}, ${without}` : without;
    if (missing > 0) this.unreachable.push({ what, records: missing });
    // If the records are sorted by the field, the records without a value are at one end.
    const orders = await this.#findOrders(node, missing > 0 ? MAX_ORDERS : 1, field);
    this.#reserveBothEnds(node, orders);
    return slices;
  }

  /** Returns undefined if no field splits the search, or if both ends of a sort order contain more records than the split. */
  async #findSplit(node: SliceNode): Promise<Split | undefined> {
    if (getEncodedLength(node.term ?? '') > MAX_TERM_LENGTH) return undefined;
    const { total } = node;
    let best: Split | undefined;
    for (const fetchFields of [fetchFacets, sampleFields]) {
      const fields = await fetchFields(this.#search, node, this.#window);
      this.#supportsNot ??= await this.#detectNot(node, fields);
      const candidates = rankCandidates(fields, total, this.#window, this.#supportsNot === true);
      for (const candidate of candidates.slice(0, MAX_TRIED_SPLITS)) {
        const split = await this.#countSplit(node, candidate);
        if (!split || split.parts.some((part) => part.total >= total)) continue;
        if (split.missing === 0) return split;
        // Without NOT, opac rejects a split whose parts repeat more records than the slice has.
        if (!this.#supportsNot && split.missing < -total) continue;
        if (!best || isBetterSplit(split, best)) best = split;
      }
    }
    if (!best || best.missing <= 0) return best;
    const [order] = await this.#findOrders(node, 1);
    const atEnds = Math.min(total, order === undefined ? this.#window : 2 * this.#window);
    return total - best.missing < atEnds ? undefined : best;
  }

  /** Compares the counts of a term and its negation. Returns undefined if no term matches only some of the records. */
  async #detectNot(node: SliceNode, fields: readonly FieldValues[]): Promise<boolean | undefined> {
    const candidates = rankCandidates(fields, node.total, this.#window, true);
    for (const { field, groups } of candidates.slice(0, MAX_TRIED_SPLITS)) {
      const term = formatGroup(field, groups[0] ?? []);
      const count = await this.#count(node, term);
      if (count && count < node.total) return (await this.#count(node, `NOT ${term}`)) === node.total - count;
    }
    return undefined;
  }

  async #countSplit(node: SliceNode, candidate: Candidate): Promise<Split | undefined> {
    const plain = await this.#countAll(node, formatTerms(candidate, false));
    if (!plain) return undefined;
    const rest = this.#supportsNot ? await this.#countAll(node, [formatRestTerm(candidate, node.term)]) : [];
    const split = (parts: readonly SliceNode[]): Split => {
      const all = [...parts, ...(rest ?? [])].filter(({ total }) => total > 0);
      return { parts: all, field: candidate.field, missing: node.total - sumTotals(all) };
    };
    const overlapping = split(plain);
    if (overlapping.missing >= 0 || !this.#supportsNot) return overlapping;
    const terms = formatTerms(candidate, true);
    if (terms.some((term) => getEncodedLength(joinTerms(node.term, term)) > MAX_TERM_LENGTH))
      return overlapping;
    const disjoint = await this.#countAll(node, terms);
    return disjoint ? split(disjoint) : overlapping;
  }

  async #countAll(node: SliceNode, terms: readonly string[]): Promise<readonly SliceNode[] | undefined> {
    const totals = await Promise.all(terms.map((term) => this.#count(node, term)));
    if (totals.some((total) => total === undefined)) return undefined;
    return terms.map((term, n) => ({ term: joinTerms(node.term, term), total: totals[n] ?? 0 }));
  }

  #count(node: SliceNode, term: string): Promise<number | undefined> {
    return countSlice(this.#search, { term: joinTerms(node.term, term) });
  }

  /** Plans slices at both ends of one sort order. Both ends of other orders become reserves, to find records in the middle. */
  async #planBothEnds(node: SliceNode): Promise<Slice[]> {
    const { total } = node;
    const window = this.#window;
    const [sort, ...others] = await this.#findOrders(node, total <= 2 * window ? 1 : MAX_ORDERS);
    const within = Math.min(total, sort === undefined ? window : 2 * window);
    if (within < total) {
      const what = node.term
        ? `that match ${shorten(formatFilter(node))}, beyond the window`
        : 'beyond the window';
      this.unreachable.push({ what, records: total - within });
    }
    const first: Slice = { ...node, offset: 0, limit: window, records: window };
    if (sort === undefined) return [first];
    this.#reserveBothEnds(node, others);
    const records = within - window;
    const limit = Math.min(window, records + OVERLAP_RECORDS);
    return [
      { ...first, sort, direction: 'asc' },
      { ...node, sort, direction: 'desc', offset: 0, limit, records },
    ];
  }

  #reserveBothEnds(node: SliceNode, orders: readonly string[]): void {
    const limit = Math.min(node.total, this.#window);
    for (const sort of orders)
      for (const direction of ['asc', 'desc'] as const)
        this.reserve.push({ ...node, sort, direction, offset: 0, limit, records: 0 });
  }

  /** Returns up to `max` accepted fields: `first`, then usually unique fields, then fields with many different values. */
  async #findOrders(node: SliceNode, max: number, ...first: readonly string[]): Promise<string[]> {
    const sampled = max === 1 ? [] : await sampleFields(this.#search, node, this.#window);
    const others = [...getSortFields(this.#search.kind), ...sampled.map(({ field }) => field)];
    const orders: string[] = [];
    for (const field of new Set([...first, ...others])) {
      if (orders.length >= max) break;
      if (await this.#acceptsSort(field)) orders.push(field);
    }
    return orders;
  }

  async #acceptsSort(field: string): Promise<boolean> {
    const known = this.#acceptedSorts.get(field);
    if (known !== undefined) return known;
    const { client, kind, query, signal } = this.#search;
    const isAccepted = await acceptsSort(
      client,
      kind,
      applyFilter(query, { sort: field, direction: 'asc' }),
      signal,
    );
    this.#acceptedSorts.set(field, isAccepted);
    return isAccepted;
  }
}

const MAX_SHOWN_CHARACTERS = 200;

function shorten(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}
