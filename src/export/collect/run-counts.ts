/** Counts over all runs of an export. */
import type { PagingReport } from '../../client/paging/report.js';
import { type Drift, driftOf } from './source/drift.js';

export interface RunCounts {
  readonly received: number;
  readonly written: number;
  readonly duplicates: number;
  readonly withoutId: number;
  readonly drift: readonly Drift[];
  readonly elapsed: number;
  readonly resumed: number;
}

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
