/** What a description says of each column, of each format. */
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { TypedField } from '../../src/export/convert/converter.js';
import { writeDataPackage } from '../../src/export/data-package.js';
import type { Manifest } from '../../src/export/verify/manifest.js';
import { withFolder } from './export-setup.js';

type Job = Partial<Manifest['job']>;

async function packageOf(
  name: string,
  { job, ...manifest }: Partial<Omit<Manifest, 'job'>> & { readonly job: Job },
  fields?: readonly TypedField[],
) {
  let made: Record<string, unknown> = {};
  await withFolder(async (path) => {
    const file = { name, bytes: 12, sha256: 'abc', records: 3 };
    const whole = {
      tool: 'opac 1',
      finished: '2026-01-01T00:00:00.000Z',
      withoutId: 0,
      columns: [],
      files: [file],
      ...manifest,
      job: { deployment: 'https://museum.example', kind: 'objects', query: [], ...job },
    } as unknown as Manifest;
    const place = await writeDataPackage({ path: path(name), manifest: { ...whole, fields } }, true);
    made = JSON.parse(await readFile(String(place), 'utf8'));
  });
  return made;
}

async function resourceOf(...given: Parameters<typeof packageOf>) {
  const { resources } = await packageOf(...given);
  return (resources as Record<string, unknown>[])[0] ?? {};
}

async function fieldsOf(...given: Parameters<typeof packageOf>) {
  const { schema } = await resourceOf(...given);
  const { fields } = schema as { fields: { name: string; type: string }[] };
  return fields.map(({ name, type }) => `${name} (${type})`);
}

const CSV = { format: 'csv', multi: 'join' };
const COLUMNS = [
  'id',
  'image.count',
  'label',
  'maker',
  'maker[1]',
  'date@from',
  'date[0]@from',
  'relationship.by',
  'image.LARGE.url',
  'toString',
];

describe('a package', () => {
  it('says whence the data are, and what wrote them', async () => {
    const { resources, ...rest } = await packageOf('Objects 1_a.csv.gz', { job: CSV, columns: ['id'] });
    expect(rest).toEqual({
      profile: 'data-package',
      name: 'objects-1_a.csv.gz',
      created: '2026-01-01T00:00:00.000Z',
      sources: [{ title: 'https://museum.example', path: 'https://museum.example' }],
      exportedBy: { tool: 'opac 1', kind: 'objects', manifest: 'Objects 1_a.csv.gz.manifest.json' },
    });
    expect(resources).toEqual([
      {
        name: 'objects-1_a.csv.gz',
        path: 'Objects 1_a.csv.gz',
        profile: 'tabular-data-resource',
        format: 'csv',
        mediatype: 'text/csv',
        encoding: 'utf-8',
        compression: 'gz',
        bytes: 12,
        hash: 'sha256:abc',
        records: 3,
        rows: 3,
        dialect: {
          delimiter: ',',
          lineTerminator: '\n',
          quoteChar: '"',
          doubleQuote: true,
          skipInitialSpace: false,
          header: true,
        },
        schema: {
          fields: [{ name: 'id', type: 'string' }],
          missingValues: [''],
          primaryKey: 'id',
        },
      },
    ]);
  });

  it.each([
    ['--.csv', 'csv'],
    ['名', 'export'],
  ])('of %s has the name %s', async (file, name) => {
    expect((await packageOf(file, { job: CSV })).name).toBe(name);
  });

  it('of a file has no address', async () => {
    const { sources } = await packageOf('o.csv', { job: { ...CSV, deployment: 'a.ndjson' } });
    expect(sources).toEqual([{ title: 'a.ndjson' }]);
  });

  it.each([
    [
      { ...CSV, excel: true },
      { delimiter: ',', lineTerminator: '\r\n', header: true },
    ],
    [{ format: 'tsv' }, { delimiter: '\t', lineTerminator: '\n', header: true }],
    [{ format: 'ids' }, { delimiter: ',', lineTerminator: '\n', header: false }],
    [{ format: 'xlsx' }, undefined],
    [{ format: 'parquet' }, undefined],
    [{ format: 'ndjson' }, undefined],
  ])('of %j has a dialect where it is text in columns', async (job, dialect) => {
    const found = await resourceOf('o', { job, columns: ['id'] });
    expect(found.profile).toBe(dialect ? 'tabular-data-resource' : 'data-resource');
    expect(found.format).toBe(dialect ? 'csv' : job.format);
    expect(found.encoding).toBe(job.format === 'xlsx' || job.format === 'parquet' ? undefined : 'utf-8');
    if (dialect) expect(found.dialect).toMatchObject(dialect);
    else expect(found.dialect).toBeUndefined();
  });

  it.each<[string, Parameters<typeof packageOf>[1], string | undefined]>([
    ['the id', { job: CSV, columns: ['title', 'id'] }, 'id'],
    ['what the id is called', { job: CSV, columns: ['title', 'id'], heads: ['T', 'Nr'] }, 'Nr'],
    ['the id of the normal form', { job: { format: 'ndjson', flat: true } }, 'id'],
    ['the only column of ids', { job: { format: 'ids' } }, 'id'],
    ['none without ids', { job: CSV, columns: ['title'] }, undefined],
    ['none where a record has no id', { job: CSV, columns: ['id'], withoutId: 1 }, undefined],
    ['none where a record has several rows', { job: CSV, columns: ['id'], rows: 5 }, undefined],
    ['none of records of all kinds', { job: { ...CSV, kind: 'records' }, columns: ['id'] }, undefined],
  ])('has for its key %s', async (_, manifest, key) => {
    const { schema } = await resourceOf('o', manifest);
    expect((schema as { primaryKey?: string }).primaryKey).toBe(key);
  });
});

