/** Counts over all runs of an export. */
import { describe, expect, it } from 'vitest';
import { ReportWriter } from '../../../src/client/paging/paging-report.js';
import { addPagingReport, NO_COUNTS, type TotalSeen } from '../../../src/export/collect/export-counts.js';

describe('addPagingReport', () => {
  const at = (...totals: number[]) => totals.map((total, n) => ({ offset: 20 * n, total }));
  it.each<[string, TotalSeen[], TotalSeen[], number, TotalSeen[]]>([
    ['returns all totals of a first run', [], at(5, 6), 9, at(5, 6)],
    ['does not repeat a total that did not change', at(5), at(5, 6), 9, [...at(5), { offset: 20, total: 6 }]],
    [
      'adds a total that returns to an earlier value',
      at(5, 6),
      at(6, 5),
      9,
      [...at(5, 6), { offset: 20, total: 5 }],
    ],
    ['adds a new total', at(5), at(7), 9, [...at(5), ...at(7)]],
    ['ignores a total of 0 after the end of the list', at(5), [{ offset: 5, total: 0 }], 0, at(5)],
    [
      'adds a total of 0 before the end of the list',
      at(5),
      [{ offset: 4, total: 0 }],
      0,
      [...at(5), { offset: 4, total: 0 }],
    ],
    ['adds a total of 0 in a first run', [], at(0), 0, at(0)],
  ])('%s', (_, drift, totals, received, expected) => {
    const report = Object.assign(new ReportWriter(20), { totals, received });
    expect(addPagingReport({ ...NO_COUNTS, drift }, report, NO_COUNTS, 0).drift).toEqual(expected);
  });
});
