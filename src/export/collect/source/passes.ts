/** Joins several passes over one result: the first, and others for what it missed. */
import { type PagingNotice, type PagingReport, ReportWriter } from '../../../client/paging/report.js';
import type { SourcePage, SourcePages } from './record-source.js';

export interface ExtraPass {
  readonly pages: SourcePages;
  readonly next: (page: SourcePage) => number;
  /** Whether it covers the whole result, so that its end is the end of the whole. */
  readonly isWhole: boolean;
  readonly brought: () => number;
  /** Replaces the notice of an earlier pass of its kind. */
  readonly notice: () => PagingNotice;
}

/**
 * The pages of all passes under one report. `first` is undefined when a resumed run has finished it; `further` makes each
 * pass when those before it have ended.
 */
export function concatenatePasses(
  first: SourcePages | undefined,
  further: () => AsyncIterable<ExtraPass>,
): SourcePages {
  const begun: ExtraPass[] = [];
  async function* pages(): AsyncGenerator<SourcePage> {
    if (first) yield* first;
    for await (const pass of further()) {
      begun.push(pass);
      for await (const page of pass.pages) {
        const records = page.records.filter(({ id }) => id !== undefined);
        yield { ...page, records, next: pass.next(page) };
      }
    }
  }
  return {
    get report() {
      return begun.reduce(combined, first?.report ?? new ReportWriter(1));
    },
    [Symbol.asyncIterator]: pages,
  };
}

/** Counts only what a further pass brought: repeats are expected. */
function combined(before: PagingReport, pass: ExtraPass): PagingReport {
  const { report } = pass.pages;
  const brought = pass.brought();
  const missing = Math.max(0, (before.stopReason === 'running' ? report : before).missing - brought);
  const notice = pass.notice();
  return {
    ...before,
    firstTotal: before.firstTotal ?? report.firstTotal,
    lastTotal: report.lastTotal ?? before.lastTotal,
    totals: [...before.totals, ...report.totals].filter(({ total }, n, all) => total !== all[n - 1]?.total),
    received: before.received + brought,
    distinct: before.distinct + brought,
    missing,
    pageSize: report.pageSize,
    pages: [...before.pages, ...report.pages],
    gaps: [...before.gaps, ...report.gaps],
    stopReason: pass.isWhole ? endingOf(report, missing) : endingAfter(before, report, missing),
    notices: [...before.notices.filter(({ kind }) => kind !== notice.kind), notice],
  };
}

function endingOf({ stopReason, gaps }: PagingReport, missing: number): PagingReport['stopReason'] {
  const isWhole = stopReason === 'complete' || (stopReason === 'missing' && missing === 0);
  if (isWhole) return gaps.length === 0 ? 'complete' : 'missing';
  return stopReason;
}

function endingAfter(
  before: PagingReport,
  { stopReason, gaps }: PagingReport,
  missing: number,
): PagingReport['stopReason'] {
  if (stopReason === 'running' || stopReason === 'failed' || stopReason === 'stopped') return stopReason;
  if (before.stopReason === 'missing' && missing === 0 && before.gaps.length + gaps.length === 0)
    return 'complete';
  return gaps.length > 0 ? 'missing' : before.stopReason;
}
