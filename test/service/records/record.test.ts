import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findLargestDerivative, getFieldValues, readRecord } from '../../../src/service/records/record.js';

const sample = JSON.parse(
  readFileSync(new URL('../../fixtures/opacobjects-detail.json', import.meta.url), 'utf8'),
);
const payload = sample.opacObjects[0];

/** The same record as deployments that use numbers send it: ids, sizes, scores. */
const numbered = JSON.parse(
  JSON.stringify(payload, (key, value) =>
    /Id$|^width$|^height$/.test(key) && /^\d+$/.test(String(value)) ? Number(value) : value,
  ),
);

const texts = (identifier: string, of: unknown = payload) =>
  getFieldValues(readRecord(of, 'objects'), identifier).map(({ value }) => value);

const object = (...fieldSets: unknown[]) => ({ opacObjectId: '1', opacObjectFieldSets: fieldSets });

describe('the captured sample', () => {
  const record = () => readRecord(payload, 'objects');

  it('gives identity, title and collection', () => {
    expect(record()).toMatchObject({
      id: '192938',
      recordType: 'object',
      title: 'Glass Model Invertebrate: Physalia pelagica',
      slug: 'glass-model-invertebrate-physalia-pelagica',
      score: 12.284488,
      collection: { id: '7', name: '' },
    });
  });

  it('gives values in their order, exactly as written', () => {
    expect(texts('other_id')).toEqual(['137/1884', 'F.I. 3078.0', 'EQRC10469']);
    expect(texts('brief_desc')[0]).toContain('model of  Portuguese');
  });

  it('gives attributes', () => {
    const [date] = getFieldValues(record(), 'production_date');
    expect([...(date?.attributes ?? [])]).toEqual([
      ['earliest_date', '1863-01-01Z'],
      ['latest_date', '1882-12-31Z'],
    ]);
  });

  it('gives no value for empty text, with an attribute or without', () => {
    expect(texts('subject_class')).toEqual([]);
    expect(texts('assoc_place')).toEqual([]);
    expect(record().fields.has('assoc_place')).toBe(true);
  });

  it('gives images with sizes as numbers, colours and labels', () => {
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

  it('gives relationships', () => {
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

  it('reads the same from the number-typed variant, and keeps either as it came', () => {
    const { raw, ...fromNumbers } = readRecord(numbered, 'objects');
    const { raw: text, ...fromText } = record();
    expect(numbered.opacObjectId).toBe(192938);
    expect(fromNumbers).toEqual(fromText);
    expect(raw).toBe(numbered);
    expect(text).toBe(payload);
  });
});

describe('every spelling of no value', () => {
  it.each([
    ['an absent set', object()],
    ['an empty set', object({ identifier: 'maker', opacObjectFields: [] })],
    ['a set without a list', object({ identifier: 'maker' })],
    ['a null list', object({ identifier: 'maker', opacObjectFields: null })],
    ['empty text', object({ identifier: 'maker', opacObjectFields: [{ value: '' }] })],
    [
      'several empty texts',
      object({ identifier: 'maker', opacObjectFields: [{ value: '' }, { value: '' }] }),
    ],
    ['null', object({ identifier: 'maker', opacObjectFields: [{ value: null }] })],
    ['no value key', object({ identifier: 'maker', opacObjectFields: [{}] })],
  ])('%s is []', (_, of) => {
    expect(texts('maker', of)).toEqual([]);
  });

  it('keeps an empty value between others, so that parallel lists stay in step', () => {
    const of = object({
      identifier: 'maker',
      opacObjectFields: [{ value: 'A' }, { value: '' }, { value: 'C' }],
    });
    expect(texts('maker', of)).toEqual(['A', '', 'C']);
  });
});

describe('other kinds and odd records', () => {
  it('reads a person by its own words', () => {
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

  it('takes the kind from recordType, also one it does not know', () => {
    expect(readRecord({ opacRecordId: 5, recordType: 'venue' }).recordType).toBe('venue');
    expect(readRecord({ opacRecordId: 5, recordType: 'archive' })).toMatchObject({
      id: '5',
      recordType: 'archive',
    });
  });

  it('joins a field that comes in two sets', () => {
    const set = (value: string) => ({ identifier: 'maker', opacObjectFields: [{ value }] });
    expect(texts('maker', object(set('A'), set('B')))).toEqual(['A', 'B']);
  });

  it('is not confused by keys of the prototype', () => {
    const nasty = JSON.parse(
      '{"opacObjectId":"1","__proto__":{"slug":"evil"},"opacObjectFieldSets":[{"identifier":"__proto__","opacObjectFields":[{"value":"x","opacObjectFieldAttributes":[{"key":"constructor","value":"y"}]}]}]}',
    );
    const record = readRecord(nasty, 'objects');
    expect(record.slug).toBe('');
    expect(texts('__proto__', nasty)).toEqual(['x']);
    expect(texts('toString', nasty)).toEqual([]);
    expect(({} as Record<string, unknown>).slug).toBeUndefined();
  });

  it.each([
    null,
    'text',
    7,
    [],
    {},
    { opacObjectFieldSets: 'x', imagesCollection: [], relationshipsCollection: 3 },
  ])('reads %j as an empty record', (of) => {
    const { raw, ...record } = readRecord(of);
    expect(record).toMatchObject({ id: '', title: '', images: [], relationships: [] });
    expect(record.fields.size).toBe(0);
  });
});
