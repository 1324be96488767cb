import { readFile, writeFile } from 'node:fs/promises';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { createParquetRecordWriter } from '../../../src/export/convert/parquet.js';
import { toFlatJson } from '../../../src/service/records/flat-json.js';
import { readRecord } from '../../../src/service/records/record.js';
import { convert, recordsOf } from '../convert.js';
import { withFolder, withMuseum } from '../export-setup.js';

type Row = Record<string, unknown>;

async function readRows(path: string, rowStart = 0): Promise<Row[]> {
  return parquetReadObjects({ file: await asyncBufferFromFile(path), rowStart });
}

async function readColumns(path: string): Promise<string[]> {
  const schema = parquetSchema(await parquetMetadataAsync(await asyncBufferFromFile(path)));
  return schema.children.map(({ element }) => element.name);
}

function getEarliest(row: Row): unknown {
  return (row.date_attributes as Row[])[0]?.earliest;
}

/** Returns one record per value. The field "date" of each record has this value and these attributes. */
function createRecords(values: readonly (readonly [value: string, attributes?: Record<string, string>])[]) {
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

/** Converts records to a Parquet file, without an export. */
async function writeParquet(records: readonly object[], path: string): Promise<void> {
  const lines = records.map((record) => JSON.stringify(record));
  const parquet = createParquetRecordWriter({ kind: 'objects', chosen: undefined });
  await writeFile(path, await convert(parquet, recordsOf(lines)));
}

describe('Parquet export', () => {
  it('contains the values of all records, with lists as lists', () =>
    withMuseum({}, async ({ run, path, folder }) => {
      await run('objects.parquet', { format: 'parquet' });
      await run('objects.ndjson', { format: 'ndjson' });
      const lines = (await readFile(`${folder}/objects.ndjson`, 'utf8')).trimEnd().split('\n');
      const rows = await readRows(path('objects.parquet'));
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
          // UTF-8 cannot encode unpaired surrogates, so they become U+FFFD.
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

  it('stores an attribute as dates if each of its values is a date or empty', () =>
    withFolder(async (path) => {
      const dates = [['1861-01-01Z'], ['0001-01-01'], ['9999-12-31'], ['']] as const;
      await writeParquet(
        createRecords(dates.map(([earliest]) => ['c.', { earliest }])),
        path('dates.parquet'),
      );
      const rows = await readRows(path('dates.parquet'));
      const days = rows.map(getEarliest);
      expect(days.map((day) => (day as Date | undefined)?.toISOString().slice(0, -14) ?? null)).toEqual([
        '1861-01-01',
        '0001-01-01',
        '9999-12-31',
        null,
      ]);
    }));

  // Only DuckDB reads years before 1 and years with five digits as dates, so they stay text.
  it.each(['2023-02-30', '1861', 'about 1861-01-01', '-0400-02-29', '0000-12-31', '10000-01-01'])(
    'stores an attribute as text if one of its values is "%s"',
    (text) =>
      withFolder(async (path) => {
        const records = createRecords([
          ['a', { earliest: '1861-01-01' }],
          ['b', { earliest: text }],
        ]);
        await writeParquet(records, path('dates.parquet'));
        const rows = await readRows(path('dates.parquet'));
        expect(rows.map(getEarliest)).toEqual(['1861-01-01', text]);
      }),
  );

  it('stores null for a missing field, and an empty list for a field without values', () =>
    withFolder(async (path) => {
      const [first] = createRecords([['x']]);
      const withoutField = { opacObjectId: '2', opacObjectFieldSets: [] };
      const withEmptyField = {
        opacObjectId: '3',
        opacObjectFieldSets: [{ identifier: 'date', opacObjectFields: [] }],
      };
      await writeParquet([first as object, withoutField, withEmptyField], path('fields.parquet'));
      const rows = await readRows(path('fields.parquet'));
      expect(rows.map(({ date }) => date ?? null)).toEqual([['x'], null, []]);
    }));

  it('accepts field names that are special in JavaScript or equal to other columns', () =>
    withFolder(async (path) => {
      const field = (identifier: string) => ({
        identifier,
        opacObjectFields: [
          { value: identifier, opacObjectFieldAttributes: [{ key: '__proto__', value: 'p' }] },
        ],
      });
      const names = ['__proto__', 'constructor', 'id', 'images', 'a.b', 'x', 'x_attributes'];
      await writeParquet(
        [{ opacObjectId: '1', opacObjectFieldSets: names.map(field) }],
        path('names.parquet'),
      );
      const columns = await readColumns(path('names.parquet'));
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

  it('renames columns that differ only in case, because some engines ignore case', () =>
    withFolder(async (path) => {
      const value = (text: string) => [{ value: text, opacObjectFieldAttributes: attributes }];
      const attributes = ['Earliest', 'earliest', 'EARLIEST'].map((key) => ({ key, value: key }));
      const sets = ['maker', 'Maker', 'ID', 'a.b', 'tītle', '2nd'];
      const record = {
        opacObjectId: '9007199254740993',
        opacObjectFieldSets: sets.map((identifier) => ({ identifier, opacObjectFields: value(identifier) })),
      };
      await writeParquet([record], path('names.parquet'));
      const columns = await readColumns(path('names.parquet'));
      expect(new Set(columns.map((name) => name.toLowerCase())).size).toBe(columns.length);
      const [row = {}] = await readRows(path('names.parquet'));
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

  it('includes a column and a second value that only the last of 50,001 records has', () =>
    withFolder(async (path) => {
      const many = createRecords(Array.from({ length: 50_000 }, () => ['1'] as const));
      const last = {
        opacObjectId: 'last',
        opacObjectFieldSets: [
          { identifier: 'date', opacObjectFields: [{ value: '1' }, { value: '2' }] },
          { identifier: 'late', opacObjectFields: [{ value: 'x' }] },
        ],
      };
      await writeParquet([...many, last], path('late.parquet'));
      const rows = await readRows(path('late.parquet'), 49_999);
      expect(rows).toMatchObject([{ date: ['1'] }, { id: 'last', date: ['1', '2'], late: ['x'] }]);
    }));

  it('has the same bytes if the export was interrupted and resumed', () =>
    withMuseum({}, async ({ run, path }) => {
      let pages = 0;
      const stopAtPage3 = () => {
        if (++pages === 3) throw new Error('death');
      };
      await expect(run('out.parquet', { format: 'parquet', onProgress: stopAtPage3 })).rejects.toThrow();
      await run('out.parquet', { format: 'parquet', resume: true });
      await run('whole.parquet', { format: 'parquet' });
      expect(await readFile(path('out.parquet'))).toEqual(await readFile(path('whole.parquet')));
    }));

  it('has the same columns in all files of a split export', () =>
    withMuseum({}, async ({ run, path }) => {
      await run('objects.parquet', { format: 'parquet', split: 50 });
      const files = ['001', '002', '003', '004'].map((n) => path(`objects-${n}.parquet`));
      const columns = await Promise.all(files.map(readColumns));
      expect(new Set(columns.map(String)).size).toBe(1);
      const rows = (await Promise.all(files.map((file) => readRows(file)))).flat();
      expect(rows).toHaveLength(163);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(163);
    }));

  it('has the selected columns, even without records', () =>
    withMuseum({}, async ({ run, path }) => {
      const columns = 'id,maker_name,measurements[0],production_date@earliest_date,image.count';
      await run('some.parquet', { format: 'parquet', columns });
      await run('none.parquet', { format: 'parquet', columns, limit: 0 });
      const [row] = await readRows(path('some.parquet'));
      expect(await readColumns(path('some.parquet'))).toEqual(columns.split(','));
      expect(await readColumns(path('none.parquet'))).toEqual(columns.split(','));
      expect(await readRows(path('none.parquet'))).toEqual([]);
      expect(row).toMatchObject({
        id: expect.any(String),
        maker_name: [expect.any(String)],
        'measurements[0]': expect.any(String),
        'production_date@earliest_date': [expect.any(Date)],
        'image.count': expect.any(Number),
      });
    }));
});
