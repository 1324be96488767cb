/** Counts over all runs of an export. */
import { describe, expect, it } from 'vitest';
import { ReportWriter } from '../../../src/client/paging/paging-report.js';
import { addPagingReport, NO_COUNTS, type TotalSeen } from '../../../src/export/collect/export-counts.js';

describe('the totals of all runs', () => {
  const at = (...totals: number[]) => totals.map((total, n) => ({ offset: 20 * n, total }));
  it.each<[string, TotalSeen[], TotalSeen[], number, TotalSeen[]]>([
    ['of a first run are all it saw', [], at(5, 6), 9, at(5, 6)],
    ['are not told twice', at(5), at(5, 6), 9, [...at(5), { offset: 20, total: 6 }]],
    ['come back', at(5, 6), at(6, 5), 9, [...at(5, 6), { offset: 20, total: 5 }]],
    ['go on', at(5), at(7), 9, [...at(5), ...at(7)]],
    ['past the end say nothing', at(5), [{ offset: 5, total: 0 }], 0, at(5)],
    [
      'before the end do, also without records',
      at(5),
      [{ offset: 4, total: 0 }],
      0,
      [...at(5), { offset: 4, total: 0 }],
    ],
    ['without records of a first run do', [], at(0), 0, at(0)],
  ])('%s', (_, drift, totals, received, expected) => {
    const report = Object.assign(new ReportWriter(20), { totals, received });
    expect(addPagingReport({ ...NO_COUNTS, drift }, report, NO_COUNTS, 0).drift).toEqual(expected);
  });
});
