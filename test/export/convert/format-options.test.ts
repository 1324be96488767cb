/** The options that each format accepts, and the formats that file names imply. */
import { describe, expect, it } from 'vitest';
import { resolveFormatOptions } from '../../../src/export/convert/format-options.js';
import {
  assertKnownExtension,
  type ExportFormat,
  type FormatOptions,
  findFormatByName,
  parseExportFormat,
} from '../../../src/export/convert/formats.js';
import { CSV, TSV } from '../../../src/records/cells/dialect.js';
import { EXCEL } from '../../../src/records/cells/excel.js';

type Named = Omit<Partial<FormatOptions>, 'format'> & { readonly format: string };
const createOptions = (more: Named) => ({ kind: 'objects', ...more }) as FormatOptions;

describe('resolveFormatOptions', () => {
  it.each<[Named, string, string]>([
    [
      { format: 'xml' },
      '"xml" is not an export format',
      'choose from tsv, csv, json, ndjson, ids, xlsx, parquet',
    ],
    [{ format: 'tsv', excel: true }, '--excel works only with CSV', 'remove the option, or use -f csv'],
    [
      { format: 'json', columns: 'id' },
      '--columns works only with tables',
      'use it with -f csv, tsv, xlsx or parquet',
    ],
    [
      { format: 'ids', sqlNames: true },
      '--sql-names works only with tables',
      'use it with -f csv, tsv, xlsx or parquet',
    ],
    [
      { format: 'json', multi: 'join' },
      '--multi works only with CSV, TSV and XLSX',
      'use it with -f csv, tsv or xlsx',
    ],
    [
      { format: 'parquet', multi: 'rows=a' },
      '--multi works only with CSV, TSV and XLSX',
      'use it with -f csv, tsv or xlsx',
    ],
    [
      { format: 'json', plainText: true },
      '--plain-text does not work with json',
      'add --flat; without it, opac writes the original records',
    ],
    [
      { format: 'ids', plainText: true },
      '--plain-text does not work with ids',
      'use it with -f csv, tsv, xlsx or parquet',
    ],
    [{ format: 'csv', flat: true }, '--flat works only with JSON', 'use it with -f json or -f ndjson'],
    [
      { format: 'csv', columns: 'id=a,title=a' },
      'two columns have the header "a"',
      'rename one: <column>=<header>',
    ],
  ])('refuses %j: %s', (options, message, hint) => {
    expect(() => resolveFormatOptions(createOptions(options))).toThrow(
      expect.objectContaining({ kind: 'usage', message, hint }),
    );
  });

  it.each<[Partial<FormatOptions> & { format: ExportFormat }, object]>([
    [{ format: 'csv' }, { chosen: undefined, dialect: CSV, rule: { rule: 'join' } }],
    [
      { format: 'csv', excel: true },
      { excel: true, dialect: EXCEL },
    ],
    [{ format: 'csv', columns: 'all' }, { chosen: undefined }],
    [
      { format: 'tsv', columns: 'id', multi: 'first' },
      { dialect: TSV, rule: { rule: 'first' } },
    ],
    [
      { format: 'xlsx', excel: true, columns: 'id' },
      { excel: false, dialect: TSV },
    ],
    [{ format: 'parquet', columns: 'id', plainText: true }, { dialect: undefined }],
    [{ format: 'ndjson', flat: true, plainText: true }, { dialect: undefined }],
    [{ format: 'json' }, { dialect: undefined }],
    [{ format: 'csv', multi: 'rows=a,b' }, { rule: { fields: ['a', 'b'] } }],
  ])('accepts %j', (options, checked) => {
    expect(resolveFormatOptions(createOptions(options))).toMatchObject(checked);
  });

  it('returns column names, custom headers or SQL names as headers', () => {
    const getHeaderNames = (more: Partial<FormatOptions>) =>
      resolveFormatOptions(createOptions({ format: 'csv', ...more })).getHeaders(['id', 'Ä b']);
    expect(getHeaderNames({})).toEqual(['id', 'Ä b']);
    expect(getHeaderNames({ sqlNames: true })).toEqual(['id', 'a_b']);
    expect(getHeaderNames({ columns: 'id=Nr,title' })).toEqual(['Nr', 'title']);
    expect(getHeaderNames({ columns: 'id=a,title=a', sqlNames: true })).toEqual(['a', 'a_2']);
  });
});

describe('format of a file name', () => {
  it.each([
    ['o.csv', 'csv'],
    ['dir.json/O.CSV.GZ', 'csv'],
    ['o.jsonl.zst', 'ndjson'],
    ['o.tsv', 'tsv'],
    ['o.ids', 'ids'],
    ['o.xlsx', 'xlsx'],
    ['o.parquet', 'parquet'],
    ['o', undefined],
    ['.csv', undefined],
    ['o.gz', undefined],
    ['.gz', undefined],
    ['o.csv.bak', undefined],
    ['o.csv/', 'csv'],
  ])('is detected: %s has the format %s', (name, format) => {
    expect(findFormatByName(name)).toBe(format);
  });

  it('causes an error if the file extension is unknown', () => {
    expect(() => assertKnownExtension('o.txt.gz')).toThrow(
      expect.objectContaining({
        message: '".txt" is not the file extension of a format',
        hint: 'use .tsv .csv .json .ndjson .jsonl .ids .xlsx .parquet (optionally followed by .gz or .zst), or name the format with -f',
      }),
    );
    expect(() => assertKnownExtension('o.csv', ['json', 'ids'])).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/^use \.json \.ids \(/) }),
    );
    expect(() => assertKnownExtension('o')).not.toThrow();
    expect([parseExportFormat('csv'), parseExportFormat('toString'), parseExportFormat(undefined)]).toEqual([
      'csv',
      undefined,
      undefined,
    ]);
  });
});
