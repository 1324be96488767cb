import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import {
  createXlsxConverter,
  createXlsxRecordWriter,
  formatTruncation,
} from '../../../src/export/convert/xlsx.js';
import { TSV } from '../../../src/records/cells/dialect.js';
import { EXCEL, readExcelText } from '../../../src/records/cells/excel.js';
import { parseMultiValueRule } from '../../../src/records/cells/multi-value-rule.js';
import { readTable } from '../../../src/records/files/read-table.js';
import { anyText } from '../../records/cells/record-arbitrary.js';
import { convertText } from '../convert.js';
import { withFolder, withMuseum } from '../export-setup.js';

const hasOffice = spawnSync('soffice', ['--version']).status === 0;

async function createWorkbook(
  [headers = [], ...rows]: readonly (readonly string[])[],
  converter = createXlsxConverter('objects'),
  names = headers,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of converter.convert({ headers, names, rows: Readable.from(rows) }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

async function readCsvRows(text: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of readTable([text], { format: 'csv' })) rows.push(row);
  return rows;
}

/** Opens a file in LibreOffice, saves it as CSV, and returns the rows. */
async function convertWithOffice(path: string, folder: string): Promise<string[][]> {
  const out = join(folder, 'by-office');
  await promisify(execFile)('soffice', [
    `-env:UserInstallation=file://${folder}/profile`,
    '--headless',
    // 76 is UTF-8. Without it, LibreOffice uses another encoding.
    ...(path.endsWith('.csv') ? ['--infilter=CSV:44,34,76'] : []),
    '--convert-to',
    'csv:Text - txt - csv (StarCalc):44,34,76',
    '--outdir',
    out,
    path,
  ]);
  return readCsvRows(await readFile(join(out, `${basename(path, extname(path))}.csv`), 'utf8'));
}

describe('Excel file', () => {
  it('returns every text unchanged', async () => {
    // Excel uses only LF as line end.
    const text = anyText.map((each) => Buffer.from(each).toString().replaceAll('\r', ''));
    const table = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const header = ['a', 'b', 'c'];
        const { sheets } = await readXlsx(await createWorkbook([header, ...rows]));
        const read = sheets[0]?.rows.map((row) => header.map((_, n) => String(row[n] ?? '')));
        const last = rows.findLastIndex((row) => row.some((cell) => cell !== ''));
        expect(read?.slice(0, last + 2)).toEqual([header, ...rows.slice(0, last + 1)]);
      }),
      { numRuns: 60 },
    );
  });

  it('contains dates from 1900-03-01 on, only LF as line end, and columns as wide as their text', async () => {
    const name = 'production_date@earliest_date';
    const days = ['1951-12-31Z', '1900-03-01', '1861-01-01Z', '1951-02-30', '1951-01-01|1952-01-01'];
    const book = await createWorkbook([[name, 'title'], ...days.map((day) => [day, 'a\r\nb\rc'])]);
    const { sheets } = await readXlsx(book, { readStyles: true });
    expect(sheets[0]?.rows.slice(1)).toEqual(
      [new Date('1951-12-31'), new Date('1900-03-01'), ...days.slice(2)].map((day) => [day, 'a\nb\nc']),
    );
    expect(sheets[0]?.columns?.map(({ width }) => width)).toEqual([name.length + 2, 8]);
  });

  const x = (count: number) => 'x'.repeat(count);
  it.each([
    ['an empty cell', '', null],
    ['32,767 characters', x(32_767), undefined],
    ['32,768 characters', x(32_768), `${x(32_766)}…`],
    ['70,000 characters', x(70_000), `${x(32_766)}…`],
    ['32,767 CRLF line ends', '\r\n'.repeat(32_767), '\n'.repeat(32_767)],
    ['a surrogate pair at the end', `${x(32_765)}🦑`, undefined],
    ['a surrogate pair across the cut', `${x(32_765)}🦑x`, `${x(32_765)}…`],
    ['a surrogate pair before the cut', `${x(32_764)}🦑xx`, `${x(32_764)}🦑…`],
    ['text that looks like escapes', '_x0041_'.repeat(4681), undefined],
    ['longer text that looks like escapes', `${'_x0041_'.repeat(4681)}x`, `${'_x0041_'.repeat(4680)}_x0041…`],
    ['text that looks like an escape across the cut', `${x(32_763)}_x0041_`, `${x(32_763)}_x0…`],
    ['characters that XML cannot contain', `\ufffe${'\uffff\0'.repeat(16_383)}`, undefined],
  ])('cuts cells only after 32,767 characters: %s', async (_, text, cell) => {
    const converter = createXlsxConverter('objects');
    const { sheets } = await readXlsx(
      await createWorkbook(
        [
          ['a', 'b'],
          [text, 'b'],
        ],
        converter,
      ),
    );
    const [read, beside] = sheets[0]?.rows[1] ?? [];
    // After a failure, toBe(text) would print the complete text.
    expect([String(read).slice(-9), read === (cell === undefined ? text : cell), beside]).toEqual([
      String(cell === undefined ? text : cell).slice(-9),
      true,
      'b',
    ]);
    expect(converter.truncatedCells()).toBe(String(cell).endsWith('…') ? 1 : 0);
  });

  it('keeps headers that look like escapes, and sets a text or date format for each column', async () => {
    const headers = ['_x0041_', 'a@earliest_date', 'b@latest_date', 'c@latest_dates', 'latest_date', ''];
    const day = '1999-12-31Z';
    const book = await createWorkbook([headers, headers.map(() => day), ['', '', '9999-12-31', '', day]]);
    const { sheets } = await readXlsx(book, { readStyles: true });
    const date = new Date('1999-12-31');
    expect(sheets[0]?.rows.map((row) => row.map((cell) => cell ?? ''))).toEqual([
      headers,
      [day, date, date, day, day, day],
      ['', '', new Date('9999-12-31'), '', day, ''],
    ]);
    const formats = headers.map((_, n) => sheets[0]?.cells?.get(`1,${n}`)?.style?.numFmt);
    expect(formats).toEqual(['@', 'yyyy-mm-dd', 'yyyy-mm-dd', '@', '@', '@']);
  });

  it('detects dates by the column names, not by the headers', async () => {
    const days = ['1900-02-28', '10000-01-01', '1900-03-01'];
    const rows = [['Von', 'b@earliest_date'], ...days.map((day) => [day, day])];
    const book = await createWorkbook(rows, createXlsxConverter('objects'), ['a@earliest_date', 'b']);
    const { sheets } = await readXlsx(book);
    expect(sheets[0]).toMatchObject({ name: 'objects' });
    expect(sheets[0]?.rows.slice(1)).toEqual([
      ['1900-02-28', '1900-02-28'],
      ['10000-01-01', '10000-01-01'],
      [new Date('1900-03-01'), '1900-03-01'],
    ]);
  });

  it.each<[string, string, number]>([
    ['6 characters', x(6), 8],
    ['7 characters', x(7), 9],
    ['58 characters, the maximum', x(58), 60],
    ['59 characters, more than the maximum', x(59), 60],
    ['57 characters', x(57), 59],
    ['the longest of several lines', `${x(9)}\r\n${x(20)}\n${x(10)}`, 22],
    ['the first 1,000 characters of a text', `${x(9)}${'\n'.repeat(991)}${x(50)}`, 11],
    ['a line that is cut after 1,000 characters', `${'\n'.repeat(980)}${x(50)}`, 22],
  ])('sets the column width for %s', async (_, text, width) => {
    const { sheets } = await readXlsx(await createWorkbook([['a', x(30)], [text]]), { readStyles: true });
    expect(sheets[0]?.columns?.map((column) => column.width)).toEqual([width, 32]);
  });

  it.each([
    [199, 22],
    [200, 8],
  ])('sets the column width from the first 200 rows: a wide row after %i rows', async (before, width) => {
    const rows = [['a'], ...Array.from({ length: before }, () => ['b']), [x(20)]];
    const { sheets } = await readXlsx(await createWorkbook(rows), { readStyles: true });
    expect(sheets[0]?.columns?.[0]?.width).toBe(width);
  });

  it('reports how many cells were cut', async () => {
    const shape = { kind: 'objects', chosen: undefined, dialect: TSV, rule: parseMultiValueRule() } as const;
    const writer = createXlsxRecordWriter({ ...shape, getHeaders: (names) => names }, []);
    expect(writer.losses?.()).toEqual([]);
    await convertText(writer, [JSON.stringify({ opacObjectId: 1, title: x(33_000) })]);
    const rest = 'cut to 32,767 characters, the limit of Excel';
    expect(writer.losses?.()).toEqual([`1 cell was ${rest}`]);
    expect(formatTruncation(1234)).toBe(`1,234 cells were ${rest}`);
  });

  it('contains the same cells as a CSV export with several values separated by "; "', () =>
    withMuseum({ records: 45 }, async ({ run, path }) => {
      await run('out.csv', { format: 'csv', multi: 'join=; ' });
      const outcome = await run('out.xlsx', { format: 'xlsx' });
      expect(outcome).toMatchObject({ complete: true, warnings: [] });
      const { sheets } = await readXlsx(await readFile(path('out.xlsx')));
      const [header = [], ...rows] = await readCsvRows(await readFile(path('out.csv'), 'utf8'));
      const read = sheets[0]?.rows.map((row) => header.map((_, n) => row[n] ?? ''));
      expect(read).toEqual([header, ...rows]);
      expect(read?.flat()).toContainEqual(expect.stringMatching(/^\S.*; \S/));
    }));

  it('freezes the header row, and has the same bytes each time', async () => {
    const rows = [
      Array.from({ length: 28 }, (_, n) => `c${n}`),
      ...Array.from({ length: 2000 }, () => ['<row r="9">']),
    ];
    const book = await createWorkbook(rows);
    const { sheets } = await readXlsx(book);
    expect(sheets[0]).toMatchObject({ freezePane: { rows: 1 } });
    expect(sheets[0]?.rows).toHaveLength(2001);
    expect((await createWorkbook(rows)).equals(book)).toBe(true);
  });

  it('refuses more than 16,384 columns', async () => {
    const headers = Array.from({ length: 16_385 }, (_, n) => `f${n}`);
    await expect(createWorkbook([headers.slice(1), headers.slice(1)])).resolves.toBeDefined();
    await expect(createWorkbook([headers, headers])).rejects.toThrow(
      'an Excel sheet has at most 16,384 columns; this export has 16,385',
    );
  });

  it.runIf(hasOffice)(
    'opens unchanged in LibreOffice as XLSX, with identifiers as text',
    () =>
      withFolder(async (path) => {
        const rows = [
          ['id', 'accession_no', 'name'],
          ['0012', '1975.10', 'Māori 🦑 "quoted", <b>&amp;</b>'],
          ['123456789012345678', '8-27', '=1+1'],
          ['1E5', 'TRUE', 'two\nlines _x0041_'],
        ];
        await writeFile(path('out.xlsx'), await createWorkbook(rows));
        expect(await convertWithOffice(path('out.xlsx'), path('.'))).toEqual(rows);
      }),
    60_000,
  );

  it.runIf(hasOffice)(
    'opens unchanged in LibreOffice as CSV for Excel',
    () =>
      withFolder(async (path) => {
        const cells = [
          '0012',
          '1975.10',
          '8-27',
          '1E5',
          'true',
          '=1+1',
          '-a',
          "'=x",
          '12',
          '-5',
          'Māori',
          'a\nb',
        ];
        const line = cells.map(EXCEL.formatCell).join(EXCEL.delimiter) + EXCEL.lineEnd;
        await writeFile(path('in.csv'), EXCEL.bom + line);
        const [row = []] = await convertWithOffice(path('in.csv'), path('.'));
        expect(row.map(readExcelText)).toEqual(cells);
      }),
    60_000,
  );
});

