import { readFile, writeFile } from 'node:fs/promises';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { createParquetRecordWriter } from '../../../src/export/convert/parquet.js';
import { toFlatJson } from '../../../src/service/records/flat-json.js';
import { readRecord } from '../../../src/service/records/record.js';
import { convert, recordsOf } from '../convert.js';
import { withFolder, withMuseum } from '../export-setup.js';

type Row = Record<string, unknown>;

async function rowsOf(path: string, rowStart = 0): Promise<Row[]> {
  return parquetReadObjects({ file: await asyncBufferFromFile(path), rowStart });
}

async function columnsOf(path: string): Promise<string[]> {
  const schema = parquetSchema(await parquetMetadataAsync(await asyncBufferFromFile(path)));
  return schema.children.map(({ element }) => element.name);
}

function earliestOf(row: Row): unknown {
  return (row.date_attributes as Row[])[0]?.earliest;
}

/** Records of the service with these values of a field, each with these attributes. */
function recordsWith(values: readonly (readonly [value: string, attributes?: Record<string, string>])[]) {
  return values.map(([value, attributes = {}], n) => ({
    recordType: 'object',
    opacObjectId: String(n),
    opacObjectFieldSets: [
      {
        identifier: 'date',
        opacObjectFields: [
          {
            value,
            opacObjectFieldAttributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
          },
        ],
      },
    ],
  }));
}

/** The file of these records, without a run. */
async function fileOf(records: readonly object[], path: string): Promise<void> {
  const lines = records.map((record) => JSON.stringify(record));
  const parquet = createParquetRecordWriter({ kind: 'objects', chosen: undefined });
  await writeFile(path, await convert(parquet, recordsOf(lines)));
}

