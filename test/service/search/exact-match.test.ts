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

describe('matchesExactly', () => {
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
    // An empty value matches fields without a value.
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
  ])('returns for the condition %j: %s', (fields, matches) => {
    const where = Object.entries(fields).map(([field, value]) => ({ field, value }));
    expect(matchesExactly({ where }, record())).toBe(matches);
  });

  it('returns true without conditions', () => {
    expect(matchesExactly({}, record())).toBe(true);
  });

  it.each(['absent', 'my_opacObjectId', 'opacObjectIds', 'xexternal_object_id'])(
    'throws for the field %s, because the record does not contain it',
    (field) => {
      const match = () => matchesExactly({ where: [{ field, value: 'x' }] }, record());
      expect(match).toThrow(UsageError);
      expect(match).toThrow(`do not contain the field "${field}"`);
    },
  );

  it('throws for the collection of a record without a collection', () => {
    expect(() => matchesExactly({ where: [{ field: 'collections', value: '7' }] }, readRecord({}))).toThrow(
      'do not contain the field "collections"',
    );
  });
});

describe('sortByList', () => {
  const createResults = (...records: ReturnType<typeof raw>[]) =>
    records.map((each) => ({ record: each.opacObjectId, raw: each }));

  it('sorts records by a list of ids, and returns the ids without a record', () => {
    const records = createResults(raw('1', {}), raw('2', {}), raw('3', {}));
    expect(sortByList(['3', '9', '1', '2'], records)).toEqual({
      ordered: ['3', '1', '2'],
      missing: ['9'],
      unmatched: 0,
    });
  });

  it('searches for ids in every field, and distinguishes upper and lower case', () => {
    const records = createResults(
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

  it('prefers the id of a record to ids in its fields', () => {
    expect(sortByList(['A', '1'], createResults(raw('1', { other_id: ['A'] })))).toMatchObject({
      missing: ['A'],
    });
  });

  it('compares entire values of a field, and puts records without the field last', () => {
    const records = createResults(
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
