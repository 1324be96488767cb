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

async function workbookOf(
  [heads = [], ...rows]: readonly (readonly string[])[],
  maker = createXlsxConverter('objects'),
  names = heads,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of maker.convert({ headers: heads, names, rows: Readable.from(rows) }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

async function csvRows(text: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of readTable([text], { format: 'csv' })) rows.push(row);
  return rows;
}

/** The file as LibreOffice reads it and saves it again as CSV. */
async function byOffice(path: string, folder: string): Promise<string[][]> {
  const out = join(folder, 'by-office');
  await promisify(execFile)('soffice', [
    `-env:UserInstallation=file://${folder}/profile`,
    '--headless',
    // 76 is UTF-8, which it would not take by itself.
    ...(path.endsWith('.csv') ? ['--infilter=CSV:44,34,76'] : []),
    '--convert-to',
    'csv:Text - txt - csv (StarCalc):44,34,76',
    '--outdir',
    out,
    path,
  ]);
  return csvRows(await readFile(join(out, `${basename(path, extname(path))}.csv`), 'utf8'));
}

describe('a workbook', () => {
  it('gives every text back', async () => {
    // Excel itself knows one line end only.
    const text = anyText.map((each) => Buffer.from(each).toString().replaceAll('\r', ''));
    const table = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const header = ['a', 'b', 'c'];
        const { sheets } = await readXlsx(await workbookOf([header, ...rows]));
        const read = sheets[0]?.rows.map((row) => header.map((_, n) => String(row[n] ?? '')));
        const last = rows.findLastIndex((row) => row.some((cell) => cell !== ''));
        expect(read?.slice(0, last + 2)).toEqual([header, ...rows.slice(0, last + 1)]);
      }),
      { numRuns: 60 },
    );
  });

  it('has dates from when Excel has them, line feeds alone, and columns as wide as their text', async () => {
    const name = 'production_date@earliest_date';
    const days = ['1951-12-31Z', '1900-03-01', '1861-01-01Z', '1951-02-30', '1951-01-01|1952-01-01'];
    const book = await workbookOf([[name, 'title'], ...days.map((day) => [day, 'a\r\nb\rc'])]);
    const { sheets } = await readXlsx(book, { readStyles: true });
    expect(sheets[0]?.rows.slice(1)).toEqual(
      [new Date('1951-12-31'), new Date('1900-03-01'), ...days.slice(2)].map((day) => [day, 'a\nb\nc']),
    );
    expect(sheets[0]?.columns?.map(({ width }) => width)).toEqual([name.length + 2, 8]);
  });

  const x = (count: number) => 'x'.repeat(count);
  it.each([
    ['nothing', '', null],
    ['as much as Excel holds', x(32_767), undefined],
    ['a character more', x(32_768), `${x(32_766)}…`],
    ['much more', x(70_000), `${x(32_766)}…`],
    ['line ends of two characters', '\r\n'.repeat(32_767), '\n'.repeat(32_767)],
    ['a last character of two halves', `${x(32_765)}🦑`, undefined],
    ['one in the middle of the cut', `${x(32_765)}🦑x`, `${x(32_765)}…`],
    ['one before the cut', `${x(32_764)}🦑xx`, `${x(32_764)}🦑…`],
    ['what looks like escapes', '_x0041_'.repeat(4681), undefined],
    ['longer text that looks so', `${'_x0041_'.repeat(4681)}x`, `${'_x0041_'.repeat(4680)}_x0041…`],
    ['such a text at the cut', `${x(32_763)}_x0041_`, `${x(32_763)}_x0…`],
    ['what XML cannot hold', `\ufffe${'\uffff\0'.repeat(16_383)}`, undefined],
  ])('holds a cell of %s, cut only beyond 32,767 characters', async (_, text, cell) => {
    const maker = createXlsxConverter('objects');
    const { sheets } = await readXlsx(
      await workbookOf(
        [
          ['a', 'b'],
          [text, 'b'],
        ],
        maker,
      ),
    );
    const [read, beside] = sheets[0]?.rows[1] ?? [];
    // Not toBe(text), which would print it all.
    expect([String(read).slice(-9), read === (cell === undefined ? text : cell), beside]).toEqual([
      String(cell === undefined ? text : cell).slice(-9),
      true,
      'b',
    ]);
    expect(maker.truncatedCells()).toBe(String(cell).endsWith('…') ? 1 : 0);
  });

  it('has heads that look like escapes, and a format for text and dates in each column', async () => {
    const heads = ['_x0041_', 'a@earliest_date', 'b@latest_date', 'c@latest_dates', 'latest_date', ''];
    const day = '1999-12-31Z';
    const book = await workbookOf([heads, heads.map(() => day), ['', '', '9999-12-31', '', day]]);
    const { sheets } = await readXlsx(book, { readStyles: true });
    const date = new Date('1999-12-31');
    expect(sheets[0]?.rows.map((row) => row.map((cell) => cell ?? ''))).toEqual([
      heads,
      [day, date, date, day, day, day],
      ['', '', new Date('9999-12-31'), '', day, ''],
    ]);
    const formats = heads.map((_, n) => sheets[0]?.cells?.get(`1,${n}`)?.style?.numFmt);
    expect(formats).toEqual(['@', 'yyyy-mm-dd', 'yyyy-mm-dd', '@', '@', '@']);
  });

  it('knows dates by the names of columns where they have other heads', async () => {
    const days = ['1900-02-28', '10000-01-01', '1900-03-01'];
    const rows = [['Von', 'b@earliest_date'], ...days.map((day) => [day, day])];
    const book = await workbookOf(rows, createXlsxConverter('objects'), ['a@earliest_date', 'b']);
    const { sheets } = await readXlsx(book);
    expect(sheets[0]).toMatchObject({ name: 'objects' });
    expect(sheets[0]?.rows.slice(1)).toEqual([
      ['1900-02-28', '1900-02-28'],
      ['10000-01-01', '10000-01-01'],
      [new Date('1900-03-01'), '1900-03-01'],
    ]);
  });

  it.each<[string, string, number]>([
    ['narrow', x(6), 8],
    ['wider', x(7), 9],
    ['at most so wide', x(58), 60],
    ['no wider', x(59), 60],
    ['nearly so wide', x(57), 59],
    ['by its longest line', `${x(9)}\r\n${x(20)}\n${x(10)}`, 22],
    ['by what its texts begin with', `${x(9)}${'\n'.repeat(991)}${x(50)}`, 11],
    ['by the last of that', `${'\n'.repeat(980)}${x(50)}`, 22],
  ])('has a column that is %s', async (_, text, width) => {
    const { sheets } = await readXlsx(await workbookOf([['a', x(30)], [text]]), { readStyles: true });
    expect(sheets[0]?.columns?.map((column) => column.width)).toEqual([width, 32]);
  });

  it.each([
    [199, 22],
    [200, 8],
  ])('has columns as wide as its first two hundred rows: not row %i behind them', async (before, width) => {
    const rows = [['a'], ...Array.from({ length: before }, () => ['b']), [x(20)]];
    const { sheets } = await readXlsx(await workbookOf(rows), { readStyles: true });
    expect(sheets[0]?.columns?.[0]?.width).toBe(width);
  });

  it('tells how many cells it cut', async () => {
    const shape = { kind: 'objects', chosen: undefined, dialect: TSV, rule: parseMultiValueRule() } as const;
    const writer = createXlsxRecordWriter({ ...shape, getHeaders: (names) => names }, []);
    expect(writer.losses?.()).toEqual([]);
    await convertText(writer, [JSON.stringify({ opacObjectId: 1, title: x(33_000) })]);
    const rest = 'cut to 32,767 characters, the limit of Excel';
    expect(writer.losses?.()).toEqual([`1 cell was ${rest}`]);
    expect(formatTruncation(1234)).toBe(`1,234 cells were ${rest}`);
  });

  it('holds what the CSV of the same export holds, with several values separated by "; "', () =>
    withMuseum({ records: 45 }, async ({ run, path }) => {
      await run('out.csv', { format: 'csv', multi: 'join=; ' });
      const outcome = await run('out.xlsx', { format: 'xlsx' });
      expect(outcome).toMatchObject({ complete: true, warnings: [] });
      const { sheets } = await readXlsx(await readFile(path('out.xlsx')));
      const [header = [], ...rows] = await csvRows(await readFile(path('out.csv'), 'utf8'));
      const read = sheets[0]?.rows.map((row) => header.map((_, n) => row[n] ?? ''));
      expect(read).toEqual([header, ...rows]);
      expect(read?.flat()).toContainEqual(expect.stringMatching(/^\S.*; \S/));
    }));

  it('has a head that stays, and is the same bytes each time', async () => {
    const rows = [
      Array.from({ length: 28 }, (_, n) => `c${n}`),
      ...Array.from({ length: 2000 }, () => ['<row r="9">']),
    ];
    const book = await workbookOf(rows);
    const { sheets } = await readXlsx(book);
    expect(sheets[0]).toMatchObject({ freezePane: { rows: 1 } });
    expect(sheets[0]?.rows).toHaveLength(2001);
    expect((await workbookOf(rows)).equals(book)).toBe(true);
  });

  it('refuses more columns than Excel has', async () => {
    const heads = Array.from({ length: 16_385 }, (_, n) => `f${n}`);
    await expect(workbookOf([heads.slice(1), heads.slice(1)])).resolves.toBeDefined();
    await expect(workbookOf([heads, heads])).rejects.toThrow(
      'an Excel sheet has at most 16,384 columns; this export has 16,385',
    );
  });

  it.runIf(hasOffice)(
    'is read alike by LibreOffice, identifiers as text',
    () =>
      withFolder(async (path) => {
        const rows = [
          ['id', 'accession_no', 'name'],
          ['0012', '1975.10', 'Māori 🦑 "quoted", <b>&amp;</b>'],
          ['123456789012345678', '8-27', '=1+1'],
          ['1E5', 'TRUE', 'two\nlines _x0041_'],
        ];
        await writeFile(path('out.xlsx'), await workbookOf(rows));
        expect(await byOffice(path('out.xlsx'), path('.'))).toEqual(rows);
      }),
    60_000,
  );

  it.runIf(hasOffice)(
    'in CSV for Excel comes through LibreOffice unchanged',
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
        const [row = []] = await byOffice(path('in.csv'), path('.'));
        expect(row.map(readExcelText)).toEqual(cells);
      }),
    60_000,
  );
});

