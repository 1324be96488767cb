import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findLargestDerivative, getFieldValues, readRecord } from '../../../src/service/records/record.js';

const sample = JSON.parse(
  readFileSync(new URL('../../fixtures/opacobjects-detail.json', import.meta.url), 'utf8'),
);
const payload = sample.opacObjects[0];

/** The same record with numbers for ids and sizes, as some deployments send it. */
const numbered = JSON.parse(
  JSON.stringify(payload, (key, value) =>
    /Id$|^width$|^height$/.test(key) && /^\d+$/.test(String(value)) ? Number(value) : value,
  ),
);

const getTexts = (identifier: string, source: unknown = payload) =>
  getFieldValues(readRecord(source, 'objects'), identifier).map(({ value }) => value);

const createObject = (...fieldSets: unknown[]) => ({ opacObjectId: '1', opacObjectFieldSets: fieldSets });

describe('readRecord with a captured record', () => {
  const record = () => readRecord(payload, 'objects');

  it('returns the id, type, title, slug, score and collection', () => {
    expect(record()).toMatchObject({
      id: '192938',
      recordType: 'object',
      title: 'Glass Model Invertebrate: Physalia pelagica',
      slug: 'glass-model-invertebrate-physalia-pelagica',
      score: 12.284488,
      collection: { id: '7', name: '' },
    });
  });

  it('returns values in their order, without changes', () => {
    expect(getTexts('other_id')).toEqual(['137/1884', 'F.I. 3078.0', 'EQRC10469']);
    expect(getTexts('brief_desc')[0]).toContain('model of  Portuguese');
  });

  it('returns attributes', () => {
    const [date] = getFieldValues(record(), 'production_date');
    expect([...(date?.attributes ?? [])]).toEqual([
      ['earliest_date', '1863-01-01Z'],
      ['latest_date', '1882-12-31Z'],
    ]);
  });

  it('returns no value for empty text, with or without an attribute', () => {
    expect(getTexts('subject_class')).toEqual([]);
    expect(getTexts('assoc_place')).toEqual([]);
    expect(record().fields.has('assoc_place')).toBe(true);
  });

  it('returns images with numeric sizes, colours and labels', () => {
    expect(record().images.map(({ id }) => id)).toEqual(['181361', '153510']);
    const image = record().images[0];
    expect(image && findLargestDerivative(image)).toMatchObject({
      identifier: 'XLARGE',
      width: 681,
      height: 1000,
    });
    expect(image?.cssColors[0]).toEqual({
      hex: 'b0c4de',
      name: 'light steel blue',
      group: 'blue',
      rank: 1,
      presence: 3.61,
    });
    expect(image?.labels[0]).toEqual({
      id: '611',
      label: 'Blue',
      status: 'auto_verified',
      count: 1327,
      score: 98.89,
    });
    expect(record().images[1]).toMatchObject({ cssColors: [], labels: [] });
  });

  it('returns relationships', () => {
    expect(record().relationships).toEqual([
      {
        id: 'object_prod_pri_person',
        recordType: 'person',
        total: 2,
        records: [
          { id: '56640', title: 'Mr Blaschka, Leopold', slug: 'mr-blaschka-leopold', attributes: [] },
          { id: '96287', title: 'Mr Blaschka, Rudolf', slug: 'mr-blaschka-rudolf', attributes: [] },
        ],
      },
    ]);
  });

  it('returns the same for numbers as for texts, and keeps the raw record', () => {
    const { raw, ...fromNumbers } = readRecord(numbered, 'objects');
    const { raw: text, ...fromText } = record();
    expect(numbered.opacObjectId).toBe(192938);
    expect(fromNumbers).toEqual(fromText);
    expect(raw).toBe(numbered);
    expect(text).toBe(payload);
  });
});

describe('getFieldValues', () => {
  it.each([
    ['an absent set', createObject()],
    ['an empty set', createObject({ identifier: 'maker', opacObjectFields: [] })],
    ['a set without a list', createObject({ identifier: 'maker' })],
    ['a null list', createObject({ identifier: 'maker', opacObjectFields: null })],
    ['empty text', createObject({ identifier: 'maker', opacObjectFields: [{ value: '' }] })],
    [
      'several empty texts',
      createObject({ identifier: 'maker', opacObjectFields: [{ value: '' }, { value: '' }] }),
    ],
    ['a null value', createObject({ identifier: 'maker', opacObjectFields: [{ value: null }] })],
    ['a field without a value', createObject({ identifier: 'maker', opacObjectFields: [{}] })],
  ])('returns no values for %s', (_, source) => {
    expect(getTexts('maker', source)).toEqual([]);
  });

  it('keeps an empty value between others, so that lists stay parallel', () => {
    const source = createObject({
      identifier: 'maker',
      opacObjectFields: [{ value: 'A' }, { value: '' }, { value: 'C' }],
    });
    expect(getTexts('maker', source)).toEqual(['A', '', 'C']);
  });
});

describe('readRecord with other kinds and invalid records', () => {
  it('reads the keys of persons', () => {
    const person = {
      opacPersonId: 12,
      opacPersonFieldSets: [
        {
          identifier: 'name',
          opacPersonFields: [{ value: 'Blake', opacPersonFieldAttributes: [{ key: 'k', value: 'v' }] }],
        },
      ],
    };
    const record = readRecord(person);
    expect(record).toMatchObject({ id: '12', recordType: 'person', title: 'Blake' });
    expect(getFieldValues(record, 'name')[0]?.attributes.get('k')).toBe('v');
  });

  it('reads the type from recordType, also an unknown type', () => {
    expect(readRecord({ opacRecordId: 5, recordType: 'venue' }).recordType).toBe('venue');
    expect(readRecord({ opacRecordId: 5, recordType: 'archive' })).toMatchObject({
      id: '5',
      recordType: 'archive',
    });
  });

  it('combines the values of a field that occurs in two sets', () => {
    const set = (value: string) => ({ identifier: 'maker', opacObjectFields: [{ value }] });
    expect(getTexts('maker', createObject(set('A'), set('B')))).toEqual(['A', 'B']);
  });

  it('reads the names of prototype properties as ordinary keys', () => {
    const hostile = JSON.parse(
      '{"opacObjectId":"1","__proto__":{"slug":"evil"},"opacObjectFieldSets":[{"identifier":"__proto__","opacObjectFields":[{"value":"x","opacObjectFieldAttributes":[{"key":"constructor","value":"y"}]}]}]}',
    );
    const record = readRecord(hostile, 'objects');
    expect(record.slug).toBe('');
    expect(getTexts('__proto__', hostile)).toEqual(['x']);
    expect(getTexts('toString', hostile)).toEqual([]);
    expect(({} as Record<string, unknown>).slug).toBeUndefined();
  });

  it.each([
    null,
    'text',
    7,
    [],
    {},
    { opacObjectFieldSets: 'x', imagesCollection: [], relationshipsCollection: 3 },
  ])('reads %j as an empty record', (source) => {
    const { raw, ...record } = readRecord(source);
    expect(record).toMatchObject({ id: '', title: '', images: [], relationships: [] });
    expect(record.fields.size).toBe(0);
  });
});
