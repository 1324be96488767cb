/** The counts of an export, including the counts of its earlier runs. */
import type { PagingReport } from '../../client/paging/paging-report.js';
import { type Content, SIZE, TEXTS } from '../../system/schema.js';
import * as v from '../../system/valibot.js';

export const DRIFT = v.array(v.object({ offset: SIZE, total: SIZE }));
export const NOT_UTF8 = v.object({ records: SIZE, ids: TEXTS });
export const PAGES = v.array(v.tuple([SIZE, SIZE, SIZE]));

export const RUN_COUNTS = v.object({
  received: SIZE,
  written: SIZE,
  duplicates: SIZE,
  withoutId: SIZE,
  /** Written records with missing or unreadable parts (`isStubOrUnreadable`). */
  stubs: v.optional(SIZE, 0),
  /** Written records that the filters of the search exclude. */
  excluded: v.optional(SIZE, 0),
  drift: DRIFT,
  elapsed: SIZE,
  resumed: SIZE,
});
export type ExportCounts = Content<typeof RUN_COUNTS>;
/** A total that the service returned, and the offset of the first page with this total. */
export type TotalSeen = ExportCounts['drift'][number];

export const NO_COUNTS: ExportCounts = {
  received: 0,
  written: 0,
  duplicates: 0,
  withoutId: 0,
  stubs: 0,
  excluded: 0,
  drift: [],
  elapsed: 0,
  resumed: 0,
};

export type PageEntry = readonly [offset: number, received: number, retries: number];

export function addPagingReport(
  before: ExportCounts,
  report: PagingReport,
  written: Pick<ExportCounts, 'written' | 'stubs' | 'excluded'>,
  elapsed: number,
): ExportCounts {
  return {
    received: before.received + report.received,
    ...written,
    duplicates: before.duplicates + report.duplicates,
    withoutId: before.withoutId + report.withoutId,
    drift: addTotals(before.drift, report),
    elapsed: before.elapsed + elapsed,
    resumed: before.resumed,
  };
}

function addTotals(before: readonly TotalSeen[], { totals, received }: PagingReport): readonly TotalSeen[] {
  const last = before.at(-1)?.total;
  // Totals in pages after the end of the result are not reliable. A resumed run without new records may have only these totals.
  const reliable =
    last !== undefined && received === 0 ? totals.filter(({ offset }) => offset < last) : totals;
  return [...before, ...reliable.filter(({ total }, n) => n > 0 || total !== last)];
}
