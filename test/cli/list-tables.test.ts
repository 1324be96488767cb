/** Lists of ids and values in spreadsheet files: the column that opac reads, and its messages about the rest. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitLines } from '../e2e/run-against-museum.js';
import { opac } from './run-in-process.js';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-list-tables-'));
});
afterAll(() => rm(folder, { recursive: true }));

const IDS = ['20033', '20022'];
const get = (file: string, ...more: string[]) =>
  opac(['objects', 'get', `@${at(file)}`, '--mock', '-f', 'ids', ...more]);

async function writeWorkbook(
  name: string,
  ...sheets: (readonly (readonly CellValue[])[])[]
): Promise<string> {
  const bytes = await writeXlsx({
    sheets: sheets.map((rows, n) => ({ name: `s${n}`, rows: rows.map((row) => [...row]) })),
  });
  await writeFile(at(name), bytes);
  return name;
}

const ROWS = [
  ['Title', 'ID', 'Größe'],
  ['a; "b", c', IDS[0] ?? '', 'é'],
  ['', IDS[1] ?? '', ''],
];
const formatRows = (delimiter: string) =>
  ROWS.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n');

describe('the ids in a spreadsheet', () => {
  it.each([
    ['a workbook', () => writeWorkbook('a.xlsx', ROWS)],
    [
      'a workbook with numbers',
      () =>
        writeWorkbook(
          'b.xlsx',
          ROWS.map(([a = '', id]) => [a, Number(id) || (id ?? '')]),
        ),
    ],
    [
      'a workbook of one column',
      () =>
        writeWorkbook(
          'c.xlsx',
          IDS.map((id) => [id]),
        ),
    ],
    ['semicolons', () => formatRows(';')],
    ['semicolons in Windows-1252', () => Buffer.from(formatRows(';'), 'latin1')],
    ['tabs in UTF-16', () => Buffer.from(`\ufeff${formatRows('\t')}`, 'utf16le')],
    ['semicolons in UTF-16, big-endian', () => Buffer.from(`\ufeff${formatRows(';')}`, 'utf16le').swap16()],
  ])('are found in %s', async (_, create) => {
    const content = await create();
    const name = typeof content === 'string' && content.endsWith('.xlsx') ? content : 'd.csv';
    if (name === 'd.csv') await writeFile(at(name), content);
    const { code, stdout, stderr } = await get(name);
    const isLatin1 = Buffer.isBuffer(content) && content.includes(0xe9) && !content.includes(0);
    expect({ code, found: splitLines(stdout), stderr }).toEqual({
      code: 0,
      found: IDS,
      stderr: isLatin1 ? `"${at(name)}" is not UTF-8; it was read as Windows-1252\n` : '',
    });
    const listed = await opac(['objects', 'list', '--mock', '-f', 'ids', '--external-id', `@${at(name)}`]);
    expect(listed).toMatchObject({ code: 0, stdout });
  });

  it.each([
    [
      'no id column',
      [
        ['Nr', 'Title'],
        ['20022', 'a'],
      ],
      'no column "id", only Nr, Title; rename one column to "id" and delete the lines above the header, or',
    ],
    [
      'two id columns',
      [
        ['opacObjectId', 'external_object_id'],
        ['20022', '1'],
      ],
      '2 columns "id": opacObjectId, ext',
    ],
    [
      'a title above columns without ids',
      [['My list'], ['Title', 'Nr'], ['a', '20022']],
      'no column "id", only Title, Nr',
    ],
  ])('are not found with %s', async (_, rows, message) => {
    await writeWorkbook('unclear.xlsx', rows);
    await writeFile(at('unclear.csv'), rows.map((row) => row.join(';').padEnd(9, ';')).join('\n'));
    await writeFile(at('unclear.txt'), rows.map((row) => row.join('\t').padEnd(9, '\t')).join('\n'));
    for (const name of ['unclear.xlsx', 'unclear.csv', 'unclear.txt']) {
      const { code, stdout, stderr } = await get(name);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`${name}" has ${message}`)]);
    }
  });

  it('are used once if they are repeated, and a message counts the repeated ones', async () => {
    await writeFile(at('twice.txt'), '20022\n 20022 \n20033\n20022\n');
    const { stdout, stderr } = await get('twice.txt');
    expect([splitLines(stdout), stderr]).toEqual([
      ['20022', '20033'],
      `ignored 2 repeated values of the 4 in "${at('twice.txt')}"\n`,
    ]);
  });

  it('are read from the first sheet, with a message about further sheets', async () => {
    await writeWorkbook('two.xlsx', [['id'], ['20022']], [], [['id'], ['20033']]);
    expect(await get('two.xlsx')).toMatchObject({
      code: 0,
      stdout: '20022\n',
      stderr: `"${at('two.xlsx')}" has several sheets; only the first one was read\n`,
    });
    await writeWorkbook('empty.xlsx', [['id'], ['20022']], []);
    expect((await get('empty.xlsx')).stderr).toBe('');
  });

  it.each([
    ['without cells', []],
    ['with a blank row', [['', '']]],
  ])('are reported as missing in a workbook %s', async (_, rows) => {
    await writeWorkbook('blank.xlsx', rows);
    const { code, stdout, stderr } = await opac([
      ...['objects', 'list', '--mock', '-f', 'ids', '--external-id', `@${at('blank.xlsx')}`],
    ]);
    expect([code, stdout, stderr]).toEqual([2, '', `opac: no ids in "@${at('blank.xlsx')}"\n`]);
  });

  it('are not read from damaged files, or from a file without @', async () => {
    await writeFile(at('damaged.xlsx'), 'PK\x03\x04 and more');
    expect(await get('damaged.xlsx')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('as an XLSX file'),
    });
    await writeFile(at('damaged.txt'), Buffer.concat([Buffer.from('éèê\n'), Buffer.from([0xe9, 0x0a])]));
    expect(await get('damaged.txt')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('neither UTF-8'),
    });
    expect(await opac(['objects', 'get', at('two.xlsx'), '--mock'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`read ids from the file with: @${at('two.xlsx')}`),
    });
  });
});

describe('the values in a spreadsheet', () => {
  const list = (file: string) =>
    opac(['objects', 'list', '--mock', '-f', 'ids', '--where', `accession_no=@${at(file)}`]);

  it('are read from the column of the field, or from the only column', async () => {
    await writeWorkbook('field.xlsx', [
      ['Title', 'Accession No.'],
      ['x', '00345'],
      ['y', 'none'],
    ]);
    await writeWorkbook('only.xlsx', [
      [null, 'Inventory'],
      [null, '00345'],
    ]);
    expect(await list('field.xlsx')).toMatchObject({
      code: 0,
      stdout: '20022\n',
      stderr: 'warning: 1 of 2 entries in the list was not found: none\n',
    });
    expect(await list('only.xlsx')).toMatchObject({
      stdout: '20022\n',
      stderr: 'warning: 1 of 2 entries in the list was not found: Inventory\n',
    });
    await writeWorkbook('other.xlsx', [
      ['Title', 'Inventory'],
      ['x', '00345'],
    ]);
    expect(await list('other.xlsx')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no column "accession_no", only Title, Inventory'),
    });
  });

  it('are read only once by sync, with one note', async () => {
    await writeWorkbook('mirror.xlsx', [['accession_no'], ['00345'], ['00345']]);
    const where = ['--where', `accession_no=@${at('mirror.xlsx')}`];
    const { code, stdout, stderr } = await opac([
      'sync',
      at('mirror'),
      '--mock',
      '--kinds',
      'objects',
      ...where,
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('objects: 1 record\n')]);
    expect(stderr.match(/repeated value/g)).toHaveLength(1);
  });
});

describe('a column with the label of the field', () => {
  it.each([
    ['list', '--where', 'accession_no=@label.csv'],
    ['list', '--where', 'Accession number=@label.csv'],
    ['get', '@label.csv', '--by', 'accession_no'],
  ])('is found by %s %s %s', async (...words) => {
    await writeFile(at('label.csv'), 'Title;Accession number\nFern;00345\nModel;1869.1.21\n');
    const command = words.map((word) => word.replace('@label.csv', `@${at('label.csv')}`));
    const { code, stdout } = await opac(['objects', ...command, '--mock', '-f', 'ids']);
    expect([code, splitLines(stdout).sort()]).toEqual([0, ['20011', '20022']]);
  });

  it.each([[['Loan list, spring']], [['Loans; "spring"', '3 Nov, 2026']], [['a'], ['b; c']]])(
    'is found below the title %j',
    async (...titles) => {
      const rows = [...titles, ['Title', 'ID', 'Nr'], ['a', '20022', ''], ['b, c', '20011', '7']];
      const quoted = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
      await writeFile(at('titled.csv'), quoted.join('\n'));
      for (const name of [await writeWorkbook('titled-2.xlsx', rows), 'titled.csv'])
        expect([name, (await get(name)).stdout]).toEqual([name, '20022\n20011\n']);
    },
  );

  it('is found below a title, also if a row has only one cell', async () => {
    const rows = [['Works for the exhibition'], ['id', 'Remark'], [IDS[0] ?? '', 'x'], [IDS[1] ?? '']];
    const { stdout } = await get(await writeWorkbook('titled.xlsx', rows));
    expect(splitLines(stdout)).toEqual(IDS);
  });

  it('is found in an export of opac with labels', async () => {
    const table = ['--where', 'maker_name=Hetet', '--columns', 'title,accession_no', '-o', at('own.xlsx')];
    await opac(['objects', 'export', '--mock', ...table]);
    const { code, stdout } = await opac([
      ...['objects', 'count', '--mock', '--where', `accession_no=@${at('own.xlsx')}`],
    ]);
    expect([code, Number(stdout)]).toEqual([0, expect.any(Number)]);
    expect(Number(stdout)).toBeGreaterThan(0);
  });
});
