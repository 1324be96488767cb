/** Ways to split a slice by the values of a field, the cheapest first, and the terms that they make. */
import { describe, expect, it } from 'vitest';
import type { FieldValues } from '../../../../src/export/collect/source/slices/search-requests.js';
import {
  type Candidate,
  formatGroup,
  formatRestTerm,
  formatTerms,
  isBetterSplit,
  rankCandidates,
  sumTotals,
} from '../../../../src/export/collect/source/slices/split-candidates.js';

const facet = (field: string, counts: Readonly<Record<string, number>>): FieldValues => ({
  field,
  values: Object.entries(counts).map(([value, count]) => ({ value, count })),
});

/** Groups and cost, rounded. */
const found = (fields: readonly FieldValues[], total: number, window: number) =>
  rankCandidates(fields, total, window, true).map(
    ({ field, groups, cost }) =>
      `${field} ${groups.map((values) => values.join('+')).join(' ')}: ${Math.round(cost * 10) / 10}`,
  );

describe('the ways to split a slice', () => {
  it.each<[string, FieldValues[], number, number, string[]]>([
    [
      'are values in groups that fit, the largest first',
      [facet('f', { a: 10, b: 60, c: 50, d: 30 })],
      150,
      100,
      ['f b+d+a c: 2'],
    ],
    [
      'count what has no value, and what is still to be split',
      [facet('f', { a: 300, b: 50 })],
      500,
      100,
      ['f a b: 7'],
    ],
    [
      'have values of one count in the order of the text',
      [facet('f', { b: 60, a: 60, c: 60 })],
      180,
      60,
      ['f a b c: 3'],
    ],
    [
      'expect less of the rest where records have several values',
      [facet('f', { a: 80, b: 80 })],
      100,
      80,
      ['f a b: 3'],
    ],
    [
      'expect what is left of overlapping values to be split too',
      [facet('f', { a: 600, b: 600 })],
      1000,
      100,
      ['f a b: 16.8'],
    ],
    ['are some where a little comes off', [facet('f', { a: 950 })], 1000, 500, ['f a: 3.4']],
    ['are none where nearly all stay together', [facet('f', { a: 960 })], 1000, 500, []],
    [
      'are some where nearly all stay together, and fit',
      [facet('f', { a: 960, b: 10 })],
      1000,
      980,
      ['f a+b: 2'],
    ],
    [
      'are none of a field that no term can name',
      [facet('f g', { a: 60 }), facet('f:', { a: 60 })],
      120,
      60,
      [],
    ],
    ['are none without values', [facet('f', {})], 120, 60, []],
    [
      'begin with the cheapest field',
      [facet('few', { x: 60, y: 60 }), facet('many', { a: 30, b: 30, c: 30, d: 20 })],
      110,
      60,
      ['many a+b c+d: 2', 'few x y: 3'],
    ],
  ])('%s', (_, fields, total, window, ways) => {
    expect(found(fields, total, window)).toEqual(ways);
  });

  it('are the largest of values that overlap, or all where the service does not understand NOT', () => {
    const values = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`v${n}`, 200 - n]));
    const countOf = (total: number, hasNot: boolean) =>
      rankCandidates([facet('f', values)], total, 5000, hasNot)[0]?.groups.flat().length;
    expect([countOf(21_000, true), countOf(10_000, true), countOf(10_000, false)]).toEqual([200, 24, 200]);
  });

  it('have groups that are no longer than a request may be', () => {
    const long = Array.from({ length: 200 }, (_, n) => [`value ${n} ${'x'.repeat(90)}`, 200 - n]);
    // What stands between values counts too.
    const short = Array.from({ length: 400 }, (_, n) => [`v${100 + n}`, 50]);
    for (const values of [long, short]) {
      const fields = [facet('f', Object.fromEntries(values))];
      const [{ groups = [] } = {}] = rankCandidates(fields, 21_000, 5000, true);
      expect(groups.length).toBeGreaterThan(2);
      for (const group of groups)
        expect(encodeURIComponent(formatGroup('f', group)).length).toBeLessThanOrEqual(2500);
    }
  });
});

describe('the terms of a split', () => {
  const way: Candidate = { field: 'f', groups: [['a', 'b'], ['c'], ['d']], cost: 1 };

  it('exclude those before where that is asked for', () => {
    expect(formatTerms(way, false)).toEqual(['f:("a", "b")', 'f:"c"', 'f:"d"']);
    expect(formatTerms(way, true)).toEqual([
      'f:("a", "b")',
      'f:"c" AND NOT f:("a", "b")',
      'f:"d" AND NOT f:("a", "b", "c")',
    ]);
  });

  it('leave a rest: what has none of the values, or no value where they are too many to name', () => {
    expect(formatRestTerm(way)).toBe('NOT f:("a", "b", "c", "d")');
    expect(formatRestTerm({ ...way, groups: [['x'.repeat(5600)]] })).toBe('NOT f:*');
    expect(formatRestTerm(way, 'x'.repeat(5490))).toBe('NOT f:*');
  });

  it.each([
    [1, 2, true],
    [2, 1, false],
    [-1, 1, true],
    [1, -1, false],
    [-1, -2, true],
    [0, 1, true],
    [1, 1, false],
    [-9, 0, false],
  ])('that miss %i are better than those that miss %i: %s', (one, other, is) => {
    const split = (missing: number) => ({ parts: [], field: 'f', missing });
    expect(isBetterSplit(split(one), split(other))).toBe(is);
    expect(sumTotals([{ total: 3 }, { total: 4 }])).toBe(7);
  });
});
