/** Values, types, column names and row groups of Parquet files. */
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { createParquetRecordWriter } from '../../../src/export/convert/parquet.js';
import { parseColumn } from '../../../src/service/records/columns.js';
import { VERSION } from '../../../src/service/version.js';
import { convert, recordsOf } from '../convert.js';

type Shape = Parameters<typeof createParquetRecordWriter>[0];

/** Converts records to a Parquet file, and returns its rows and metadata. */
async function convertToParquet(records: readonly (object | string)[], shape: Partial<Shape> = {}) {
  const writer = createParquetRecordWriter({ kind: 'objects', chosen: undefined, ...shape });
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
  const file = new Uint8Array(await convert(writer, recordsOf(lines))).buffer;
  const { schema, row_groups, created_by } = parquetMetadata(file);
  return {
    rows: await parquetReadObjects({ file }),
    schema,
    groups: row_groups.map(({ num_rows }) => Number(num_rows)),
    created: created_by,
    fields: writer.fields?.() ?? [],
  };
}

type Attributes = Readonly<Record<string, string>>;
const listAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value }));
const field = (identifier: string, value: string, attributes: Attributes = {}) => ({
  identifier,
  opacObjectFields: [{ value, opacObjectFieldAttributes: listAttributes(attributes) }],
});
const record = (...opacObjectFieldSets: object[]) => ({ opacObjectId: '1', opacObjectFieldSets });

const FULL = {
  ...record(field('made', 'c. 1861', { from: '1861-01-01Z', by: 'x' })),
  slug: 's',
  title: 't',
  opacCollection: { opacCollectionId: 2, collectionName: 'Paper' },
  imagesCollection: {
    images: [
      {
        imageId: 5,
        caption: 'a caption',
        imageAttributes: [{ key: 'k', value: 'v' }],
        imageDerivatives: [
          { identifier: 'TINY', url: 'tiny', width: 1, height: 2 },
          { identifier: 'LARGE', url: 'large', width: 2_147_483_647, height: 3 },
        ],
        cssColors: [{ colorName: 'red', hex: 'f00' }, { hex: '#0F0' }],
        imageLabels: [{ imageLabel: 'arm' }, { imageLabel: 'leg' }],
      },
      { imageDerivatives: [{ url: 'odd', width: 2_147_483_648, height: 1.5 }] },
      { imageDerivatives: [{ url: 'negative', width: -2_147_483_648, height: -2_147_483_647 }] },
    ],
  },
  relationshipsCollection: {
    relationships: [
      {
        relationshipId: 'by',
        relatedRecordType: 'person',
        relatedRecords: [{ relatedRecordId: 7, title: 'B' }],
      },
    ],
  },
};

const NO_IMAGE = { id: '', caption: '', url: null, width: null, height: null };

it('keeps every digit of integers beyond 2^53', async () => {
  const line = (id: string) =>
    `{"opacObjectId":${id},"opacObjectFieldSets":[{"identifier":"n","opacObjectFields":[{"value":12345678901234567890}]}]}`;
  const { rows } = await convertToParquet(['90071992547409931', '90071992547409932'].map(line));
  expect(rows).toMatchObject([
    { id: '90071992547409931', n: ['12345678901234567890'] },
    { id: '90071992547409932', n: ['12345678901234567890'] },
  ]);
});

