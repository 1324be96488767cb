/** Counts over all runs of an export. */

import type { PagingReport } from '../../client/paging/report.js';
import { type Content, SIZE, TEXTS } from '../../system/schema.js';
import * as v from '../../system/valibot.js';
import { driftOf } from './source/drift.js';

export const DRIFT = v.array(v.object({ offset: SIZE, total: SIZE }));
export const NOT_UTF8 = v.object({ records: SIZE, ids: TEXTS });
export const PAGES = v.array(v.tuple([SIZE, SIZE, SIZE]));

export const RUN_COUNTS = v.object({
  received: SIZE,
  written: SIZE,
  duplicates: SIZE,
  withoutId: SIZE,
  drift: DRIFT,
  elapsed: SIZE,
  resumed: SIZE,
});
export type RunCounts = Content<typeof RUN_COUNTS>;

export const NO_COUNTS: RunCounts = {
  received: 0,
  written: 0,
  duplicates: 0,
  withoutId: 0,
  drift: [],
  elapsed: 0,
  resumed: 0,
};

export type PageEntry = readonly [offset: number, received: number, retries: number];

export function addReport(
  before: RunCounts,
  report: PagingReport,
  written: number,
  elapsed: number,
): RunCounts {
  return {
    received: before.received + report.received,
    written,
    duplicates: before.duplicates + report.duplicates,
    withoutId: before.withoutId + report.withoutId,
    drift: driftOf(before.drift, report),
    elapsed: before.elapsed + elapsed,
    resumed: before.resumed,
  };
}
