/** Makes the plan of a sliced export: splits the search until each slice fits the window, and counts each. */
import { encodedLength } from '../../../../service/percent-encoding.js';
import { sortedQuery } from '../second-pass.js';
import { type CountedSearch, countSlice, type FacetCounts, facetsOfSlice } from './counts.js';
import {
  makePlan,
  type Narrowing,
  narrowed,
  type Slice,
  type SlicePlan,
  type Unreachable,
  wordsOf,
} from './plan.js';
import { splitByRange } from './ranges.js';
import { namedSets, sampledFields } from './sampled-fields.js';
import {
  type Candidate,
  candidatesOf,
  groupTerm,
  isNearer,
  LONGEST_TERM,
  type Node,
  partsOf,
  restOf,
  type Split,
  totalOf,
  withTerm,
} from './splits.js';

/** Splits tried of each source before the next source. */
const MOST_TRIED = 3;

/** Records that the second of two directions goes beyond the middle, where records that are alike may change places. */
const OVERLAP = 100;

/** The plan of a search that has `total` records behind a window. The same service gives the same plan. */
export async function planSlices(search: CountedSearch, total: number, window: number): Promise<SlicePlan> {
  const planner = new Planner(search, window);
  const slices = await planner.join(await planner.split({ total }));
  return makePlan({ total, window, slices, unreachable: planner.unreachable });
}

class Planner {
  readonly unreachable: Unreachable[] = [];
  readonly #search: CountedSearch;
  readonly #window: number;
  /** Whether the service understands NOT, once that is known. */
  #negates: boolean | undefined;

  constructor(search: CountedSearch, window: number) {
    this.#search = search;
    this.#window = window;
  }

