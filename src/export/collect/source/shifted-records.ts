/**
 * When records are removed during a run, those after them move up, some from a page to come to one already read. The totals
 * tell where they are now.
 */

import type { PagingNotice } from '../../../client/paging/report.js';
import { grouped } from '../../../service/grouped.js';
import type { Drift } from './drift.js';

export interface Stretch {
  readonly offset: number;
  readonly limit: number;
}

const NEAR = 100;

/** With more falls than this, different servers responded, and nothing was removed. */
const MOST = 100;

/** Places of records that shifted past a page, by the totals of pages with their offsets; none before `begin`. */
export function shiftedStretches(totals: readonly Drift[], begin: number): readonly Stretch[] {
  const last = totals.at(-1)?.total ?? 0;
  const stretches: { from: number; to: number }[] = [];
  for (const [n, { offset, total }] of totals.entries()) {
    const fell = (totals[n - 1]?.total ?? total) - total;
    if (fell <= 0) continue;
    // Later changes moved them on.
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

export function shiftedNotice(came: number): PagingNotice {
  const what =
    came === 0
      ? 'no other record was missed'
      : `${grouped(came)} that had shifted past a page ${came === 1 ? 'was' : 'were'} requested again`;
  return { kind: 'moved-up', message: `records were removed during the run; ${what}` };
}
