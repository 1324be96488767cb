import { describe, expect, it } from 'vitest';
import { readList, readRecords } from '../../../src/client/paging/read-list.js';

const SHAPE = { key: 'opacObjects', total: 'totalObjects' };
const A = { opacObjectId: 1 };

describe('readList', () => {
  it.each([
    ['the key and total of the catalogue', { opacObjects: [A], totalObjects: 7 }, [A], 7],
    ['a total written as text', { opacObjects: [A], totalObjects: '7' }, [A], 7],
    ['no total', { opacObjects: [A] }, [A], undefined],
    ['a total that is no count', { opacObjects: [A], totalObjects: 'many' }, [A], undefined],
    ['a negative total', { opacObjects: [], totalObjects: -1 }, [], undefined],
    ['another total', { opacObjects: [A], total: 7 }, [A], 7],
    [
      'two other totals, of which neither can be preferred',
      { opacObjects: [A], totalA: 7, totalB: 8 },
      [A],
      undefined,
    ],
    ['another array beside the named one', { opacObjects: [A], facets: [1], totalObjects: 7 }, [A], 7],
    ['an empty list', { opacObjects: [], totalObjects: 7 }, [], 7],
    ['an absent list', { totalObjects: 0 }, [], 0],
    ['a list of null', { opacObjects: null, totalObjects: 0 }, [], 0],
    ['a bare array', [A, 2], [A, 2], undefined],
    ['a total that is no whole number', { opacObjects: [A], totalObjects: 1.5 }, [A], undefined],
    ['a total of zero', { opacObjects: [A], totalObjects: 0, total: 7 }, [A], 0],
    ['another total in capitals', { opacObjects: [A], TOTAL: 7, subtotal: 8 }, [A], 7],
    ['another total beside one that is no count', { opacObjects: [A], totalA: 7, totalB: 'x' }, [A], 7],
    ['an only array beside errors', { objects: [A], errors: [], Warning: [], messages: [] }, [A], undefined],
    ['an array whose name has an error in it', { errorsOfPrint: [A] }, [A], undefined],
    ['an only array of another name', { objects: [A], totalRecords: 7, took: 3 }, [A], 7],
  ])('reads a response with %s', (_, value, records, total) => {
    expect(readList(value, SHAPE)).toEqual({ records, total });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'none'],
    ['an object of something else', { status: 'ok' }],
    ['a message', { message: 'no such thing' }],
    ['errors', { errors: ['no such thing'] }],
    ['two arrays of other names', { a: [], b: [] }],
    ['two arrays of other names with a total', { a: [], b: [], totalObjects: 0 }],
    ['a list of text', { opacObjects: 'none', totalObjects: 0 }],
    ['false for a list', { opacObjects: false, totalObjects: 0 }],
    ['a list that is none', { opacObjects: { '0': A }, totalObjects: 1 }],
    ['an empty object', {}],
  ])('returns undefined for %s', (_, value) => {
    expect(readList(value, SHAPE)).toBeUndefined();
  });

  it('throws for more than 250,000 items, also under another key', () => {
    const items = Array(250_001).fill(0);
    for (const value of [items, { anyKey: items }])
      expect(() => readList(value, SHAPE)).toThrow('more than 250,000 items');
  });

  it('reads only an empty object as an empty list, if it is after the first page', () => {
    expect(readList({}, SHAPE, 100)).toEqual({ records: [], total: undefined });
    expect(readList({ status: 'ok' }, SHAPE, 100)).toBeUndefined();
    expect(readList({ a: [], b: [] }, SHAPE, 100)).toBeUndefined();
    expect(readList({}, SHAPE, 1)).toEqual({ records: [], total: undefined });
  });
});

describe('readRecords', () => {
  it('omits items that are not records, and returns undefined if all items are omitted', () => {
    const read = (opacObjects: readonly unknown[]) => readRecords({ opacObjects, totalObjects: 2 }, SHAPE);
    expect(read([A, null, 'A'])).toEqual({ records: [A], total: 2 });
    expect(read([])).toEqual({ records: [], total: 2 });
    expect(read([null, 'A', [A]])).toBeUndefined();
  });
});