describe('URL in an XLSX workbook', () => {
  const url = 'https://example.org/a?b=1&c=%20';
  const createSheet = async (rows: readonly (readonly string[])[]) => {
    const converter = createXlsxConverter('objects');
    const { sheets } = await readXlsx(await createWorkbook(rows, converter), { readStyles: true });
    return { sheet: sheets[0], losses: converter.losses(), remarks: converter.remarks() };
  };

  it('becomes a link if the cell contains nothing else, and all texts stay the same', async () => {
    const rows = [
      ['url', 'a@earliest_date', 'b'],
      [url, '1951-12-31', '_x0041_'],
      [`${url}; ${url}`, '', 'http://x'],
      ['', '', `see ${url}`],
    ];
    const { sheet, losses } = await createSheet(rows);
    expect(sheet?.rows.map((row) => rows[0]?.map((_, n) => row[n] ?? ''))).toEqual([
      rows[0],
      [url, new Date('1951-12-31'), '_x0041_'],
      ...rows.slice(2),
    ]);
    const links = [...(sheet?.cells ?? [])].flatMap(([at, { hyperlink }]) =>
      hyperlink ? [[at, hyperlink.target]] : [],
    );
    expect(links).toEqual([
      ['1,0', url],
      ['2,2', 'http://x'],
    ]);
    expect(sheet).toMatchObject({ freezePane: { rows: 1 } });
    expect(sheet?.cells?.get('1,0')?.style?.numFmt).toBe('@');
    expect(losses).toEqual([]);
  });

  it('stays text in a sheet with too many links or cells, and opac reports it', async () => {
    const many = Array.from({ length: 65_531 }, () => [url]);
    const { sheet, losses, remarks } = await createSheet([['url'], ...many]);
    expect([sheet?.rows.length, sheet?.rows[65_531]]).toEqual([65_532, [url]]);
    expect({ losses, remarks }).toEqual({
      losses: [],
      remarks: ['URLs are not links, because the sheet is too large'],
    });
    const wide = Array.from({ length: 3100 }, (_, n) => (n === 0 ? url : 'x'));
    expect((await createSheet(Array.from({ length: 100 }, () => wide))).remarks).toEqual(remarks);
  });
});