describe('a column', () => {
  it('has a type', async () => {
    expect(await fieldsOf('o.csv', { job: CSV, columns: COLUMNS })).toEqual([
      'id (string)',
      'image.count (integer)',
      'label (string)',
      'maker (string)',
      'maker[1] (string)',
      'date@from (string)',
      'date[0]@from (string)',
      'relationship.by (string)',
      'image.LARGE.url (string)',
      'toString (string)',
    ]);
  });

  it.each([
    ['json', 'array'],
    ['first', 'string'],
    ['join=; ', 'string'],
    ['rows=maker,role', 'string'],
  ])('with --multi %s is of type %s', async (multi, type) => {
    const columns = ['maker', 'maker[0]'];
    expect(
      await fieldsOf('o.csv', { job: { format: 'csv', multi }, columns, heads: ['Maker', 'One'] }),
    ).toEqual([`Maker (${type})`, 'One (string)']);
  });

  it('of dates may be of any type in a workbook, and there alone', async () => {
    const columns = ['d@earliest_date', 'd[0]@latest_date', 'd@earliest_date_text'];
    const types = async (format: string) =>
      (await fieldsOf('o', { job: { format, multi: 'join' }, columns })).map(
        (each) => / \((.*?)\)/.exec(each)?.[1],
      );
    expect(await types('xlsx')).toEqual(['any', 'any', 'string']);
    expect(await types('csv')).toEqual(['string', 'string', 'string']);
  });

  it('of a format with types has its own', async () => {
    const fields = [
      { name: 'id', type: 'string' },
      { name: 'maker', type: 'array' },
      { name: 'maker_attributes', type: 'array' },
    ] as const;
    expect(await fieldsOf('o.parquet', { job: { format: 'parquet' } }, fields)).toEqual([
      'id (string)',
      'maker (array)',
      'maker_attributes (array)',
    ]);
  });

  it('of the normal form is a member of it', async () => {
    expect(await fieldsOf('o.ndjson', { job: { format: 'ndjson', flat: true } })).toEqual([
      'id (string)',
      'recordType (string)',
      'title (string)',
      'slug (string)',
      'collection (object)',
      'fields (object)',
      'attributes (object)',
      'images (array)',
      'relationships (object)',
    ]);
  });

  it('is none where the records are those of the service', async () => {
    expect((await resourceOf('o.json', { job: { format: 'json' } })).schema).toBeUndefined();
  });
});

it.each([
  ['no JSON', 'text', undefined],
  ['not of ours', '{"title":"Ours"}', undefined],
  ['of an export', '{"title":"Ours","resources":[]}', 'Ours'],
])('a description that lies there and is %s is written anew unasked where it is one', (_, before, title) =>
  withFolder(async (path, text) => {
    const manifest = { job: { ...CSV, deployment: 'd', kind: 'objects' }, columns: [], files: [] };
    await writeFile(path('o.csv.datapackage.json'), before);
    const place = await writeDataPackage({ path: path('o.csv'), manifest: manifest as never }, false);
    expect(place).toBe(title && path('o.csv.datapackage.json'));
    const after = await text('o.csv.datapackage.json');
    if (title) expect(JSON.parse(after)).toMatchObject({ title, profile: 'data-package' });
    else expect(after).toBe(before);
  }),
);
