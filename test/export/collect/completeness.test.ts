/** Decides from the report of a run if an export is complete. */
import { describe, expect, it } from 'vitest';
import { ReportWriter } from '../../../src/client/paging/paging-report.js';
import { NO_COUNTS } from '../../../src/export/collect/export-counts.js';
import { assessCompleteness, isLessThanHalf } from '../../../src/export/verify/completeness.js';
import { OpacError } from '../../../src/service/errors.js';

type Assessed = Parameters<typeof assessCompleteness>[0];

const NONE = { records: 0, ids: [] };
const TALLY = { ...NO_COUNTS, received: 5, written: 5, drift: [{ offset: 0, total: 5 }] };

function assess(
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
  // With `strict`, only repaired problems remain warnings, because the others become reasons.
  if (strict) expect(repaired).toEqual(others.warnings);
  expect(others.warnings).toEqual(expect.arrayContaining([...repaired]));
  return others;
}

const totals = (...all: number[]) => ({ drift: all.map((total, n) => ({ offset: 20 * n, total })) });
const page = (offset: number): Assessed['pages'] => [[offset, 5, 0]];

describe('assessCompleteness of an incomplete export', () => {
  it.each<[string, Parameters<typeof assess>[0], Partial<ReportWriter>]>([
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
  ])('returns the reason: %s', (reason, facts, report) => {
    const { reasons } = assess(facts, report);
    expect(reasons).toEqual([reason]);
  });

  it('returns its gaps as reasons, and does not count their records as missing again', () => {
    const gaps = [
      { offset: 1000, limit: 20, error: new OpacError('deployment', 'the service is down') },
      { offset: 40, limit: 20, error: undefined },
      { offset: 0, limit: 3, error: undefined, what: '3 records of all' },
      { offset: 2006, limit: 1, error: undefined },
    ];
    expect(assess({ tally: totals(51) }, { stopReason: 'missing', gaps }).reasons).toEqual([
      'records 1,001 to 1,020 are missing: the service is down',
      'records 41 to 60 are missing: the service returned an empty page',
      '3 records of all are missing: the service returned an empty page',
      'record 2,007 is missing: the service returned an empty page',
      '2 of 51 records were not received',
    ]);
  });
});

describe('assessCompleteness of a complete export', () => {
  it.each<[string, Parameters<typeof assess>[0], Partial<ReportWriter>]>([
    ['an export with all records', {}, {}],
    ['an export that stopped at its limit', { tally: totals(99) }, { stopReason: 'limit' }],
    ['an export that received all records in several runs', { pages: page(0) }, { stopReason: 'missing' }],
    ['a service without a total', { tally: { drift: [] } }, { stopReason: 'missing' }],
    ['half of the records of the earlier export', { before: 10 }, {}],
    [
      'a notice that the total changed, without a second warning',
      {},
      {
        notices: [{ kind: 'total-moved', message: 'it moved' }],
      },
    ],
  ])('accepts %s', (_, facts, report) => {
    expect(assess(facts, report)).toEqual({ reasons: [], warnings: [] });
  });
});

describe('assessCompleteness of a doubtful export', () => {
  const many = Array.from({ length: 1201 }, (_, n) => `id${n}`);
  const named = many.slice(0, 20).join(', ');
  it.each<[string, Parameters<typeof assess>[0], Partial<ReportWriter>]>([
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
  ])('returns a warning, and a reason with strict: %s', (message, facts, report) => {
    expect(assess(facts, report)).toEqual({ reasons: [], warnings: [message] });
    expect(assess(facts, report, true)).toEqual({ reasons: [message], warnings: [] });
  });

  it('returns duplicates and notices as warnings, even with strict', () => {
    const notices = [{ kind: 'moved-up', message: 'records moved up' } as const];
    expect(assess({ tally: { ...totals(6, 5), duplicates: 1, received: 6 } }, { notices })).toEqual({
      reasons: [],
      warnings: ['the total changed during the run: 6, 5', 'records moved up', '1 duplicate record dropped'],
    });
    const other = [{ kind: 'thin-page', message: 'a thin page' } as const];
    const facts = { tally: { ...totals(6, 5), duplicates: 2, received: 7 } };
    expect(assess(facts, { notices: other }, true)).toEqual({
      reasons: [expect.stringMatching(/6, 5$/)],
      warnings: ['a thin page', '2 duplicate records dropped'],
    });
  });

  it('returns isOnlyStrict as false if records are missing', () => {
    const report = Object.assign(new ReportWriter(20), { stopReason: 'refused' as const });
    const assessed = { report, pages: [], notFound: ['a'], notUtf8: NONE, tally: TALLY };
    for (const strict of [true, false]) expect(assessCompleteness(assessed, strict).isOnlyStrict).toBe(false);
  });

  it.each([
    [4, 10, true],
    [5, 10, false],
    [0, 0, false],
  ])('decides if %i is less than half of %i: %s', (records, before, isLess) => {
    expect(isLessThanHalf(records, before)).toBe(isLess);
  });
});
