/** How the total of a result changed during a run. */
import type { PagingReport } from '../../../client/paging/report.js';

export interface Drift {
  readonly offset: number;
  readonly total: number;
}

export function driftOf(before: readonly Drift[], { totals, received }: PagingReport): readonly Drift[] {
  const last = before.at(-1)?.total;
  // Past the end no total is reliable, and a run that finds nothing left sees only that.
  const reliable =
    last !== undefined && received === 0 ? totals.filter(({ offset }) => offset < last) : totals;
  return [...before, ...reliable.filter(({ total }, n) => n > 0 || total !== last)];
}
