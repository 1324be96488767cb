import { describe, expect, it } from 'vitest';
import { selectChecks } from '../../src/check/checks.js';
import { applyKnownDeviations, parseKnownDeviations } from '../../src/check/known-deviations.js';
import type { CheckResult } from '../../src/check/reports/report-text.js';

const checks = ['paging.cap', 'paging.end', 'search.sort', 'latency'].map((id) => ({ id }));
const read = (text: string) => parseKnownDeviations(text, 'known.txt', checks);

describe('parseKnownDeviations', () => {
  it('reads one deviation per line, with a reason and an optional date', () => {
    expect(
      read('# agreed with IT\n\npaging.cap until 2027-01-31 capped at 50 \r\nlatency  slow disk\n'),
    ).toEqual([
      { id: 'paging.cap', until: '2027-01-31', reason: 'capped at 50', source: 'known.txt line 3' },
      { id: 'latency', until: undefined, reason: 'slow disk', source: 'known.txt line 4' },
    ]);
  });

  it.each([
    ['paging.cab why', 'known.txt line 1: unknown check "paging.cab"', 'did you mean "paging.cap"?'],
    [
      '\npaging.cap until soon why',
      'known.txt line 2: "soon" is not a valid date',
      'use the form 2027-01-31',
    ],
    ['paging.cap until 2027-02-30 why', 'known.txt line 1: "2027-02-30" is not a valid date', undefined],
    ['paging.cap', 'known.txt line 1: the reason is missing', undefined],
    ['paging.cap until 2027-01-31', 'known.txt line 1: the reason is missing', undefined],
  ])('throws an error for %j', (text, message, hint) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ message, ...(hint && { hint }) }));
  });
});

describe('applyKnownDeviations', () => {
  const now = Date.UTC(2026, 10, 21);
  const result = (verdict: CheckResult['verdict']): CheckResult => ({
    id: 'paging.cap',
    promise: '',
    source: '',
    verdict,
    milliseconds: 1,
    reason: null,
    deviations: [],
  });
  const apply = (verdict: CheckResult['verdict'], line: string) =>
    applyKnownDeviations(result(verdict), read(line), now);

  it.each<[CheckResult['verdict'], string, CheckResult['verdict'], string | null]>([
    ['fail', 'paging.cap agreed', 'skip', 'known: agreed'],
    ['warn', 'paging.cap until 2026-11-21 agreed', 'skip', 'known until 2026-11-21: agreed'],
    ['fail', 'paging.cap until 2026-11-20 agreed', 'fail', null],
    ['pass', 'paging.cap agreed', 'warn', null],
    ['skip', 'paging.cap agreed', 'skip', null],
    ['fail', 'latency agreed', 'fail', null],
  ])('turns the verdict %s with the line "%s" into %s', (verdict, line, expected, reason) => {
    expect(apply(verdict, line)).toMatchObject({ verdict: expected, reason });
  });

  it('reports that a deviation no longer occurs, or that its entry has expired', () => {
    expect(apply('pass', 'paging.cap agreed').deviations[0]?.received).toContain('no longer occurs');
    expect(apply('fail', 'paging.cap until 2026-11-20 agreed').deviations[0]?.received).toContain(
      'has expired',
    );
  });
});

describe('selectChecks', () => {
  const all = checks.map(({ id }) => ({ id })) as unknown as Parameters<typeof selectChecks>[0];
  const select = (only: string[], skip: string[] = []) =>
    selectChecks(all, { only, skip }).map(({ id }) => id);

  it.each([
    [['paging'], [], ['paging.cap', 'paging.end']],
    [['*.s*'], [], ['search.sort']],
    [[], ['paging', 'latency'], ['search.sort']],
    [['paging', 'latency'], ['*.cap'], ['paging.end', 'latency']],
  ])('selects checks with only %j and skip %j', (only, skip, expected) => {
    expect(select(only, skip)).toEqual(expected);
  });

  it.each([
    [['pagin'], [], 'unknown check "pagin"'],
    [[], ['(.*'], 'unknown check "(.*"'],
    [['latency'], ['latency'], 'no checks are selected'],
  ])('throws an error with only %j and skip %j', (only, skip, message) => {
    expect(() => select(only, skip)).toThrow(message);
  });
});
