/**
 * Reads the slices of a plan one after the other, and proves by ids and counts that they were everything. Each slice is read
 * as a result of its own, so that a record that is in two of them is no sign of an order that is not stable.
 */

import { isEndedByDepth } from '../../../../client/paging/page-interpreter.js';
import { countOf, pagesOf } from '../../../../client/paging/pages.js';
import type { Paging } from '../../../../client/paging/paginate.js';
import { type Gap, type PagingReport, ReportWriter } from '../../../../client/paging/report.js';
import { type PageRecord, readLines } from '../../../../records/json/page-records.js';
import { OpacError } from '../../../../service/errors.js';
import { grouped, recordsAt } from '../../../../service/grouped.js';
import type { QueryParameters } from '../../../../service/search/search.js';
import type { ResumePoint, SourcePage, SourcePages } from '../record-source.js';
import { sortedQuery } from '../second-pass.js';
import type { SearchOptions } from '../source.js';
import { countSlice } from './counts.js';
import {
  both,
  type Narrowing,
  narrowed,
  type Part,
  partOf,
  type Slice,
  type SlicePlan,
  strideOf,
  wordsOf,
} from './plan.js';
import { planSlices } from './planner.js';

export interface SliceReading {
  readonly search: SearchOptions;
  readonly plan: SlicePlan;
  readonly part: Part | undefined;
  readonly from: ResumePoint;
  /** Of what this run took before the plan was made. */
  readonly before: PagingReport;
}

/** Rounds in which slices that moved are read again. */
const MOST_ROUNDS = 3;

/** Where and how one slice is read. */
interface Reading {
  readonly begin: number;
  readonly total: number;
  /** Of a slice that is read again. */
  readonly sort?: string | undefined;
  readonly isAgain?: boolean;
}

export class SlicePages implements SourcePages {
  readonly report: ReportWriter;
  readonly #reading: SliceReading;
  readonly #slices: readonly Slice[];
  readonly #stride: number;
  /** Of what is to come: the whole, or the share of a part. */
  readonly #expected: number;
  /** How many records each slice had when it was read; undefined where that cannot be said, because it moved or had a gap. */
  readonly #had: (number | undefined)[];
  /** What is missing of each slice; named anew when it is read again. */
  readonly #gaps: Gap[][];
  #pageSize: number | undefined;
  #again = 0;

