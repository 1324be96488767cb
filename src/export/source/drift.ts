/** How the total of a result moved while it was read. */
import type { PagingReport } from '../../client/paging/report.js';

export interface Drift {
  readonly offset: number;
  readonly total: number;
}

/** How the total moved in earlier runs and in the one that the report is of. */
export function driftOf(before: readonly Drift[], { totals, received }: PagingReport): readonly Drift[] {
  const last = before.at(-1)?.total;
  // A run that only finds that nothing is left meets no page with records, and past the end no total can be relied on.
  const reliable =
    last !== undefined && received === 0 ? totals.filter(({ offset }) => offset < last) : totals;
  return [...before, ...reliable.filter(({ total }, n) => n > 0 || total !== last)];
}
