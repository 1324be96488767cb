/** Plans the next request of a list: its offset, its page size, and whether to request a page beyond the total. */
import { formatNumber } from '../../service/format-numbers.js';
import type { FetchedPage, HasId, PagePlan } from './fetch-page.js';
import type { PagingOptions } from './paging-options.js';
import type { ReportWriter } from './paging-report.js';

export class PagePlanner {
  readonly #report: ReportWriter;
  readonly #end: number;
  readonly #mayProbe: boolean;
  readonly #window: number;
  readonly #pending: PagePlan[] = [];
  #nextOffset: number;
  #isPageSizeKnown = false;
  #firstReceived: number | undefined;
  #lastProbe = -1;

  constructor(
    report: ReportWriter,
    start: number,
    limit: number,
    { window = Number.POSITIVE_INFINITY, knownTotal }: Pick<PagingOptions, 'window' | 'knownTotal'> = {},
  ) {
    this.#report = report;
    this.#nextOffset = start;
    this.#end = start + limit;
    this.#mayProbe = limit === Number.POSITIVE_INFINITY && knownTotal === undefined;
    this.#window = window;
    if (!knownTotal) return;
    report.addTotal(start, knownTotal.total);
    if (knownTotal.pageSize === undefined) return;
    report.pageSize = knownTotal.pageSize;
    this.markPageSizeKnown();
  }

  /** Returns undefined if no request is left, or if the next request depends on a response. */
  next(): PagePlan | undefined {
    const { duplicates, pageSize } = this.#report;
    const offset = this.#nextOffset;
    const expectedEnd = this.#report.expectedEnd();
    // If the total equals `window`, the service may count only up to this number. opac then requests one more record.
    const window = this.#mayProbe && expectedEnd === this.#window ? this.#window + 1 : this.#window;
    const wanted = Math.min(this.#end + duplicates, window) - offset;
    if (wanted <= 0 || (!this.#isPageSizeKnown && this.#pending.length > 0)) return undefined;
    const isProbe = offset >= expectedEnd;
    if (isProbe) {
      if (this.#lastProbe >= expectedEnd || !this.#mayProbe) return undefined;
      this.#lastProbe = offset;
    }
    const plan = { offset, limit: Math.min(pageSize, wanted), shouldFill: this.#isPageSizeKnown, isProbe };
    this.#pending.push(plan);
    this.#nextOffset += plan.limit;
    return plan;
  }

  take(): PagePlan | undefined {
    return this.#pending.shift();
  }

  /** If the first page is short, the second page shows whether the service limits the size of all pages. */
  learnPageSize({ offset, limit, records }: FetchedPage<HasId>): void {
    if (this.#isPageSizeKnown) return;
    const report = this.#report;
    const received = records.length;
    this.#nextOffset = offset + received;
    if (received >= limit || this.#nextOffset >= report.expectedEnd()) {
      if (received > limit) report.pageSize = received;
      this.markPageSizeKnown();
    } else if (this.#firstReceived !== undefined) {
      report.pageSize = Math.max(received, this.#firstReceived);
      report.addNotice(
        'page-size-capped',
        `the service returns at most ${formatNumber(report.pageSize)} records in a page, not the ${formatNumber(limit)} requested`,
      );
      this.markPageSizeKnown();
    } else {
      this.#firstReceived = received;
    }
  }

  markPageSizeKnown(): void {
    this.#isPageSizeKnown = true;
  }
}