  constructor(reading: SliceReading) {
    const { plan, part, before } = reading;
    this.#reading = reading;
    this.#slices = part ? partOf(plan, part) : plan.slices;
    this.#stride = strideOf(plan);
    this.#had = this.#slices.map(({ total }) => total);
    this.#gaps = this.#slices.map(() => []);
    this.#expected = part ? this.#slices.reduce((sum, { records }) => sum + records, 0) : plan.total;
    this.report = new ReportWriter(before.pageSize);
    this.report.total(0, this.#expected);
    this.report.distinct = before.distinct;
    this.report.withoutId = before.withoutId;
    this.report.received = before.distinct + before.withoutId;
    this.report.pages.push(...before.pages);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourcePage> {
    const { from } = this.#reading;
    const next = from.plan ? (from.offset ?? 0) : 0;
    for (const [n, slice] of this.#slices.entries()) {
      const inside = next - n * this.#stride;
      if (inside >= this.#stride) continue;
      yield* this.#read(n, { begin: slice.offset + Math.max(0, inside), total: slice.total });
    }
    yield* this.#readMoved();
    this.#end();
  }

  get #delivered(): number {
    return this.#reading.from.delivered + this.report.distinct + this.report.withoutId;
  }

  async *#read(n: number, reading: Reading, slice = this.#slices[n] as Slice): AsyncGenerator<SourcePage> {
    const { seen } = this.#reading.from;
    const { report } = this;
    const pages = this.#pagesOf(slice, reading);
    let named = 0;
    const nameGaps = () => {
      for (const gap of pages.report.gaps.slice(named)) this.#nameGap(n, gap, slice);
      named = pages.report.gaps.length;
    };
    let isFirst = true;
    try {
      for await (const page of pages) {
        nameGaps();
        const fresh = page.records.filter(({ id }) => (id === undefined ? !reading.isAgain : seen.add(id)));
        const withoutId = fresh.filter(({ id }) => id === undefined).length;
        report.received += fresh.length;
        report.withoutId += withoutId;
        report.distinct += fresh.length - withoutId;
        if (reading.isAgain) this.#again += fresh.length;
        const inside = page.offset - slice.offset;
        const step = isFirst ? page.received : Math.max(page.received, pages.report.pageSize);
        isFirst = false;
        const offset = n * this.#stride + inside;
        report.pages.push({ offset, received: page.received });
        // A run that is resumed while slices are read again does that from the first.
        const next = reading.isAgain
          ? this.#slices.length * this.#stride
          : n * this.#stride + Math.min(inside + step, this.#stride);
        yield { ...page, offset, records: fresh, total: this.#expected, next };
      }
    } catch (error) {
      this.#nameGap(n, refused(slice, reading, pages.report, error), slice);
      return;
    }
    nameGaps();
    if (pages.report.pages.length > 1) this.#pageSize = pages.report.pageSize;
    this.#had[n] = isWhole(slice, reading, pages.report) ? pages.report.lastTotal : undefined;
  }

  #pagesOf(slice: Slice, { begin, total, sort }: Reading): Paging<PageRecord> {
    const { search, plan, from } = this.#reading;
    const { client, kind, concurrency, prefetch, pageSize } = search;
    const order = sort === undefined || slice.sort !== undefined ? {} : { sort, direction: 'asc' as const };
    const query: QueryParameters = narrowed(search.query, { ...slice, ...order });
    const isPiece = slice.offset > 0 || slice.limit < slice.total;
    return pagesOf<PageRecord>(
      client,
      `${kind}.search`,
      { query },
      {
        concurrency,
        prefetch,
        pageSize,
        offset: begin,
        limit: isPiece ? slice.offset + slice.limit - begin : undefined,
        window: plan.window ?? undefined,
        known: { total, pageSize: this.#pageSize },
        signal: from.signal,
        onPageError: 'gap',
        read: ({ bytes }, at) => readLines(bytes, kind, at),
        watch: from.watch,
      },
    );
  }

  #nameGap(n: number, { offset, limit, error }: Gap, slice = this.#slices[n] as Slice): void {
    const what =
      limit === 0 ? `some records of ${wordsOf(slice)}` : `${recordsAt(offset, limit)} of ${wordsOf(slice)}`;
    const gap = { offset, limit, error, what };
    this.#gaps[n]?.push(gap);
    this.report.gaps.push(gap);
  }

  /** Reads slices again whose records are no longer those that were read: some may have moved from one to another. */
  async *#readMoved(): AsyncGenerator<SourcePage> {
    const { search, plan, part, from } = this.#reading;
    const { client, kind, query } = search;
    let read = 0;
    let total: number | undefined = plan.total;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      total = await countOf(client, `${kind}.search`, { query, signal: from.signal });
      const isAsPlanned = this.#had.every((had, n) => had === this.#slices[n]?.total);
      if (isAsPlanned && total === plan.total && this.#delivered === this.#expected) break;
      const counted = { client, kind, query, signal: from.signal };
      const now = await Promise.all(this.#slices.map((slice) => countSlice(counted, slice)));
      let moved = [...this.#had.keys()].filter((n) => this.#had[n] !== now[n]);
      if (moved.length === 0) break;
      // Where many moved, others may have lost as many as they got.
      if (moved.length * 2 > this.#slices.length) moved = [...this.#had.keys()];
      const sorted = await sortedQuery(client, kind, query, from.signal);
      const sort = sorted?.find(([name]) => name === 'sort')?.[1];
      for (const n of moved) {
        read++;
        yield* this.#readAgain(n, now[n], sort);
      }
    }
    for (const [n, had] of this.#had.entries()) {
      const { offset } = this.#slices[n] as Slice;
      if (had === undefined && this.#gaps[n]?.length === 0)
        this.#nameGap(n, {
          offset,
          limit: 0,
          error: new OpacError('incomplete', 'they moved while the slice was read'),
        });
    }
    if (read > 0) this.report.notice('moved-up', againText(read, this.#again));
    if (total === undefined || total === plan.total) return;
    if (part)
      this.report.notice(
        'sliced',
        `the total of the search changed from ${grouped(plan.total)} to ${grouped(total)}`,
      );
    else this.report.total(this.#slices.length * this.#stride, total);
  }

  /** Reads a slice as it is now, split again if it has outgrown the window. */
  async *#readAgain(
    n: number,
    total: number | undefined,
    sort: string | undefined,
  ): AsyncGenerator<SourcePage> {
    const { search, plan, from } = this.#reading;
    const slice = this.#slices[n] as Slice;
    const now = total ?? slice.total;
    this.#gaps[n] = [];
    this.report.gaps.splice(0, Number.POSITIVE_INFINITY, ...this.#gaps.flat());
    const isPiece = slice.offset > 0 || slice.limit < slice.total;
    if (now <= (plan.window ?? now) || isPiece) {
      yield* this.#read(n, { begin: slice.offset, total: now, sort, isAgain: true });
      return;
    }
    const { client, kind, query } = search;
    const { term, facet } = slice;
    const counted = { client, kind, query: narrowed(query, { term, facet }), signal: from.signal };
    const split = await planSlices(counted, now, plan.window ?? now);
    let had: number | undefined = 0;
    for (const inner of split.slices) {
      const whole: Slice = { ...inner, ...narrowing(slice, inner) };
      yield* this.#read(n, { begin: 0, total: inner.total, sort, isAgain: true }, whole);
      const got = this.#had[n];
      had = had === undefined || got === undefined ? undefined : had + got;
    }
    this.#had[n] = split.unreachable.length === 0 ? had : undefined;
  }

  #end(): void {
    const { report } = this;
    const { plan, part } = this.#reading;
    report.missing = Math.max(0, (report.lastTotal ?? 0) - this.#delivered);
    // All came, be it by another slice.
    if (report.missing === 0 && report.totals.length === 1) report.gaps.length = 0;
    let left = report.missing - report.gaps.reduce((sum, { limit }) => sum + limit, 0);
    for (const { what, records } of part ? [] : plan.unreachable) {
      if (left <= 0) break;
      const limit = Math.min(records, left);
      const error = new OpacError('incomplete', 'no slice of the search has them');
      report.gaps.push({ offset: 0, limit, error, what: `${grouped(limit)} ${what}` });
      left -= limit;
    }
    report.stopReason = report.missing === 0 && report.gaps.length === 0 ? 'complete' : 'missing';
  }
}

/** A slice of a slice: what both add to the search. */
function narrowing({ term, facet }: Slice, inner: Slice): Narrowing {
  return {
    term: inner.term === undefined ? term : both(term, inner.term),
    facet: [facet, inner.facet].filter(Boolean).join(',') || undefined,
  };
}

/** The rest of a slice that the service refuses to read to its end. Throws any other error. */
function refused({ offset, limit }: Slice, { begin }: Reading, { pages }: PagingReport, error: unknown): Gap {
  if (!isEndedByDepth(error)) throw error;
  const last = pages.at(-1);
  const reached = last ? last.offset + last.received : begin;
  return { offset: reached, limit: offset + limit - reached, error };
}

/** Whether a slice was read to the end while it stayed as it was. */
function isWhole(
  { offset, limit }: Slice,
  { begin }: Reading,
  { distinct, withoutId, totals, gaps, lastTotal = 0 }: PagingReport,
): boolean {
  const wanted = Math.min(offset + limit, lastTotal) - begin;
  return totals.length === 1 && gaps.length === 0 && distinct + withoutId >= wanted;
}

function againText(slices: number, records: number): string {
  const what = slices === 1 ? '1 slice was' : `${grouped(slices)} slices were`;
  return `records moved between slices during the run; ${what} read again, which brought ${grouped(records)} more`;
}
