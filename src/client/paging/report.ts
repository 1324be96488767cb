/** The report of paging: what was received, what is missing, and why it stopped. */
import type { OpacError } from '../../service/errors.js';

export type StopReason =
  | 'running'
  /** an empty page at or past the total, and as many records as the total says */
  | 'complete'
  | 'limit'
  /** an empty page at or past the total, but fewer distinct records than the total: see `missing`, `duplicates`, `gaps` */
  | 'missing'
  /** only empty pages before the total */
  | 'early'
  /** the service returns the same records at any offset */
  | 'offset-ignored'
  /** the service refuses deeper offsets */
  | 'refused'
  /** an error, or an abort */
  | 'failed'
  /** the caller took no more pages */
  | 'stopped';

export type PagingNoticeKind =
  | 'page-size-capped'
  | 'total-moved'
  | 'total-too-low'
  | 'thin-page'
  | 'empty-page'
  | 'repeats-past-end'
  | 'end-refused'
  | 'moved-up'
  | 'second-pass';

export interface PagingNotice {
  readonly kind: PagingNoticeKind;
  readonly message: string;
}

export interface PageFacts {
  readonly offset: number;
  readonly received: number;
}

export interface Gap {
  readonly offset: number;
  readonly limit: number;
  readonly error: OpacError | undefined;
}

export interface PagingReport {
  readonly firstTotal: number | undefined;
  readonly lastTotal: number | undefined;
  /** Each total that differed from the one before, with the offset of its page. */
  readonly totals: readonly { readonly offset: number; readonly total: number }[];
  readonly received: number;
  readonly distinct: number;
  readonly duplicates: number;
  readonly withoutId: number;
  /** Records of the last total that were not received; 0 while it is unknown. */
  readonly missing: number;
  /** What the service returns, which may be less than requested. */
  readonly pageSize: number;
  readonly pages: readonly PageFacts[];
  readonly gaps: readonly Gap[];
  readonly stopReason: StopReason;
  readonly notices: readonly PagingNotice[];
}

export class ReportWriter implements PagingReport {
  firstTotal: number | undefined;
  lastTotal: number | undefined;
  readonly totals: { readonly offset: number; readonly total: number }[] = [];
  received = 0;
  distinct = 0;
  duplicates = 0;
  withoutId = 0;
  missing = 0;
  pageSize: number;
  readonly pages: PageFacts[] = [];
  readonly gaps: Gap[] = [];
  stopReason: StopReason = 'running';
  readonly notices: PagingNotice[] = [];
  #isTotalTooLow = false;

  constructor(pageSize: number) {
    this.pageSize = pageSize;
  }

  /** Whether records followed past the total, so that it says nothing about the end. */
  get isTotalTooLow(): boolean {
    return this.#isTotalTooLow;
  }

  /** The offset up to which the service promises records, by this total or the last one; Infinity when unknown. */
  expectedEnd(total = this.lastTotal): number {
    return this.#isTotalTooLow ? Number.POSITIVE_INFINITY : (total ?? Number.POSITIVE_INFINITY);
  }

  /** Adds a notice, the first of its kind only. */
  notice(kind: PagingNoticeKind, message: string): void {
    if (!this.notices.some((notice) => notice.kind === kind)) this.notices.push({ kind, message });
  }

  total(offset: number, total: number): void {
    if (total === this.lastTotal) return;
    this.firstTotal ??= total;
    this.lastTotal = total;
    this.totals.push({ offset, total });
  }

  recordsAt(offset: number): void {
    if (offset < this.expectedEnd()) return;
    this.#isTotalTooLow = true;
    this.notice('total-too-low', `the service returned records past its total of ${this.lastTotal}`);
  }

  /** Closes the report. `start` is the offset of the first page. */
  end(stopReason: StopReason, start: number): void {
    const { lastTotal } = this;
    this.#noticeChangedTotal();
    const isCut = stopReason === 'limit' || stopReason === 'stopped';
    if (lastTotal !== undefined && !this.#isTotalTooLow && !isCut) {
      this.missing = Math.max(0, lastTotal - start - this.distinct - this.withoutId);
    }
    const isWhole = this.missing === 0 && this.gaps.length === 0;
    this.stopReason = stopReason === 'complete' && !isWhole ? 'missing' : stopReason;
  }

  #noticeChangedTotal(): void {
    if (this.totals.length < 2) return;
    const totals = this.totals.map(({ total }) => total);
    const risk =
      Math.min(...totals) < (this.firstTotal ?? 0)
        ? 'records were removed, so others may have been skipped'
        : 'records were added and may not all be included';
    this.notice('total-moved', `the total changed during the run (${totals.join(', ')}): ${risk}`);
  }
}
