/**
 * Records that shifted: where records are removed during a run, all behind them move up, some of them from a page that is
 * still to come to one that has been read. They are in no page, but their places can be told from the totals.
 */
import type { PagingNotice } from '../../client/paging/report.js';
import type { Drift } from './drift.js';

export interface Stretch {
  readonly offset: number;
  readonly limit: number;
}

/** Stretches nearer to each other than this are asked for in one go. */
const NEAR = 100;

/** Where the total went down more often than that, it does not tell what was removed but which server answered. */
const MOST = 100;

/**
 * The places at which records are now that shifted past a page, by the totals that pages reported, each with the offset of
 * its page; `[]` when none did. Places before `begin` do not count.
 */
export function shiftedStretches(totals: readonly Drift[], begin: number): readonly Stretch[] {
  const last = totals.at(-1)?.total ?? 0;
  const stretches: { from: number; to: number }[] = [];
  for (const [n, { offset, total }] of totals.entries()) {
    const fell = (totals[n - 1]?.total ?? total) - total;
    if (fell <= 0) continue;
    // What was removed or put in since has moved them on.
    const from = Math.max(begin, offset - fell - Math.max(0, total - last));
    const to = Math.min(last, offset + Math.max(0, last - total));
    if (to > from) stretches.push({ from, to });
  }
  if (stretches.length > MOST) return [];
  stretches.sort((one, other) => one.from - other.from);
  const apart: typeof stretches = [];
  for (const stretch of stretches) {
    const before = apart.at(-1);
    if (before && stretch.from <= before.to + NEAR) before.to = Math.max(before.to, stretch.to);
    else apart.push(stretch);
  }
  return apart.map(({ from, to }) => ({ offset: from, limit: to - from }));
}

/** What is said when so many of them came. */
export function shiftedNotice(came: number): PagingNotice {
  const what =
    came === 0
      ? 'no other record was missed'
      : `${came} that had shifted past a page ${came === 1 ? 'was' : 'were'} requested again`;
  return { kind: 'moved-up', message: `records were removed during the run; ${what}` };
}