  async split(node: Node): Promise<Slice[]> {
    if (node.total <= this.#window) return [{ ...node, offset: 0, limit: node.total, records: node.total }];
    const parts = await this.#partsOf(node);
    if (!parts) return this.#fromBothEnds(node);
    const slices: Slice[] = [];
    for (const part of parts) slices.push(...(await this.split(part)));
    return slices;
  }

  /** Puts small slices together, for each ends with a page that is not full. */
  async join(slices: readonly Slice[]): Promise<Slice[]> {
    const joined: (Slice & { readonly of: readonly Slice[] })[] = [];
    for (const slice of slices) {
      const { term, facet, sort, total } = slice;
      const at = joined.findIndex(
        (each) =>
          term !== undefined &&
          sort === undefined &&
          each.sort === undefined &&
          each.facet === facet &&
          each.total + total <= this.#window &&
          encodedLength(`${each.term}${term}`) + 20 <= LONGEST_TERM,
      );
      const before = joined[at];
      if (!before) joined.push({ ...slice, of: [slice] });
      else joined[at] = { ...joinedSlice([...before.of, slice]), of: [...before.of, slice] };
    }
    const checked = joined.map(async ({ of, ...whole }) => {
      if (of.length === 1) return [whole];
      return (await countSlice(this.#search, whole)) === whole.total ? [whole] : of;
    });
    return (await Promise.all(checked)).flat();
  }

  /** The parts of a node: such that add up, else those that come nearest; undefined where none do. */
  async #partsOf(node: Node): Promise<readonly Node[] | undefined> {
    if (encodedLength(node.term ?? '') > LONGEST_TERM) return undefined;
    const sources: (() => Promise<readonly FacetCounts[]>)[] = [
      () => facetsOfSlice(this.#search, node),
      () => sampledFields(this.#search, node, this.#window),
      () => namedSets(this.#search, node),
    ];
    let nearest: Split | undefined;
    const fields = new Set<string>();
    for (const source of sources) {
      const found = await source();
      for (const { field } of found) fields.add(field);
      for (const candidate of candidatesOf(found, node.total, this.#window).slice(0, MOST_TRIED)) {
        const split = await this.#try(node, candidate);
        if (!split || split.parts.some(({ total }) => total >= node.total)) continue;
        if (split.missing === 0) return split.parts;
        if (!nearest || isNearer(split, nearest)) nearest = split;
      }
    }
    const ranges = await splitByRange(this.#search, node, this.#window, [...fields]);
    if (ranges?.missing === 0) return ranges.parts;
    if (ranges && (!nearest || isNearer(ranges, nearest))) nearest = ranges;
    if (!nearest || (nearest.missing > 0 && node.total <= 2 * this.#window)) return undefined;
    if (nearest.missing > 0) {
      const what = `records of ${wordsOf(node)} without a value of ${nearest.field}`;
      this.unreachable.push({ what, records: nearest.missing });
    }
    return nearest.parts;
  }

  async #try(node: Node, candidate: Candidate): Promise<Split | undefined> {
    const plain = await this.#countAll(partsOf(node, candidate, false));
    if (!plain) return undefined;
    await this.#learnNegation(node, candidate, plain[0]);
    const rest = restOf(node, candidate);
    const without = this.#negates === false ? 0 : ((await countSlice(this.#search, rest)) ?? 0);
    const split = (parts: readonly Node[]): Split => {
      // Of NOT, what is empty now is kept too: records may move there.
      const isKept = ({ total }: Node) => total > 0 || this.#negates === true;
      const all = [...parts, { ...rest, total: without }];
      return { parts: all.filter(isKept), field: candidate.field, missing: node.total - totalOf(all) };
    };
    const own = split(plain);
    if (own.missing >= 0 || !this.#negates || candidate.form === 'facet') return own;
    const apart = partsOf(node, candidate, true);
    if (apart.some(({ term = '' }) => encodedLength(term) > LONGEST_TERM)) return own;
    const counted = await this.#countAll(apart);
    return counted ? split(counted) : own;
  }

  async #countAll(parts: readonly Narrowing[]): Promise<readonly Node[] | undefined> {
    const totals = await Promise.all(parts.map((part) => countSlice(this.#search, part)));
    if (totals.some((total) => total === undefined)) return undefined;
    return parts.map((part, n) => ({ ...part, total: totals[n] ?? 0 }));
  }

  /** Only where a term has some of the records, and not all, does its negation tell anything. */
  async #learnNegation(
    node: Node,
    { field, form, groups }: Candidate,
    first: Node | undefined,
  ): Promise<void> {
    if (this.#negates !== undefined || form === 'facet' || !first) return;
    if (first.total === 0 || first.total >= node.total) return;
    const others = withTerm(node, `NOT ${groupTerm(field, groups[0] ?? [])}`);
    this.#negates = (await countSlice(this.#search, others)) === node.total - first.total;
  }

  /** What cannot be split: as much as can be had from each end of an order. */
  async #fromBothEnds(node: Node): Promise<Slice[]> {
    const { client, kind, query, signal } = this.#search;
    const { total } = node;
    const window = this.#window;
    const sorted = await sortedQuery(client, kind, narrowed(query, node), signal);
    const sort = sorted?.find(([name]) => name === 'sort')?.[1];
    const within = Math.min(total, sort === undefined ? window : 2 * window);
    if (within < total)
      this.unreachable.push({
        what: `records of ${wordsOf(node)} beyond the window`,
        records: total - within,
      });
    const first: Slice = { ...node, offset: 0, limit: window, records: window };
    if (sort === undefined) return [first];
    const records = within - window;
    const limit = Math.min(window, records + OVERLAP);
    return [
      { ...first, sort, direction: 'asc' },
      { ...node, sort, direction: 'desc', offset: 0, limit, records },
    ];
  }
}

function joinedSlice(slices: readonly Slice[]): Slice {
  const [first] = slices as readonly [Slice];
  const total = totalOf(slices);
  const term = `(${slices.map((slice) => `(${slice.term})`).join(' OR ')})`;
  return { ...first, term, total, limit: total, records: total };
}
