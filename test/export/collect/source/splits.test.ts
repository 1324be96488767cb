/** Ways to split a slice, the cheapest first, and the searches that they make. */
import { describe, expect, it } from 'vitest';
import type { FacetCounts } from '../../../../src/export/collect/source/slices/counts.js';
import {
  type Candidate,
  candidatesOf,
  groupTerm,
  isNearer,
  partsOf,
  restOf,
  totalOf,
} from '../../../../src/export/collect/source/slices/splits.js';

const facet = (field: string, counts: Readonly<Record<string, number>>, type = 'text'): FacetCounts => ({
  field,
  type,
  values: Object.entries(counts).map(([value, count]) => ({ value, count })),
});

/** Form, groups and cost, rounded. */
const found = (facets: readonly FacetCounts[], total: number, window: number) =>
  candidatesOf(facets, total, window).map(
    ({ field, form, groups, cost }) =>
      `${field} ${form} ${groups.map((values) => values.join('+')).join(' ')}: ${Math.round(cost * 10) / 10}`,
  );

describe('the ways to split a slice', () => {
  it.each<[string, FacetCounts[], number, number, string[]]>([
    [
      'are values in groups that fit, the largest first',
      [facet('f', { a: 10, b: 60, c: 50, d: 30 })],
      150,
      100,
      // b with d and a, c alone, or each by itself as a filter of its facet.
      ['f terms b+d+a c: 2', 'f terms b+d+a c: 2', 'f facet b c d a: 5'],
    ],
    [
      'count what has no value, and what is still to be split',
      [facet('f', { a: 300, b: 50 })],
      500,
      100,
      ['f terms a b: 7', 'f terms a b: 7', 'f facet a b: 8'],
    ],
    [
      'have values of one count in the order of the text',
      [facet('f', { b: 60, a: 60, c: 60 })],
      180,
      60,
      ['f terms a b c: 3', 'f terms a b c: 3', 'f facet a b c: 4'],
    ],
    [
      'expect less of the rest where records have several values',
      [facet('f', { a: 80, b: 80 })],
      100,
      80,
      ['f terms a b: 3', 'f terms a b: 3', 'f facet a b: 3'],
    ],
    [
      'are filters alone for what is no text',
      [facet('f', { a: 60, b: 60 }, 'date')],
      120,
      60,
      ['f facet a b: 3'],
    ],
    [
      'are those of a text that is not said to be one',
      [facet('f', { a: 60, b: 60 }, '')],
      120,
      120,
      ['f terms a+b: 1', 'f terms a+b: 1', 'f facet a b: 3'].slice(2),
    ],
    [
      'expect what is left of overlapping values to be split too',
      [facet('f', { a: 600, b: 600 })],
      1000,
      100,
      ['f facet a b: 15.4', 'f terms a b: 16.8', 'f terms a b: 16.8'],
    ],
    [
      'are some where a little comes off',
      [facet('f', { a: 950 })],
      1000,
      500,
      ['f terms a: 3.4', 'f terms a: 3.4', 'f facet a: 4.4'],
    ],
    [
      'are no filters for more values than there are records',
      [facet('f', { a: 1, b: 1, c: 1 })],
      2,
      1,
      ['f terms a b c: 4', 'f terms a b c: 4'],
    ],
    ['are none where nearly all stay together', [facet('f', { a: 960 })], 1000, 500, []],
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
      [facet('many', { a: 30, b: 30, c: 30, d: 30 }), facet('few', { x: 60, y: 60 })],
      120,
      60,
      [
        'many terms a+b c+d: 2',
        'many terms a+b c+d: 2',
        'few terms x y: 2',
        'few terms x y: 2',
        'few facet x y: 3',
        'many facet a b c d: 5',
      ],
    ],
  ])('%s', (_, facets, total, window, ways) => {
    expect(found(facets, total, window)).toEqual(ways);
  });

  it('carve off the largest values, or all; a group is no longer than a request may be', () => {
    const values = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`value ${n} ${'x'.repeat(90)}`, 200 - n]),
    );
    const [all, carved] = candidatesOf([facet('f', values)], 21_000, 5000).filter(
      ({ form }) => form === 'terms',
    );
    const counts = [carved, all].map((each) => each?.groups.flat().length);
    expect(counts.sort()).toEqual([200, 24]);
    for (const { groups } of [all, carved] as Candidate[])
      expect(
        Math.max(...groups.map((group) => encodeURIComponent(groupTerm('f', group)).length)),
      ).toBeLessThan(2500);
    // What stands between values counts too.
    const short = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`v${100 + n}`, 2]));
    const [{ groups = [] } = {}] = candidatesOf([facet('f', short)], 1000, 1000);
    expect(groups.map((group) => encodeURIComponent(groupTerm('f', group)).length <= 2500)).toEqual(
      groups.map(() => true),
    );
    expect(groups.length).toBeGreaterThan(2);
  });
});

describe('the parts of a split', () => {
  const node = { term: 't:1', facet: 'g:y', total: 9, sort: 's' };
  const way = {
    field: 'f',
    form: 'terms',
    groups: [['a', 'b'], ['c'], ['d']],
    cost: 1,
  } as Candidate;
  it('are terms, apart from those before where that is asked for', () => {
    expect(partsOf(node, way, false)).toEqual([
      { term: 't:1 AND f:("a", "b")', facet: 'g:y' },
      { term: 't:1 AND f:"c"', facet: 'g:y' },
      { term: 't:1 AND f:"d"', facet: 'g:y' },
    ]);
    expect(partsOf({}, way, true).map(({ term }) => term)).toEqual([
      'f:("a", "b")',
      'f:"c" AND NOT f:("a", "b")',
      'f:"d" AND NOT f:("a", "b", "c")',
    ]);
  });

  it('are filters of a facet', () => {
    const groups = [['a'], ['b']];
    expect(partsOf(node, { ...way, form: 'facet', groups }, true)).toEqual([
      { term: 't:1', facet: 'g:y,f:a' },
      { term: 't:1', facet: 'g:y,f:b' },
    ]);
    expect(partsOf({}, { ...way, form: 'facet', groups }, false)).toEqual([
      { facet: 'f:a' },
      { facet: 'f:b' },
    ]);
  });

  it('leave a rest: what has none of the values, or no value where they are too many to name', () => {
    expect(restOf(node, way)).toEqual({ term: 't:1 AND NOT f:("a", "b", "c", "d")', facet: 'g:y' });
    expect(restOf({}, { ...way, form: 'facet' })).toEqual({ term: 'NOT f:*' });
    expect(restOf({}, { ...way, groups: [['x'.repeat(5600)]] })).toEqual({ term: 'NOT f:*' });
    expect(restOf({ term: 'x'.repeat(5490) }, way).term).toMatch(/ AND NOT f:\*$/);
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
  ])('that miss %i are nearer than those that miss %i: %s', (one, other, is) => {
    const split = (missing: number) => ({ parts: [], field: 'f', missing });
    expect(isNearer(split(one), split(other))).toBe(is);
    expect(totalOf([{ total: 3 }, { total: 4 }])).toBe(7);
  });
});