describe('Parquet record', () => {
  it('contains all values, and null or empty lists for missing values', async () => {
    const { rows, created } = await convertToParquet([FULL, { id: null }]);
    expect(created).toBe(`opac version ${VERSION}`);
    expect(rows).toMatchObject([
      {
        id: '1',
        recordType: 'object',
        title: 't',
        slug: 's',
        collection: { id: '2', name: 'Paper' },
        made: ['c. 1861'],
        made_attributes: [{ from: new Date('1861-01-01'), by: 'x' }],
        images: [
          {
            id: '5',
            caption: 'a caption',
            url: 'large',
            width: 2_147_483_647,
            height: 3,
            labels: ['arm', 'leg'],
            colors: ['red', '0f0'],
            attributes: [{ key: 'k', value: 'v' }],
          },
          { ...NO_IMAGE, url: 'odd', labels: [], colors: [], attributes: [] },
          { ...NO_IMAGE, url: expect.any(String), height: -2_147_483_647 },
        ],
        relationships: [{ relationship: 'by', id: '7', title: 'B' }],
      },
      { recordType: 'object', images: [], relationships: [] },
    ]);
    const { id, title, slug, collection, made: values, made_attributes } = rows[1] ?? {};
    expect([id, title, slug, collection, values, made_attributes].map((each) => each ?? null)).toEqual(
      Array(6).fill(null),
    );
  });

  it('has standard Parquet types for text, dates, integers and lists', async () => {
    const { schema, fields } = await convertToParquet([FULL]);
    const formatElement = ({ name, type, converted_type, repetition_type, num_children }: SchemaElement) =>
      [name, repetition_type, converted_type ?? type, num_children]
        .filter((each) => each !== undefined)
        .join(' ');
    const list = (name: string) => [`${name} OPTIONAL LIST 1`, 'list REPEATED 1'];
    const text = (...names: string[]) => names.map((name) => `${name} OPTIONAL UTF8`);
    expect(schema.map(formatElement)).toEqual([
      'schema 9',
      ...text('id', 'recordType', 'title', 'slug'),
      'collection OPTIONAL 2',
      ...text('id', 'name'),
      ...[...list('made'), ...text('element')],
      ...[...list('made_attributes'), 'element OPTIONAL 2', 'from OPTIONAL DATE', ...text('by')],
      ...[...list('images'), 'element OPTIONAL 8', ...text('id', 'caption', 'url')],
      ...['width OPTIONAL INT32', 'height OPTIONAL INT32'],
      ...[...list('labels'), ...text('element'), ...list('colors'), ...text('element')],
      ...[...list('attributes'), 'element OPTIONAL 2', ...text('key', 'value')],
      ...[
        ...list('relationships'),
        'element OPTIONAL 4',
        ...text('relationship', 'recordType', 'id', 'title'),
      ],
    ]);
    expect(fields).toEqual([
      ...['id', 'recordType', 'title', 'slug'].map((name) => ({ name, type: 'string' })),
      { name: 'collection', type: 'object' },
      ...['made', 'made_attributes', 'images', 'relationships'].map((name) => ({ name, type: 'array' })),
    ]);
  });

  it.each<[string, readonly string[], boolean]>([
    ['a date if all values are dates', ['1861-01-01', '1861-01-01Z'], true],
    ['a date if all values are dates or empty', ['', '1861-01-01'], true],
    ['text if all values are empty', ['', ''], false],
    ['text if one value is not a date', ['1861-01-01', '1861'], false],
  ])('stores an attribute as %s', async (_, texts, isDate) => {
    const records = texts.map((from) => record(field('made', 'x', { from })));
    const { schema } = await convertToParquet(records);
    expect(schema.find(({ name }) => name === 'from')?.converted_type).toBe(isDate ? 'DATE' : 'UTF8');
  });
});

describe('createParquetRecordWriter', () => {
  it('gives selected columns the types of their values, and custom headers', async () => {
    const names = ['id', 'made', 'made[0]', 'made@from', 'made[0]@from', 'made@by', 'image.count'];
    const sizes = ['image.LARGE.width', 'image.LARGE.height', 'image.LARGE.url', 'field.image.count'];
    const chosen = [...names, ...sizes].map(parseColumn);
    const dated = record(field('made', '1861-01-01', { from: '1861-01-02', by: 'x' }));
    const { rows, fields, schema } = await convertToParquet([{ ...FULL, ...dated }, {}], {
      chosen,
      getHeaders: (columns) => columns.slice(0, -1).map((name) => name.toUpperCase()),
    });
    expect(fields).toEqual(
      [...names, ...sizes].map((name) => ({
        name: name === 'field.image.count' ? name : name.toUpperCase(),
        type:
          { id: 'string', 'made[0]': 'string', 'made[0]@from': 'date', 'image.count': 'integer' }[name] ??
          'array',
      })),
    );
    const elements = schema
      .filter(({ name }) => name === 'element')
      .map(({ converted_type, type }) => converted_type ?? type);
    expect(elements).toEqual(['UTF8', 'DATE', 'UTF8', 'INT32', 'INT32', 'UTF8', 'UTF8']);
    const [first = {}, none = {}] = rows;
    expect(Object.values(first)).toEqual([
      ...['1', ['1861-01-01'], '1861-01-01', [new Date('1861-01-02')], new Date('1861-01-02'), ['x'], 3],
      ...[[2_147_483_647], [3], ['large'], []],
    ]);
    expect(Object.values(none).map((each) => each ?? null)).toEqual([
      ...[null, [], null, [], null, [], 0],
      ...[[], [], [], []],
    ]);
  });

  it.each<[readonly string[], readonly string[]]>([
    [
      ['id', 'field.id', 'ID'],
      ['field.id', 'field.field.id', 'field.field.field.ID'],
    ],
    [
      ['x', 'x_attributes'],
      ['x', 'x_attributes', 'field.x_attributes', 'field.x_attributes_attributes'],
    ],
    [['relationships'], ['field.relationships']],
  ])('names the columns of the fields %j: %j', async (identifiers, names) => {
    const attributes = identifiers.includes('x') ? { by: 'y' } : {};
    const { fields } = await convertToParquet([
      record(...identifiers.map((name) => field(name, 'a', attributes))),
    ]);
    expect(fields.slice(5, -2).map(({ name }) => name)).toEqual(names);
  });

  it('writes the records that `plain` returns', async () => {
    const plain: Shape['plain'] = (each) => ({ ...each, title: `plain ${each.title}` });
    expect((await convertToParquet([FULL], { plain })).rows).toMatchObject([{ title: 'plain t' }]);
  });
});