describe('a URL in a workbook', () => {
  const url = 'https://example.org/a?b=1&c=%20';
  const sheetOf = async (rows: readonly (readonly string[])[]) => {
    const maker = createXlsxConverter('objects');
    const { sheets } = await readXlsx(await workbookOf(rows, maker), { readStyles: true });
    return { sheet: sheets[0], losses: maker.losses(), remarks: maker.remarks() };
  };

  it('is a link, if the cell contains nothing else, and all texts stay the same', async () => {
    const rows = [
      ['url', 'a@earliest_date', 'b'],
      [url, '1951-12-31', '_x0041_'],
      [`${url}; ${url}`, '', 'http://x'],
      ['', '', `see ${url}`],
    ];
    const { sheet, losses } = await sheetOf(rows);
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

  it('is text in a sheet with too many links or cells, which opac says', async () => {
    const many = Array.from({ length: 65_531 }, () => [url]);
    const { sheet, losses, remarks } = await sheetOf([['url'], ...many]);
    expect([sheet?.rows.length, sheet?.rows[65_531]]).toEqual([65_532, [url]]);
    expect({ losses, remarks }).toEqual({
      losses: [],
      remarks: ['URLs are not links, because the sheet is too large'],
    });
    const wide = Array.from({ length: 3100 }, (_, n) => (n === 0 ? url : 'x'));
    expect((await sheetOf(Array.from({ length: 100 }, () => wide))).remarks).toEqual(remarks);
  });
});
