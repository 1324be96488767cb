/** What a walk over pages found out about itself: what came, what is missing, and how it ended. */
import type { OpacError } from '../../service/errors.js';

/** How a walk ended. */
export type StopReason =
  /** not yet */
  | 'running'
  /** an empty page at or past the total, and as many records as the total says */
  | 'complete'
  /** as many as were wanted */
  | 'limit'
  /** an empty page at or past the total, but fewer different records than the total says: see `missing`, `duplicates`, `gaps` */
  | 'missing'
  /** nothing but empty pages before the total */
  | 'early'
  /** the service gives the same records whatever the offset */
  | 'offset-ignored'
  /** the service refuses offsets as deep as this */
  | 'refused'
  /** an error, or an abort */
  | 'failed'
  /** whoever took the pages wanted no more */
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
  readonly retries: number;
  /** Milliseconds. */
  readonly elapsed: number;
}

/** A stretch of records that could not be had. */
export interface Gap {
  readonly offset: number;
  readonly limit: number;
  /** Undefined when the service gave an empty page there. */
  readonly error: OpacError | undefined;
}

export interface PagingReport {
  /** Totals as the service reported them on the first and the last page that held records. */
  readonly firstTotal: number | undefined;
  readonly lastTotal: number | undefined;
  /** Each total that differed from the one before, with the offset of its page. */
  readonly totals: readonly { readonly offset: number; readonly total: number }[];
  /** Records that came, repeats included. */
  readonly received: number;
  /** Records with an id not seen before. */
  readonly distinct: number;
  readonly duplicates: number;
  /** Records without an id: all are passed on. */
  readonly withoutId: number;
  /** How many records the last total promises beyond those that came; 0 while it is not known. */
  readonly missing: number;
  /** What the service gives, which may be less than was asked for. */
  readonly pageSize: number;
  readonly pages: readonly PageFacts[];
  readonly gaps: readonly Gap[];
  readonly stopReason: StopReason;
  readonly notices: readonly PagingNotice[];
}

/** A report being written. Whoever reads it sees it grow. */
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

  constructor(pageSize: number) {
    this.pageSize = pageSize;
  }

  /** Says something once, however often it is seen. */
  notice(kind: PagingNoticeKind, message: string): void {
    if (!this.notices.some((notice) => notice.kind === kind)) this.notices.push({ kind, message });
  }

  /** Takes down a total that a page with records carried. */
  total(offset: number, total: number): void {
    if (total === this.lastTotal) return;
    this.firstTotal ??= total;
    this.lastTotal = total;
    this.totals.push({ offset, total });
  }

  /** Closes the report. `start` is the offset of the walk, `believed` false when records went on past the total. */
  end(ending: StopReason, start: number, believed: boolean): void {
    const { firstTotal, lastTotal } = this;
    if (firstTotal !== undefined && lastTotal !== undefined && this.totals.length > 1) {
      const seen = this.totals.map(({ total }) => total).join(', ');
      const shrank = Math.min(...this.totals.map(({ total }) => total)) < firstTotal;
      const risk = shrank
        ? 'removed records move the others up, and some may have been passed over'
        : 'new records may be among those not seen';
      this.notice('total-moved', `the total moved during the run (${seen}): ${risk}`);
    }
    if (lastTotal !== undefined && believed && ending !== 'limit' && ending !== 'stopped') {
      this.missing = Math.max(0, lastTotal - start - this.distinct - this.withoutId);
    }
    const whole = this.missing === 0 && this.gaps.length === 0;
    this.stopReason = ending === 'complete' && !whole ? 'missing' : ending;
  }
}