describe('Parquet row group', () => {
  it('is missing if there are no records', async () => {
    expect(await convertToParquet([])).toMatchObject({ groups: [], rows: [] });
    expect(await convertToParquet([], { chosen: [parseColumn('id')] })).toMatchObject({
      groups: [],
      rows: [],
    });
  });

  it('contains at most 16,000 records', async () => {
    const records = Array.from({ length: 16_001 }, (_, n) => `{"id":${n}}`);
    const { groups, rows } = await convertToParquet(records, { chosen: [parseColumn('id')] });
    expect(groups).toEqual([16_000, 1]);
    expect(rows.every(({ id }, n) => id === String(n))).toBe(true);
  });

  it('contains at most 16 Mi characters of JSON', async () => {
    const records = Array.from(
      { length: 66 },
      (_, n) => `{"id":${100 + n},"x":"${'x'.repeat((1 << 18) - 17)}"}`,
    );
    const { groups, rows } = await convertToParquet(records, { chosen: [parseColumn('id')] });
    expect([records[0]?.length, groups]).toEqual([1 << 18, [64, 2]]);
    expect(rows.map(({ id }) => id)).toEqual(records.map((_, n) => String(100 + n)));
  });

  it('contains long texts with non-ASCII characters unchanged', async () => {
    const texts = Array.from({ length: 200 }, (_, n) => `${n}${'ā🦑"'.repeat(300)}`);
    const { rows } = await convertToParquet(
      texts.map((slug) => ({ slug })),
      { chosen: [parseColumn('slug'), parseColumn('id')] },
    );
    expect(rows.map(({ slug }) => slug)).toEqual(texts);
  });

  it('has the columns, attributes and types that only later groups determine', async () => {
    const day = { from: '1861-01-01' };
    const records = [
      record(),
      record(field('made', 'a'), field('late', 'x', { on: '' })),
      record({ identifier: 'made', opacObjectFields: [] }),
      record({ identifier: 'made', opacObjectFields: ['a', 'b'].map((value) => ({ value })) }),
      record(field('made', 'b', day), field('other', 'y', day)),
      record(field('made', 'b', { from: '', by: 'x' }), field('late', 'x', { on: '1999-12-31Z' })),
      record(field('other', 'y', { from: 'about 1861' })),
    ];
    const pad = 'x'.repeat(16 << 20);
    const manyGroups = await convertToParquet(records.map((each) => ({ ...each, pad })));
    const oneGroup = await convertToParquet(records);
    expect([manyGroups.groups, oneGroup.groups]).toEqual([records.map(() => 1), [records.length]]);
    expect(manyGroups.rows).toEqual(oneGroup.rows);
    expect(manyGroups.schema).toEqual(oneGroup.schema);
    expect(oneGroup.rows.map((row) => [row.made_attributes ?? null, row.late_attributes ?? null])).toEqual([
      [null, null],
      [[{ from: null, by: null }], [{ on: null }]],
      [[], null],
      [
        [
          { from: null, by: null },
          { from: null, by: null },
        ],
        null,
      ],
      [[{ from: new Date('1861-01-01'), by: null }], null],
      [[{ from: null, by: 'x' }], [{ on: new Date('1999-12-31') }]],
      [null, null],
    ]);
    expect(oneGroup.rows.slice(4).map((row) => row.other_attributes ?? null)).toEqual([
      [{ from: '1861-01-01' }],
      null,
      [{ from: 'about 1861' }],
    ]);
  });
});
