/** Decides after the last page whether records are missing or may be missing. */
import { OpacError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import type { PagingReport } from './paging-report.js';

export function findIncompleteError({
  stopReason,
  missing,
  expected = 0,
  totals,
  gaps,
  notices,
}: PagingReport): OpacError | undefined {
  if (stopReason === 'offset-ignored') {
    return new OpacError(
      'incomplete',
      'this deployment ignores offset, so only the first page can be received',
      { hint: 'select fewer records, so that they fit in one page' },
    );
  }
  // If the service removes records during a run, later records move to pages that opac has already read.
  const isReduced = totals.some(({ total }, n) => total < (totals[n - 1]?.total ?? 0));
  const uncertainty = notices.find(
    ({ kind }) =>
      (isReduced && kind === 'total-moved') ||
      (stopReason === 'failed' && kind === 'end-refused') ||
      (missing === 0 && gaps.length > 0 && kind === 'empty-page'),
  )?.message;
  if (missing === 0 && uncertainty === undefined) return undefined;
  return new OpacError(
    'incomplete',
    uncertainty ?? `${formatNumber(missing)} of ${formatNumber(expected)} records were not received`,
    { hint: 'try again, or use export, which fills gaps and lists missing records' },
  );
}
