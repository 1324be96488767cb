import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fieldColumnName,
  formatColumnHeaders,
  listColumnNames,
  parseColumn,
  parseColumnHeaders,
  parseColumns,
} from '../../../src/service/records/columns.js';
import { toFlatJson } from '../../../src/service/records/flat-json.js';
import { readRecord } from '../../../src/service/records/record.js';

const sample = JSON.parse(
  readFileSync(new URL('../../fixtures/opacobjects-detail.json', import.meta.url), 'utf8'),
);
const record = () => readRecord(sample.opacObjects[0], 'objects');

const XLARGE =
  'https://collection.canterburymuseum.com/records/images/xlarge/411139/a47567c793ecbcacfd5aec6eaa1d5bbef063b82a.jpg';

describe('parseColumn', () => {
  it.each([
    ['id', ['192938']],
    ['recordType', ['object']],
    ['collection', ['7']],
    ['field.collection', ['Blaschka Glass']],
    ['other_id', ['137/1884', 'F.I. 3078.0', 'EQRC10469']],
    ['other_id[1]', ['F.I. 3078.0']],
    ['other_id[9]', []],
    ['production_date@earliest_date', ['1863-01-01Z']],
    ['production_date[0]@latest_date', ['1882-12-31Z']],
    ['production_date@nothing', []],
    ['no_such_field', []],
    ['image.count', ['2']],
    ['image.TINY.width', ['51', '52']],
    ['image.DISPLAY.url', []],
    ['relationship.object_prod_pri_person', ['Mr Blaschka, Leopold', 'Mr Blaschka, Rudolf']],
    ['relationship.object_prod_pri_person.title', ['Mr Blaschka, Leopold', 'Mr Blaschka, Rudolf']],
    ['relationship.object_prod_pri_person.id', ['56640', '96287']],
    ['relationship.object_prod_pri_person.slug', ['mr-blaschka-leopold', 'mr-blaschka-rudolf']],
    ['relationship.none', []],
  ])('returns for %s the values %j', (name, values) => {
    expect(parseColumn(name).values(record())).toEqual(values);
  });

  it('returns for image.url the largest derivative of each image, in any order of sizes', () => {
    expect(parseColumn('image.url').values(record())[0]).toBe(XLARGE);
    expect(parseColumn('image.url').values(record())).toHaveLength(2);
  });

  it('returns each label once', () => {
    expect(parseColumn('label').values(record())).toHaveLength(9);
  });
});

describe('relationship column', () => {
  it.each(['a.b', 'a@id', 'a.name', 'a.ID', 'a.', 'a.id.'])('refuses an unknown part: %s', (id) => {
    expect(() => parseColumn(`relationship.${id}`)).toThrow(`unknown column "relationship.${id}"`);
  });

  it.each(['a.id', 'a.b', 'a@b', 'a.title'])('accepts any id of a relationship: %s', (relationshipId) => {
    const related = {
      relationshipId,
      relatedRecords: [{ relatedRecordId: '7', title: 'Anna', slug: 's' }],
    };
    const found = readRecord({ relationshipsCollection: { relationships: [related] } }, 'objects');
    const names = listColumnNames(found, { withRelatedIds: true });
    expect(names.map((name) => parseColumn(name).values(found))).toEqual([['Anna'], ['7'], ['s']]);
  });

  it('keeps empty slugs, so that ids and slugs are parallel', () => {
    const relatedRecords = [{ relatedRecordId: '7' }, { relatedRecordId: '8', slug: 's' }];
    const relationships = [{ relationshipId: 'by', relatedRecords }];
    const found = readRecord({ relationshipsCollection: { relationships } }, 'objects');
    expect(parseColumn('relationship.by.id').values(found)).toEqual(['7', '8']);
    expect(parseColumn('relationship.by.slug').values(found)).toEqual(['', 's']);
  });

  it('has another name than a field with the same identifier', () => {
    expect(fieldColumnName('relationship.a.b')).toBe('field.relationship.a.b');
  });
});

describe('parseColumns', () => {
  it('splits at commas and line breaks, and ignores empty names', () => {
    expect(parseColumns('id, title, ,\nmaker_name\n \n').map(({ name }) => name)).toEqual([
      'id',
      'title',
      'maker_name',
    ]);
  });
  it('reads the header after =', () => {
    expect(parseColumnHeaders(String.raw`id, image.url = image_url,a\=b=c=d,e\,f`)).toEqual([
      { name: 'id', header: 'id' },
      { name: 'image.url', header: 'image_url' },
      { name: 'a=b', header: 'c=d' },
      { name: 'e,f', header: 'e,f' },
    ]);
  });
  it('reads the output of formatColumnHeaders', () => {
    const text = fc.string().map((each) => `x${each}x`);
    fc.assert(
      fc.property(fc.array(fc.record({ name: text, header: text }), { minLength: 1 }), (columns) => {
        expect(parseColumnHeaders(formatColumnHeaders(columns))).toEqual(columns);
      }),
    );
  });
  it('removes quotes around a header, but keeps quotes that formatColumnHeaders printed', () => {
    expect(parseColumnHeaders('id,accession_no="Inventory number"')[1]?.header).toBe('Inventory number');
    const quoted = [{ name: 'id', header: '"id"' }];
    expect(parseColumnHeaders(formatColumnHeaders(quoted))).toEqual(quoted);
  });

  it('refuses an empty list', () => {
    expect(() => parseColumns('')).toThrow(
      expect.objectContaining({ message: 'no column names in ""', hint: 'see: opac help columns' }),
    );
  });
});

describe('listColumnNames', () => {
  it('lists fields in their order, then relationships, and adds a prefix to reserved names', () => {
    const names = listColumnNames(record());
    expect(names.slice(0, 2)).toEqual(['name', 'brief_desc']);
    expect(names.at(-1)).toBe('relationship.object_prod_pri_person');
    expect(names).toContain('field.collection');
    expect(names).not.toContain('collection');
  });
  it('lists attributes after their field with withAttributes', () => {
    const names = listColumnNames(record(), { withAttributes: true });
    expect(names.slice(0, 2)).toEqual(['name', 'name@title']);
  });
  it.each([
    ['maker_name', 'maker_name'],
    ['title', 'field.title'],
    ['image.count', 'field.image.count'],
    ['relationship.x', 'field.relationship.x'],
  ])('converts the field %s to the column %s and back', (identifier, name) => {
    expect(fieldColumnName(identifier)).toBe(name);
    expect(parseColumn(name).field).toBe(identifier);
  });
});

describe('toFlatJson', () => {
  it('returns lists of fields, parallel lists of attributes, images and relationships', () => {
    const plain = toFlatJson(record());
    expect(plain.fields.other_id).toEqual(['137/1884', 'F.I. 3078.0', 'EQRC10469']);
    expect(plain.fields.subject_class).toEqual([]);
    expect(Object.keys(plain.attributes)).not.toContain('other_id');
    expect(plain.attributes.production_date).toEqual([
      { earliest_date: '1863-01-01Z', latest_date: '1882-12-31Z' },
    ]);
    expect(plain.images[0]?.derivatives.TINY).toMatchObject({ width: 51, height: 75 });
    expect(plain.relationships.object_prod_pri_person?.total).toBe(2);
  });
});
