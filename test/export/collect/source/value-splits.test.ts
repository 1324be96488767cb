/** Candidates to split a slice by the values of a field, the cheapest first, and their terms. */
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

/** Ranks candidates and formats their groups and rounded cost. */
const rank = (fields: readonly FieldValues[], total: number, window: number) =>
  rankCandidates(fields, total, window, true).map(
    ({ field, groups, cost }) =>
      `${field} ${groups.map((values) => values.join('+')).join(' ')}: ${Math.round(cost * 10) / 10}`,
  );

describe('rankCandidates', () => {
  it.each<[string, FieldValues[], number, number, string[]]>([
    [
      'returns groups of values that fit, the largest values first',
      [facet('f', { a: 10, b: 60, c: 50, d: 30 })],
      150,
      100,
      ['f b+d+a c: 2'],
    ],
    [
      'adds the cost of records without a value and of groups that must be split again',
      [facet('f', { a: 300, b: 50 })],
      500,
      100,
      ['f a b: 7'],
    ],
    [
      'sorts values with the same count by their text',
      [facet('f', { b: 60, a: 60, c: 60 })],
      180,
      60,
      ['f a b c: 3'],
    ],
    [
      'expects a smaller rest if records have several values',
      [facet('f', { a: 80, b: 80 })],
      100,
      80,
      ['f a b: 3'],
    ],
    [
      'expects that the rest of overlapping values must be split too',
      [facet('f', { a: 600, b: 600 })],
      1000,
      100,
      ['f a b: 16.8'],
    ],
    [
      'returns a candidate if it separates at least a few records',
      [facet('f', { a: 950 })],
      1000,
      500,
      ['f a: 3.4'],
    ],
    ['returns no candidate if nearly all records stay together', [facet('f', { a: 960 })], 1000, 500, []],
    [
      'returns a candidate if nearly all records stay together and fit',
      [facet('f', { a: 960, b: 10 })],
      1000,
      980,
      ['f a+b: 2'],
    ],
    [
      'ignores fields whose names cannot occur in a term',
      [facet('f g', { a: 60 }), facet('f:', { a: 60 })],
      120,
      60,
      [],
    ],
    ['returns no candidate for a field without values', [facet('f', {})], 120, 60, []],
    [
      'returns the cheapest field first',
      [facet('few', { x: 60, y: 60 }), facet('many', { a: 30, b: 30, c: 30, d: 20 })],
      110,
      60,
      ['many a+b c+d: 2', 'few x y: 3'],
    ],
  ])('%s', (_, fields, total, window, expected) => {
    expect(rank(fields, total, window)).toEqual(expected);
  });

  it('uses only the largest of overlapping values, or all values without NOT', () => {
    const values = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`v${n}`, 200 - n]));
    const countOf = (total: number, hasNot: boolean) =>
      rankCandidates([facet('f', values)], total, 5000, hasNot)[0]?.groups.flat().length;
    expect([countOf(21_000, true), countOf(10_000, true), countOf(10_000, false)]).toEqual([200, 24, 200]);
  });

  it('limits the length of the term of a group', () => {
    const long = Array.from({ length: 200 }, (_, n) => [`value ${n} ${'x'.repeat(90)}`, 200 - n]);
    // Separators between values count too.
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

describe('split by values', () => {
  const candidate: Candidate = { field: 'f', groups: [['a', 'b'], ['c'], ['d']], cost: 1 };

  it('excludes the previous groups from each term if requested', () => {
    expect(formatTerms(candidate, false)).toEqual(['f:("a", "b")', 'f:"c"', 'f:"d"']);
    expect(formatTerms(candidate, true)).toEqual([
      'f:("a", "b")',
      'f:"c" AND NOT f:("a", "b")',
      'f:"d" AND NOT f:("a", "b", "c")',
    ]);
  });

  it('has a term for the rest: NOT with all values, or NOT f:* if that is too long', () => {
    expect(formatRestTerm(candidate)).toBe('NOT f:("a", "b", "c", "d")');
    expect(formatRestTerm({ ...candidate, groups: [['x'.repeat(5600)]] })).toBe('NOT f:*');
    expect(formatRestTerm(candidate, 'x'.repeat(5490))).toBe('NOT f:*');
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
  ])('is better with %i missing records than with %i: %s', (one, other, isBetter) => {
    const split = (missing: number) => ({ parts: [], field: 'f', missing });
    expect(isBetterSplit(split(one), split(other))).toBe(isBetter);
    expect(sumTotals([{ total: 3 }, { total: 4 }])).toBe(7);
  });
});
