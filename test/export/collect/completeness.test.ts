/** The verdict on an export, from what its run reports. */
import { describe, expect, it } from 'vitest';
import { ReportWriter } from '../../../src/client/paging/paging-report.js';
import { NO_COUNTS } from '../../../src/export/collect/export-counts.js';
import { assessCompleteness, isLessThanHalf } from '../../../src/export/verify/completeness.js';
import { OpacError } from '../../../src/service/errors.js';

type Assessed = Parameters<typeof assessCompleteness>[0];

const NONE = { records: 0, ids: [] };
const TALLY = { ...NO_COUNTS, received: 5, written: 5, drift: [{ offset: 0, total: 5 }] };

function verdict(
  { tally, ...facts }: Partial<Omit<Assessed, 'report' | 'tally'>> & { tally?: Partial<Assessed['tally']> },
  change: Partial<ReportWriter> = {},
  strict = false,
) {
  const report = Object.assign(new ReportWriter(20), { stopReason: 'complete' }, change);
  const assessed = {
    report,
    pages: [],
    notFound: [],
    notUtf8: NONE,
    ...facts,
    tally: { ...TALLY, ...tally },
  };
  const { repaired, isOnlyStrict, ...others } = assessCompleteness(assessed, strict);
  expect(isOnlyStrict).toBe(strict && others.reasons.length > 0);
  // All of them are harmless if `strict` is set, because the others are then reasons.
  if (strict) expect(repaired).toEqual(others.warnings);
  expect(others.warnings).toEqual(expect.arrayContaining([...repaired]));
  return others;
}

const totals = (...all: number[]) => ({ drift: all.map((total, n) => ({ offset: 20 * n, total })) });
const page = (offset: number): Assessed['pages'] => [[offset, 5, 0]];

describe('an export is incomplete', () => {
  it.each<[string, Parameters<typeof verdict>[0], Partial<ReportWriter>]>([
    ['the service returned empty pages before the end of the list', {}, { stopReason: 'early' }],
    [
      'the service ignores the offset, so opac can only get the first page',
      {},
      { stopReason: 'offset-ignored' },
    ],
    ['the service refuses higher offsets', {}, { stopReason: 'refused' }],
    ['opac did not read all pages', {}, { stopReason: 'running' }],
    ['reading the pages failed', {}, { stopReason: 'failed' }],
    ['reading the pages was stopped', {}, { stopReason: 'stopped' }],
    ['1 of 6 records was not received', { tally: totals(6) }, { stopReason: 'missing' }],
    ['1,995 of 2,000 records were not received', { tally: totals(9, 2000) }, { stopReason: 'missing' }],
    ['1 of 1 record was not received', { tally: { ...totals(1), received: 0 } }, { stopReason: 'missing' }],
    ['2 of 10 records were not received', { tally: totals(10), pages: page(3) }, { stopReason: 'missing' }],
    ['2 of 5 records were not received', { tally: { duplicates: 2 } }, { stopReason: 'missing' }],
  ])('%s', (reason, facts, report) => {
    const { reasons } = verdict(facts, report);
    expect(reasons).toEqual([reason]);
  });

  it('by its gaps, whose records are not missing twice', () => {
    const gaps = [
      { offset: 1000, limit: 20, error: new OpacError('deployment', 'the service is down') },
      { offset: 40, limit: 20, error: undefined },
      { offset: 0, limit: 3, error: undefined, what: '3 records of all' },
      { offset: 2006, limit: 1, error: undefined },
    ];
    expect(verdict({ tally: totals(51) }, { stopReason: 'missing', gaps }).reasons).toEqual([
      'records 1,001 to 1,020 are missing: the service is down',
      'records 41 to 60 are missing: the service returned an empty page',
      '3 records of all are missing: the service returned an empty page',
      'record 2,007 is missing: the service returned an empty page',
      '2 of 51 records were not received',
    ]);
  });
});

describe('an export is complete', () => {
  it.each<[string, Parameters<typeof verdict>[0], Partial<ReportWriter>]>([
    ['that has all', {}, {}],
    ['that was to stop at a limit', { tally: totals(99) }, { stopReason: 'limit' }],
    ['that has all over its runs', { pages: page(0) }, { stopReason: 'missing' }],
    ['of a service without a total', { tally: { drift: [] } }, { stopReason: 'missing' }],
    ['that has half of the one before', { before: 10 }, {}],
    [
      'whose first total was another, which is said once',
      {},
      {
        notices: [{ kind: 'total-moved', message: 'it moved' }],
      },
    ],
  ])('%s', (_, facts, report) => {
    expect(verdict(facts, report)).toEqual({ reasons: [], warnings: [] });
  });
});

describe('a doubt is a warning, and with strict a reason', () => {
  const many = Array.from({ length: 1201 }, (_, n) => `id${n}`);
  const named = many.slice(0, 20).join(', ');
  it.each<[string, Parameters<typeof verdict>[0], Partial<ReportWriter>]>([
    ['the total changed during the run: 4, 5', { tally: totals(4, 5) }, {}],
    [
      'the total changed during the run: 2,000, 1,001, 1,003, 1,002',
      { tally: totals(2000, 1001, 1003, 1002) },
      {},
    ],
    ['the total changed during the run: 6, 5', { tally: totals(6, 5) }, {}],
    ['1 entry of the list was not found: a', { notFound: ['a'] }, {}],
    ['2 entries of the list were not found: a, b', { notFound: ['a', 'b'] }, {}],
    [`20 entries of the list were not found: ${named}`, { notFound: many.slice(0, 20) }, {}],
    [`1,201 entries of the list were not found: ${named} and 1,181 more`, { notFound: many }, {}],
    [
      '1 record with bytes that are not UTF-8, written as U+FFFD: a',
      { notUtf8: { records: 1, ids: ['a'] } },
      {},
    ],
    ['only 5 records; the earlier export has 1,100', { before: 1100 }, {}],
  ])('%s', (said, facts, report) => {
    expect(verdict(facts, report)).toEqual({ reasons: [], warnings: [said] });
    expect(verdict(facts, report, true)).toEqual({ reasons: [said], warnings: [] });
  });

  it('but for duplicates and what the service did, which are warnings always', () => {
    const notices = [{ kind: 'moved-up', message: 'records moved up' } as const];
    expect(verdict({ tally: { ...totals(6, 5), duplicates: 1, received: 6 } }, { notices })).toEqual({
      reasons: [],
      warnings: ['the total changed during the run: 6, 5', 'records moved up', '1 duplicate record dropped'],
    });
    const other = [{ kind: 'thin-page', message: 'a thin page' } as const];
    const facts = { tally: { ...totals(6, 5), duplicates: 2, received: 7 } };
    expect(verdict(facts, { notices: other }, true)).toEqual({
      reasons: [expect.stringMatching(/6, 5$/)],
      warnings: ['a thin page', '2 duplicate records dropped'],
    });
  });

  it('which does not hide that records are missing', () => {
    const report = Object.assign(new ReportWriter(20), { stopReason: 'refused' as const });
    const assessed = { report, pages: [], notFound: ['a'], notUtf8: NONE, tally: TALLY };
    for (const strict of [true, false]) expect(assessCompleteness(assessed, strict).isOnlyStrict).toBe(false);
  });

  it.each([
    [4, 10, true],
    [5, 10, false],
    [0, 0, false],
  ])('%i records after %i are far fewer: %s', (records, before, isFar) => {
    expect(isLessThanHalf(records, before)).toBe(isFar);
  });
});
