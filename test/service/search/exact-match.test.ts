import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/service/errors.js';
import { readRecord } from '../../../src/service/records/record.js';
import { matchesExactly, sortByList } from '../../../src/service/search/exact-match.js';

const raw = (id: string, fields: Readonly<Record<string, readonly string[]>>) => ({
  opacObjectId: id,
  recordType: 'object',
  opacCollection: { opacCollectionId: 7 },
  opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
    identifier,
    opacObjectFields: values.map((value) => ({ value })),
  })),
});

describe('whether a record holds whole values', () => {
  const record = () =>
    readRecord(raw('5', { maker: ['Ann', ' William\n \u00a0BLAKE '], place: ['Sho\u0304ji'], empty: [''] }));

  it.each([
    [{ maker: 'william blake' }, true],
    [{ maker: 'Ann' }, true],
    [{ maker: 'William' }, false],
    [{ place: 'Shōji' }, true],
    [{ place: 'Shoji' }, false],
    [{ maker: 'Ann', place: 'shōji' }, true],
    [{ maker: 'Ann', place: 'Kyoto' }, false],
    [{ maker: 'Kyoto', place: 'Shōji' }, false],
    // The empty value means a field without one.
    [{ maker: ' ' }, false],
    [{ empty: '' }, true],
    [{ absent: '' }, true],
    [{ collections: '7' }, true],
    [{ collections: '8' }, false],
    [{ recordType: 'Object' }, true],
    [{ external_object_id: '5' }, true],
    [{ opacObjectId: '5' }, true],
    [{ opacPersonId: '6' }, false],
    [{ opacVenueId: '5' }, true],
  ])('%j: %s', (fields, holds) => {
    const where = Object.entries(fields).map(([field, value]) => ({ field, value }));
    expect(matchesExactly({ where }, record())).toBe(holds);
  });

  it('is so where nothing is asked', () => {
    expect(matchesExactly({}, record())).toBe(true);
  });

  it.each(['absent', 'my_opacObjectId', 'opacObjectIds', 'xexternal_object_id'])(
    'cannot be told of the field %s, which the record does not show',
    (field) => {
      const tell = () => matchesExactly({ where: [{ field, value: 'x' }] }, record());
      expect(tell).toThrow(UsageError);
      expect(tell).toThrow(`do not contain the field "${field}"`);
    },
  );

  it('cannot be told of the collection of a record that names none', () => {
    expect(() => matchesExactly({ where: [{ field: 'collections', value: '7' }] }, readRecord({}))).toThrow(
      'do not contain the field "collections"',
    );
  });
});

describe('records in the order of a list', () => {
  const found = (...records: ReturnType<typeof raw>[]) =>
    records.map((each) => ({ record: each.opacObjectId, raw: each }));

  it('puts the records of ids into their order, and names ids without a record', () => {
    const records = found(raw('1', {}), raw('2', {}), raw('3', {}));
    expect(sortByList(['3', '9', '1', '2'], records)).toEqual({
      ordered: ['3', '1', '2'],
      missing: ['9'],
      unmatched: 0,
    });
  });

  it('looks for ids in every field, exactly as they are written', () => {
    const records = found(
      raw('1', { name: ['x'], other_id: ['B', 'A'] }),
      raw('2', { no: ['c'] }),
      raw('D', {}),
    );
    expect(sortByList(['D', 'A', 'C'], records)).toEqual({
      ordered: ['D', '1', '2'],
      missing: ['C'],
      unmatched: 1,
    });
  });

  it('takes the own id of a record before ids in its fields', () => {
    expect(sortByList(['A', '1'], found(raw('1', { other_id: ['A'] })))).toMatchObject({ missing: ['A'] });
  });

  it('takes whole values of a field, leaves out records of mere words, and puts those that do not show it last', () => {
    const records = found(
      raw('1', { name: ['x'] }),
      raw('2', { maker: ['Ann Lee'] }),
      raw('3', { maker: ['BOB'] }),
      raw('4', { maker: ['bob', ' ann'] }),
    );
    expect(sortByList(['Ann', 'Bob', 'Cy'], records, 'maker')).toEqual({
      ordered: ['4', '3', '1'],
      missing: ['Cy'],
      unmatched: 1,
    });
  });
});
