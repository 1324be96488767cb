/** Reads the slices of a plan one after the other. Omits repeated records, because a record may be in two slices. */
import { isDeepOffsetError } from '../../../../client/paging/page-interpreter.js';
import { fetchTotal } from '../../../../client/paging/pages.js';
import { type Gap, type PagingReport, ReportWriter } from '../../../../client/paging/paging-report.js';
import { OpacError } from '../../../../service/errors.js';
import { formatCount, formatNumber, formatRecordRange } from '../../../../service/format-numbers.js';
import type { ResumePoint, SourcePage, SourcePages } from '../record-source.js';
import { readSearch, type SearchOptions } from '../search-source.js';
import {
  applyFilter,
  formatFilter,
  getOffsetsPerSlice,
  type Part,
  type Slice,
  type SlicePlan,
  selectPart,
} from './slice-plan.js';

export interface SlicePagesOptions {
  readonly search: SearchOptions;
  readonly plan: SlicePlan;
  readonly part: Part | undefined;
  readonly from: ResumePoint;
  /** The report of the pages that this run read before it had a plan. */
  readonly before: PagingReport;
}

export class SliceReader implements SourcePages {
  readonly report: ReportWriter;
  readonly #options: SlicePagesOptions;
  readonly #slices: readonly Slice[];
  readonly #stride: number;
  readonly #expected: number;
  #pageSize: number | undefined;
  #hasMoved = false;

  constructor(options: SlicePagesOptions) {
    const { plan, part, before } = options;
    this.#options = options;
    this.#slices = part ? selectPart(plan, part) : plan.slices;
    this.#stride = getOffsetsPerSlice(plan);
    this.#expected = part ? this.#slices.reduce((sum, { records }) => sum + records, 0) : plan.total;
    this.report = new ReportWriter(before.pageSize);
    this.report.addTotal(0, this.#expected);
    this.report.distinct = before.distinct;
    this.report.withoutId = before.withoutId;
    this.report.received = before.distinct + before.withoutId;
    for (const page of before.pages) this.report.pages.push(page);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourcePage> {
    const { from, part, plan } = this.#options;
    const next = from.plan ? (from.offset ?? 0) : 0;
    for (const [n, slice] of this.#slices.entries()) {
      const inside = next - n * this.#stride;
      if (inside >= this.#stride) continue;
      // A slice with 0 `records` is read only if records are still missing. A part cannot know this, so it reads the slice.
      const isOptional = slice.records === 0 && !part;
      if (isOptional && this.#delivered >= plan.total) continue;
      yield* this.#readSlice(n, slice, slice.offset + Math.max(0, inside));
    }
    await this.#countAgain();
    this.#end();
  }

  get #delivered(): number {
    return this.#options.from.delivered + this.report.distinct + this.report.withoutId;
  }

  async *#readSlice(n: number, slice: Slice, begin: number): AsyncGenerator<SourcePage> {
    const { report } = this;
    const { search, plan, from } = this.#options;
    const isPiece = slice.offset > 0 || slice.limit < slice.total;
    const end = slice.offset + slice.limit;
    const pages = readSearch({ ...search, query: applyFilter(search.query, slice) }, from, {
      offset: begin,
      limit: isPiece ? end - begin : undefined,
      window: plan.window ?? undefined,
      knownTotal: { total: slice.total, pageSize: this.#pageSize },
    });
    let reported = 0;
    const reportGaps = () => {
      for (const gap of pages.report.gaps.slice(reported)) this.#addGap(slice, gap);
      reported = pages.report.gaps.length;
    };
    try {
      for await (const page of pages) {
        reportGaps();
        const records = page.records.filter(({ id }) => id === undefined || from.seen.add(id));
        const withoutId = records.filter(({ id }) => id === undefined).length;
        report.received += records.length;
        report.withoutId += withoutId;
        report.distinct += records.length - withoutId;
        const first = n * this.#stride;
        const offset = first + page.offset - slice.offset;
        report.pages.push({ offset, received: page.received });
        const next = first + Math.min(page.next - slice.offset, this.#stride);
        yield { ...page, offset, records, total: this.#expected, next };
      }
    } catch (error) {
      if (!isDeepOffsetError(error)) throw error;
      const last = pages.report.pages.at(-1);
      const reached = last ? last.offset + last.received : begin;
      this.#addGap(slice, { offset: reached, limit: end - reached, error });
      return;
    }
    reportGaps();
    if (pages.report.pages.length > 1) this.#pageSize = pages.report.pageSize;
    const { distinct, withoutId, totals, gaps, lastTotal = 0 } = pages.report;
    const isShort = gaps.length === 0 && distinct + withoutId < Math.min(end, lastTotal) - begin;
    this.#hasMoved ||= totals.length > 1 || isShort;
  }

  #addGap(slice: Slice, { offset, limit, error }: Gap): void {
    const what = `${formatRecordRange(offset, limit)} of ${formatFilter(slice)}`;
    this.report.gaps.push({ offset, limit, error, what });
  }

  /** Reports moved records and a changed total. Later, verify/check-ids.ts finds records that moved to another slice. */
  async #countAgain(): Promise<void> {
    const { search, plan, part, from } = this.#options;
    const { client, kind, query } = search;
    if (this.#hasMoved) this.report.addNotice('moved-up', 'records moved between slices during the run');
    const total = await fetchTotal(client, `${kind}.search`, { query, signal: from.signal });
    if (total === undefined || total === plan.total) return;
    const change = `the total of the search changed from ${formatNumber(plan.total)} to ${formatNumber(total)}`;
    if (part) this.report.addNotice('sliced', change);
    else this.report.addTotal(this.#slices.length * this.#stride, total);
  }

  #end(): void {
    const { report } = this;
    const { plan, part } = this.#options;
    report.missing = Math.max(0, (report.lastTotal ?? 0) - this.#delivered);
    // All records were received, so the records of the gaps were in other slices.
    if (report.missing === 0 && report.totals.length === 1 && !this.#hasMoved) report.gaps.length = 0;
    let left = report.missing - report.gaps.reduce((sum, { limit }) => sum + limit, 0);
    for (const { what, records } of part ? [] : plan.unreachable) {
      if (left <= 0) break;
      const limit = Math.min(records, left);
      const error = new OpacError('incomplete', 'no slice contains these records');
      report.gaps.push({ offset: 0, limit, error, what: `${formatCount(limit, 'record')} ${what}` });
      left -= limit;
    }
    report.stopReason = report.missing === 0 && report.gaps.length === 0 ? 'complete' : 'missing';
  }
}
