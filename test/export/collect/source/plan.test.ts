/** The filters of slices, and the slices of a part. */
import { describe, expect, it } from 'vitest';
import {
  applyFilter,
  createSlicePlan,
  createUnslicedPlan,
  formatFilter,
  getOffsetsPerSlice,
  joinTerms,
  type Slice,
  selectPart,
} from '../../../../src/export/collect/source/slices/slice-plan.js';

describe('slice filter', () => {
  it.each([
    [{}, 'query=a:1&sort=s', 'query=a:1&sort=s'],
    [{ term: 'b:2' }, 'view=v', 'view=v&query=b:2'],
    [{ term: 'b:2' }, 'query=a:1&view=v', 'view=v&query=a:1 AND b:2'],
    [{ term: 'b:2' }, 'query=a:1 OR c:3', 'query=(a:1 OR c:3) AND b:2'],
    [{ term: 'b:2' }, 'query=a:1\n OR c:3\n', 'query=(a:1\n OR c:3\n) AND b:2'],
    [{ term: 'b:2' }, 'query=a:1 || c:3', 'query=(a:1 || c:3) AND b:2'],
    [{ term: 'b:2' }, 'query=FOR:1', 'query=FOR:1 AND b:2'],
    [{ sort: 't', direction: 'desc' } as const, 'sort=s&direction=asc&a=b', 'a=b&sort=t&direction=desc'],
  ])('applies %j to %j: %j', (filter, before, after) => {
    const query = before.split('&').map((each) => {
      const at = each.indexOf('=');
      return [each.slice(0, at), each.slice(at + 1)] as const;
    });
    expect(
      applyFilter(query, filter)
        .map((each) => each.join('='))
        .join('&'),
    ).toBe(after);
  });

  it.each([
    [{}, 'all records'],
    [{ term: 'a:1' }, 'a:1'],
    [{ sort: 's', direction: 'desc' } as const, 'all records, by s descending'],
    [{ term: 'a:1', sort: 's' }, 'a:1, by s ascending'],
  ])('formats %j as %j', (filter, words) => {
    expect(formatFilter(filter)).toBe(words);
  });

  it('joins two terms, or returns the only one', () => {
    expect([joinTerms('a', 'b'), joinTerms('', 'b'), joinTerms(undefined, 'b')]).toEqual([
      'a AND b',
      'b',
      'b',
    ]);
  });
});

const slice = (records: number, limit = records): Slice => ({ total: limit, offset: 0, limit, records });
const plan = (...slices: Slice[]) => createSlicePlan({ total: 9, window: 1000, slices, unreachable: [] });

describe('selectPart', () => {
  it.each<[string, Slice[], number, string[]]>([
    ['complete slices', [slice(500), slice(500)], 2, ['0+500=500', '0+500=500']],
    ['slices cut at multiples of a page', [slice(1000)], 3, ['0+300=300', '300+400=400', '700+300=300']],
    // Records that a slice reads in addition to its new records belong to its last part.
    ['an overlap in the last part of its slice', [slice(300, 400)], 2, ['0+200=200', '200+200=100']],
    ['small slices without cuts', [slice(30), slice(40)], 2, ['0+30=30', '0+40=40']],
    ['nothing for one of the parts', [slice(50)], 2, ['', '0+50=50']],
    ['the parts of 160 records, cut at 100', [slice(160)], 2, ['0+100=100', '100+60=60']],
    ['the parts of 130 records, cut at 0 and 100', [slice(130)], 3, ['', '0+100=100', '100+30=30']],
    ['complete slices of any size', [slice(130), slice(130)], 2, ['0+130=130', '0+130=130']],
    [
      'a complete slice if the cut is near its last new record',
      [slice(300, 400), slice(230)],
      2,
      ['0+400=300', '0+230=230'],
    ],
    ['a last slice without new records', [slice(100), { ...slice(50), records: 0 }], 1, ['0+100=100 0+50=0']],
    [
      'a first slice without new records',
      [{ ...slice(0, 50), records: 0 }, slice(100)],
      1,
      ['0+50=0 0+100=100'],
    ],
  ])('returns %s', (_, slices, of, parts) => {
    const found = Array.from({ length: of }, (__, n) => selectPart(plan(...slices), { number: n + 1, of }));
    const formatted = found.map((part) =>
      part.map(({ offset, limit, records }) => `${offset}+${limit}=${records}`).join(' '),
    );
    expect(formatted).toEqual(parts);
  });
});

it('gives plans different hashes if any of their values differ', () => {
  const plans = [
    plan(),
    plan(slice(1)),
    createSlicePlan({ total: 8, window: 1000, slices: [], unreachable: [] }),
    createSlicePlan({ total: 9, window: null, slices: [], unreachable: [] }),
    createSlicePlan({ total: 9, window: 1000, slices: [], unreachable: [{ what: 'x', records: 1 }] }),
  ];
  expect(new Set(plans.map(({ sha256 }) => sha256)).size).toBe(plans.length);
  expect(plans[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(plans.map(getOffsetsPerSlice)).toEqual([1000, 1000, 1000, 2 ** 40, 1000]);
  expect(createUnslicedPlan(7, null).slices).toEqual([{ total: 7, offset: 0, limit: 7, records: 7 }]);
});
