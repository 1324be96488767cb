import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shiftedNotice, shiftedStretches } from '../../../../src/export/collect/source/shifted-records.js';

describe('places of records that moved up', () => {
  it.each([
    ['a total that stays', [[0, 500]], []],
    [
      'a total that rises',
      [
        [0, 500],
        [200, 510],
      ],
      [],
    ],
    [
      'a total that falls',
      [
        [0, 500],
        [200, 495],
      ],
      [{ offset: 195, limit: 5 }],
    ],
    [
      'one that falls again behind, by which the first places move up too',
      [
        [0, 900],
        [300, 890],
        [800, 885],
      ],
      [
        { offset: 285, limit: 15 },
        { offset: 795, limit: 5 },
      ],
    ],
    [
      'one that falls twice nearby',
      [
        [0, 900],
        [300, 890],
        [400, 885],
      ],
      [{ offset: 285, limit: 115 }],
    ],
  ])('%s', (_, totals, expected) => {
    expect(
      shiftedStretches(
        totals.map(([offset = 0, total = 0]) => ({ offset, total })),
        0,
      ),
    ).toEqual(expected);
  });

  it('are none where servers that do not agree answer in turn', () => {
    const totals = Array.from({ length: 500 }, (_, n) => ({ offset: n * 100, total: 50_000 + (n % 2) }));
    expect(shiftedStretches(totals, 0)).toEqual([]);
  });

  it.each([
    [100, 1],
    [101, 2],
  ])('that are %i apart are %i', (apart, count) => {
    const totals = [0, 300, 305 + apart].map((offset, n) => ({ offset, total: 900 - 5 * n }));
    expect(shiftedStretches(totals, 0)).toHaveLength(count);
  });

  it('are none before the beginning', () => {
    const totals = [0, 3].map((offset) => ({ offset, total: 500 - 3 * offset }));
    expect(shiftedStretches(totals, 0)).toEqual([{ offset: 0, limit: 3 }]);
    expect(shiftedStretches(totals, 2)).toEqual([{ offset: 2, limit: 1 }]);
    expect(shiftedStretches(totals, 3)).toEqual([]);
  });

  it.each([
    [0, 'no other record was missed'],
    [1, '1 that had shifted past a page was requested again'],
    [1200, '1,200 that had shifted past a page were requested again'],
  ])('of which %i came are told', (came, what) => {
    const message = `records were removed during the run; ${what}`;
    expect(shiftedNotice(came)).toEqual({ kind: 'moved-up', message });
  });

  it('hold every record that no page did, wherever some are removed', () => {
    const removal = fc.record({
      afterPage: fc.nat(9),
      at: fc.nat(99),
      count: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(removal, { maxLength: 5 }), (removals) => {
        let records = Array.from({ length: 100 }, (_, n) => n);
        const read = new Set<number>();
        const totals: { offset: number; total: number }[] = [];
        for (let page = 0; page < 10; page++) {
          const offset = page * 10;
          const held = records.slice(offset, offset + 10);
          for (const record of held) read.add(record);
          if (held.length > 0 && totals.at(-1)?.total !== records.length)
            totals.push({ offset, total: records.length });
          for (const { afterPage, at, count } of removals) {
            if (afterPage === page) records = records.filter((_, n) => n < at || n >= at + count);
          }
        }
        // What is removed behind the last page does not show.
        const seen = records.filter((record) => !read.has(record));
        const again = shiftedStretches(totals, 0).flatMap(({ offset, limit }) =>
          records.slice(offset, offset + limit),
        );
        const lastTotal = totals.at(-1)?.total ?? 0;
        fc.pre(lastTotal === records.length);
        expect(seen.filter((record) => !again.includes(record))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
