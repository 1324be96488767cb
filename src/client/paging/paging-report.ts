/** The report of paging: the received and the missing records, and why paging stopped. */
import type { OpacError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';

export type StopReason =
  | 'running'
  | 'complete'
  | 'limit'
  /** There are gaps, or fewer records than the total. */
  | 'missing'
  /** The last pages were empty, although the total says that the list continues. */
  | 'early'
  | 'offset-ignored'
  | 'refused'
  | 'failed'
  | 'stopped';

export type PagingNoticeKind =
  | 'page-size-capped'
  | 'total-moved'
  | 'total-too-low'
  | 'thin-page'
  | 'empty-page'
  | 'repeats-past-end'
  | 'end-refused'
  | 'no-total'
  | 'ids-unmatched'
  | 'moved-up'
  | 'sliced';

/** A fact that users should know about a list, such as a changed total. */
export interface PagingNotice {
  readonly kind: PagingNoticeKind;
  readonly message: string;
}

export interface Gap {
  /** Describes the missing records if opac split the search, because `offset` and `limit` then do not identify them. */
  readonly what?: string;
  readonly offset: number;
  readonly limit: number;
  readonly error: OpacError | undefined;
}

/** The report of paging: the fields of ReportWriter, read-only. */
export type PagingReport = {
  readonly [Key in Exclude<keyof ReportWriter, WriterMember>]: ReportWriter[Key] extends (infer Item)[]
    ? readonly Item[]
    : ReportWriter[Key];
};
type WriterMember = 'isTotalTooLow' | 'expectedEnd' | 'addNotice' | 'addTotal' | 'addRecordsAt' | 'finish';

export class ReportWriter {
  firstTotal: number | undefined;
  lastTotal: number | undefined;
  readonly totals: { readonly offset: number; readonly total: number }[] = [];
  received = 0;
  distinct = 0;
  duplicates = 0;
  withoutId = 0;
  missing = 0;
  /** The number of records in the requested range; undefined without a total, or if the limit or the caller ended paging. */
  expected: number | undefined;
  /** The number of records in a full page of the service. It may differ from the requested number. */
  pageSize: number;
  readonly pages: { readonly offset: number; readonly received: number }[] = [];
  readonly gaps: Gap[] = [];
  stopReason: StopReason = 'running';
  readonly notices: PagingNotice[] = [];
  /** True if the service returned records beyond its total. */
  isTotalTooLow = false;

  constructor(pageSize: number) {
    this.pageSize = pageSize;
  }

  /** The offset after the last record; Infinity if the total is unknown or too low. */
  expectedEnd(total = this.lastTotal): number {
    return this.isTotalTooLow ? Number.POSITIVE_INFINITY : (total ?? Number.POSITIVE_INFINITY);
  }

  addNotice(kind: PagingNoticeKind, message: string): void {
    if (!this.notices.some((notice) => notice.kind === kind)) this.notices.push({ kind, message });
  }

  addTotal(offset: number, total: number): void {
    if (total === this.lastTotal) return;
    this.firstTotal ??= total;
    this.lastTotal = total;
    this.totals.push({ offset, total });
  }

  addRecordsAt(offset: number): void {
    if (offset < this.expectedEnd()) return;
    this.isTotalTooLow = true;
    this.addNotice(
      'total-too-low',
      `the service returned more records than its total of ${formatNumber(this.lastTotal ?? 0)}`,
    );
  }

  finish(stopReason: StopReason, start: number, limit = Number.POSITIVE_INFINITY): void {
    const { lastTotal } = this;
    this.#noticeChangedTotal();
    const isPartial = stopReason === 'limit' || stopReason === 'stopped';
    if (lastTotal !== undefined && !isPartial) {
      this.expected = Math.min(limit, Math.max(0, lastTotal - start));
      this.missing = Math.max(0, this.expected - this.distinct - this.withoutId);
    }
    const hasAll = this.missing === 0 && this.gaps.length === 0;
    this.stopReason = stopReason === 'complete' && !hasAll ? 'missing' : stopReason;
    if (this.stopReason === 'complete' && this.received > 0 && lastTotal === undefined)
      this.addNotice('no-total', 'the service does not state a total, so records may be missing');
  }

  #noticeChangedTotal(): void {
    if (this.totals.length < 2) return;
    const totals = this.totals.map(({ total }) => total);
    const risk =
      Math.min(...totals) < (this.firstTotal ?? 0)
        ? 'records were removed, so some records may be missing'
        : 'records were added, and some of them may be missing';
    this.addNotice(
      'total-moved',
      `the total changed during the run (${totals.map(formatNumber).join(', ')}): ${risk}`,
    );
  }
}