describe('a Parquet file', () => {
  it('has the values of the records, lists as lists', () =>
    withMuseum({}, async ({ run, path, folder }) => {
      await run('objects.parquet', { format: 'parquet' });
      await run('objects.ndjson', { format: 'ndjson' });
      const lines = (await readFile(`${folder}/objects.ndjson`, 'utf8')).trimEnd().split('\n');
      const rows = await rowsOf(path('objects.parquet'));
      expect(rows).toHaveLength(lines.length);
      for (const [n, line] of lines.entries()) {
        const record = toFlatJson(readRecord(JSON.parse(line), 'objects'));
        const row = rows[n] ?? {};
        expect([row.id, row.title, row.collection ?? null]).toEqual([
          record.id,
          record.title,
          record.collection,
        ]);
        for (const [identifier, values] of Object.entries(record.fields)) {
          const column =
            identifier in row && identifier !== 'collection' ? identifier : `field.${identifier}`;
          // Unpaired surrogates are no Unicode text and become U+FFFD in any UTF-8.
          expect(row[column]).toEqual(values.map((value) => Buffer.from(value).toString()));
        }
        expect((row.images as Row[]).map(({ id, caption }) => [id, caption])).toEqual(
          record.images.map(({ id, caption }) => [id, caption]),
        );
        expect((row.relationships as Row[]).map(({ relationship, id }) => [relationship, id])).toEqual(
          Object.entries(record.relationships).flatMap(([name, { records }]) =>
            records.map(({ id }) => [name, id]),
          ),
        );
      }
    }));

  it('has dates where an attribute is a date in every record', () =>
    withFolder(async (path) => {
      const dates = [['1861-01-01Z'], ['0001-01-01'], ['9999-12-31'], ['']] as const;
      await fileOf(recordsWith(dates.map(([earliest]) => ['c.', { earliest }])), path('dates.parquet'));
      const rows = await rowsOf(path('dates.parquet'));
      const days = rows.map(earliestOf);
      expect(days.map((day) => (day as Date | undefined)?.toISOString().slice(0, -14) ?? null)).toEqual([
        '1861-01-01',
        '0001-01-01',
        '9999-12-31',
        null,
      ]);
    }));

  // Years before 1 and of five digits are dates, which only DuckDB reads.
  it.each(['2023-02-30', '1861', 'about 1861-01-01', '-0400-02-29', '0000-12-31', '10000-01-01'])(
    'keeps text where a date is "%s"',
    (text) =>
      withFolder(async (path) => {
        const records = recordsWith([
          ['a', { earliest: '1861-01-01' }],
          ['b', { earliest: text }],
        ]);
        await fileOf(records, path('dates.parquet'));
        const rows = await rowsOf(path('dates.parquet'));
        expect(rows.map(earliestOf)).toEqual(['1861-01-01', text]);
      }),
  );

  it('tells a field that is absent from one without a value', () =>
    withFolder(async (path) => {
      const [first] = recordsWith([['x']]);
      const without = { opacObjectId: '2', opacObjectFieldSets: [] };
      const empty = {
        opacObjectId: '3',
        opacObjectFieldSets: [{ identifier: 'date', opacObjectFields: [] }],
      };
      await fileOf([first as object, without, empty], path('fields.parquet'));
      const rows = await rowsOf(path('fields.parquet'));
      expect(rows.map(({ date }) => date ?? null)).toEqual([['x'], null, []]);
    }));

  it('takes names that JavaScript and other columns have', () =>
    withFolder(async (path) => {
      const field = (identifier: string) => ({
        identifier,
        opacObjectFields: [
          { value: identifier, opacObjectFieldAttributes: [{ key: '__proto__', value: 'p' }] },
        ],
      });
      const names = ['__proto__', 'constructor', 'id', 'images', 'a.b', 'x', 'x_attributes'];
      await fileOf([{ opacObjectId: '1', opacObjectFieldSets: names.map(field) }], path('names.parquet'));
      const columns = await columnsOf(path('names.parquet'));
      expect(new Set(columns).size).toBe(columns.length);
      expect(columns).toEqual(
        expect.arrayContaining([
          '__proto__',
          'constructor',
          'field.id',
          'field.images',
          'a.b',
          'x',
          'x_attributes',
        ]),
      );
    }));

  it('tells names apart that differ in case alone, for engines that do not', () =>
    withFolder(async (path) => {
      const value = (text: string) => [{ value: text, opacObjectFieldAttributes: attributes }];
      const attributes = ['Earliest', 'earliest', 'EARLIEST'].map((key) => ({ key, value: key }));
      const sets = ['maker', 'Maker', 'ID', 'a.b', 'tītle', '2nd'];
      const record = {
        opacObjectId: '9007199254740993',
        opacObjectFieldSets: sets.map((identifier) => ({ identifier, opacObjectFields: value(identifier) })),
      };
      await fileOf([record], path('names.parquet'));
      const columns = await columnsOf(path('names.parquet'));
      expect(new Set(columns.map((name) => name.toLowerCase())).size).toBe(columns.length);
      const [row = {}] = await rowsOf(path('names.parquet'));
      expect(row).toMatchObject({
        id: '9007199254740993',
        maker: ['maker'],
        'field.Maker': ['Maker'],
        'field.ID': ['ID'],
        'a.b': ['a.b'],
        tītle: ['tītle'],
        '2nd': ['2nd'],
      });
      expect(row.maker_attributes).toEqual([
        {
          Earliest: 'Earliest',
          'attribute.earliest': 'earliest',
          'attribute.attribute.EARLIEST': 'EARLIEST',
        },
      ]);
    }));

  it('has a column that only a late record has, and several values where only that has several', () =>
    withFolder(async (path) => {
      const many = recordsWith(Array.from({ length: 50_000 }, () => ['1'] as const));
      const last = {
        opacObjectId: 'last',
        opacObjectFieldSets: [
          { identifier: 'date', opacObjectFields: [{ value: '1' }, { value: '2' }] },
          { identifier: 'late', opacObjectFields: [{ value: 'x' }] },
        ],
      };
      await fileOf([...many, last], path('late.parquet'));
      const rows = await rowsOf(path('late.parquet'), 49_999);
      expect(rows).toMatchObject([{ date: ['1'] }, { id: 'last', date: ['1', '2'], late: ['x'] }]);
    }));

  it('is made of the records of an export that died and was resumed', () =>
    withMuseum({}, async ({ run, path }) => {
      let pages = 0;
      const death = () => {
        if (++pages === 3) throw new Error('death');
      };
      await expect(run('out.parquet', { format: 'parquet', onProgress: death })).rejects.toThrow();
      await run('out.parquet', { format: 'parquet', resume: true });
      await run('whole.parquet', { format: 'parquet' });
      expect(await readFile(path('out.parquet'))).toEqual(await readFile(path('whole.parquet')));
    }));

  it('has row groups, and a split has the same columns in every file', () =>
    withMuseum({}, async ({ run, path }) => {
      await run('objects.parquet', { format: 'parquet', split: 50 });
      const files = ['001', '002', '003', '004'].map((n) => path(`objects-${n}.parquet`));
      const columns = await Promise.all(files.map(columnsOf));
      expect(new Set(columns.map(String)).size).toBe(1);
      const rows = (await Promise.all(files.map((file) => rowsOf(file)))).flat();
      expect(rows).toHaveLength(163);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(163);
    }));

  it('has the columns chosen, also without a record', () =>
    withMuseum({}, async ({ run, path }) => {
      const columns = 'id,maker_name,measurements[0],production_date@earliest_date,image.count';
      await run('some.parquet', { format: 'parquet', columns });
      await run('none.parquet', { format: 'parquet', columns, limit: 0 });
      const [row] = await rowsOf(path('some.parquet'));
      expect(await columnsOf(path('some.parquet'))).toEqual(columns.split(','));
      expect(await columnsOf(path('none.parquet'))).toEqual(columns.split(','));
      expect(await rowsOf(path('none.parquet'))).toEqual([]);
      expect(row).toMatchObject({
        id: expect.any(String),
        maker_name: [expect.any(String)],
        'measurements[0]': expect.any(String),
        'production_date@earliest_date': [expect.any(Date)],
        'image.count': expect.any(Number),
      });
    }));
});
