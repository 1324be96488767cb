import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTableConverter } from '../../../src/export/convert/table-writer.js';
import { CSV, type Dialect, TSV } from '../../../src/records/cells/dialect.js';
import { EXCEL, protectFromExcel, readExcelText } from '../../../src/records/cells/excel.js';
import {
  type Cell,
  cellValues,
  createCellFormatter,
  type MultiValueRule,
  parseMultiValueRule,
} from '../../../src/records/cells/multi-value-rule.js';
import { type ColumnReader, DiscoveredColumns } from '../../../src/records/columns/discovered-columns.js';
import { createChosenColumns } from '../../../src/records/columns/parsed-columns.js';
import { readTable } from '../../../src/records/files/read-table.js';
import { parseColumn } from '../../../src/service/records/columns.js';
import { readRecord } from '../../../src/service/records/record.js';
import { convertText } from '../../export/convert.js';
import { readByPython } from './python.js';
import { anyRecord, anyText, printJson } from './record-arbitrary.js';

const RULES = [
  'join',
  'join=; ',
  'join= · ',
  'join=||',
  'join=a',
  'join=/',
  'join="',
  'join=\t',
  'join=,\n',
  'json',
].map((text) => parseMultiValueRule(text));
const DIALECTS = { csv: CSV, tsv: TSV, excel: EXCEL };

const rule = fc.constantFrom(...RULES);
const dialect = fc.constantFrom<keyof typeof DIALECTS>('csv', 'tsv', 'excel');
const records = fc.array(anyRecord, { minLength: 1, maxLength: 5 });

/** A whole table of these records as text, and the names of its columns. */
async function tableOf(
  records: readonly object[],
  multi: MultiValueRule,
  dialect: Dialect,
  columns: ColumnReader = new DiscoveredColumns('objects'),
) {
  const converter = createTableConverter({ columns, dialect, multi });
  const text = await convertText(
    converter,
    records.map((record) => printJson(record)),
  );
  return { text, names: converter.table.columns() };
}

async function rowsOf(
  text: string,
  how: keyof typeof DIALECTS,
  pieceLength = text.length,
): Promise<string[][]> {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) pieces.push(bytes.subarray(at, at + pieceLength));
  const rows: string[][] = [];
  const format = how === 'tsv' ? 'tsv' : 'csv';
  for await (const row of readTable(pieces, { format, excel: how === 'excel' })) rows.push(row);
  return rows;
}

/** The values of each record by column. */
function expected(records: readonly object[], names: readonly string[]): string[][][] {
  return records.map((raw) => {
    // Through JSON, as the service sends it.
    const record = readRecord(exactJson(raw), 'objects');
    return names.map((name) => nothing([...parseColumn(name).values(record)].map(inUtf8)));
  });
}

/** What UTF-8 cannot hold is U+FFFD in a file. */
function inUtf8(text: string): string {
  return Buffer.from(text).toString();
}

function exactJson(raw: object): unknown {
  return JSON.parse(JSON.stringify(raw, (_, each) => (typeof each === 'bigint' ? String(each) : each)));
}

/** What a cell of joined values has: empty ones only where another list of the record is as long. */
function kept(row: readonly string[][], at: number): string[] {
  const values = row[at] ?? [];
  const isParallel = row.some((other, n) => n !== at && other.length === values.length);
  return isParallel ? values : nothing(values.length > 1 ? values.filter((value) => value !== '') : values);
}

/** The values of a cell that should be `those`: a single one is not escaped, so nothing but they tell it from several. */
function readBack(multi: MultiValueRule, cell: string, those: readonly string[]): string[] {
  if (multi.rule === 'json' && cell.startsWith('[') && those[0] !== cell) return JSON.parse(cell).map(inUtf8);
  if (those.length <= 1) return cell === '' ? [] : [inUtf8(cell)];
  return cellValues(multi, cell).map(inUtf8);
}

/** A table does not tell one empty value from none. */
function nothing(values: string[]): string[] {
  return values.length === 1 && values[0] === '' ? [] : values;
}

describe('a table', () => {
  const pieceLength = fc.integer({ min: 1, max: 9 });

  it('gives every value back under join and json, as CSV, TSV and for Excel', async () => {
    await fc.assert(
      fc.asyncProperty(records, rule, dialect, pieceLength, async (some, multi, how, length) => {
        const { text, names } = await tableOf(some, multi, DIALECTS[how]);
        const [header, ...rows] = await rowsOf(text, how, length);
        expect(header).toEqual(names.map(inUtf8));
        const values = expected(some, names);
        const those = values.map((row) => (multi.rule === 'json' ? row : row.map((_, at) => kept(row, at))));
        expect(
          rows.map((row, n) => row.map((cell, at) => readBack(multi, cell, those[n]?.[at] ?? []))),
        ).toEqual(those);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['csv', 'tsv'] as const)(
    "is read alike by Python's csv module, as %s (needs python3)",
    async (how) => {
      const sampled = fc.sample(fc.tuple(records, rule), 100);
      const made = await Promise.all(sampled.map(([some, multi]) => tableOf(some, multi, DIALECTS[how])));
      const tables = made.map(({ text }) => text);
      const ours = await Promise.all(tables.map((text) => rowsOf(text, how)));
      expect(readByPython(tables, DIALECTS[how].delimiter)).toEqual(ours);
    },
  );

  it('of one column has a line for a record without a value', async () => {
    const columns = createChosenColumns('objects', [parseColumn('maker_name')]);
    expect((await tableOf([{ id: 1 }], parseMultiValueRule(), CSV, columns)).text).toBe('maker_name\n""\n');
  });
});

describe('several values', () => {
  const values = fc.array(anyText, { minLength: 1, maxLength: 4 });

  it('come back from one cell', () => {
    fc.assert(
      fc.property(values, rule, (some, multi) => {
        const cell = createCellFormatter(multi)(some.length > 1 ? some : (some[0] as string));
        expect(some.length > 1 ? cellValues(multi, cell) : [cell]).toEqual(some);
      }),
    );
  });

  it.each([
    ['join', ['a', 'b|c', 'd\\'], 'a|b\\|c|d\\'],
    ['join', ['d\\', 'e\\|f'], 'd\\\\|e\\\\\\|f'],
    ['join', 'C:\\Museum\\jar', 'C:\\Museum\\jar'],
    ['join', ['C:\\Museum', 'jar'], 'C:\\Museum|jar'],
    ['join', 'a|b', 'a|b'],
    ['join=; ', ['a', 'b; c;d'], 'a; b\\; c;d'],
    ['join=; ', ['a;', 'b'], 'a;; b'],
    ['join=||', ['a|', 'b'], 'a\\|||b'],
    ['json', ['a', 'b"'], '["a","b\\""]'],
    ['json', 'a', 'a'],
    ['first', ['', 'b'], 'b'],
  ])('under %s: %j are %s', (text, cell: Cell, printed) => {
    expect(createCellFormatter(parseMultiValueRule(text))(cell)).toBe(printed);
  });

  it.each([
    ['as they stand', (text: string) => text],
    ['with an escape', (text: string) => `${text}"`],
  ])('are split over rows in step, %s', async (_, spell) => {
    const field = (identifier: string, ...values: string[]) => ({
      identifier,
      opacObjectFields: values.map((value) => ({ value: spell(value) })),
    });
    const fields = [
      field('maker', 'Ann', 'Bea', 'Cy'),
      field('role', 'carver', 'gilder'),
      field('part', 'x', 'y', 'z', 'w'),
      field('split', 'one'),
      field('whole', 'all'),
    ];
    const names = fields.map(({ identifier }) => parseColumn(identifier)).concat(parseColumn('nowhere'));
    const { text } = await tableOf(
      [{ opacObjectFieldSets: fields }],
      parseMultiValueRule('rows=maker,role,split,nowhere'),
      CSV,
      createChosenColumns('objects', names),
    );
    const [, ...rows] = await rowsOf(text, 'csv');
    const spelt = (...cells: string[]) =>
      cells.map((cell) => (cell === '' ? '' : cell.split('|').map(spell).join('|')));
    expect(rows).toEqual([
      spelt('Ann', 'carver', 'x|y|z|w', 'one', 'all', ''),
      spelt('Bea', 'gilder', 'x|y|z|w', '', 'all', ''),
      spelt('Cy', '', 'x|y|z|w', '', 'all', ''),
    ]);
  });

  it.each(['', 'joined', 'join=', 'join=a\\', 'json=1', 'rows', 'rows='])('refuses the rule "%s"', (text) => {
    expect(() => parseMultiValueRule(text)).toThrow(/is not a rule|cannot separate/);
  });
});

describe('text for Excel', () => {
  it.each([
    '0012',
    '00.5',
    '123456789012',
    '1975.10',
    '1975.0',
    '8-27',
    '08/27',
    '1-2-2003',
    '1905-12',
    '1999-12-31',
    'May 5',
    '5 May',
    'Mar-05',
    'May 1863',
    '1E5',
    '12e3',
    '12:30',
    '50%',
    '1,000',
    '$5',
    '+5',
    'TRUE',
    'false',
    '.5',
    '1.',
    '-0',
    '007',
    '1/2',
    '1 1/2',
    '10.30',
    '-007',
    '-1.',
    '0.12345678901',
    '$1,000.50',
    '-$5',
    ',5',
    '1e-5',
    '5 %',
    '12:30:45',
    '9:05 pm',
    '12:30:45.5',
    '12-31',
    '31-12',
    '1-1',
    '12/1900',
    '1900-12',
    '1-2-1863',
    '1863/1/2',
    '1. 2. 1999',
    '12-31-99',
    '31 Dec. 1999',
    'dec 99',
    'SEPTEMBER 5',
    'True',
    `1e${'0'.repeat(38)}`,
  ])('keeps %s', (text) => {
    expect(protectFromExcel(text)).toBe(`="${text}"`);
  });

  it.each([
    '12',
    '-12',
    '1975.25',
    '0.5',
    '1863-1882',
    'c. 1863',
    'G.12',
    '1975.25.3a',
    'March',
    'Maker',
    'two 1/2',
    '1863',
    'a0012',
    '',
    ' -12',
    ' a=1',
    '1899-12',
    '12/1899',
    '13-1900',
    '1900-13',
    '0-1900',
    '0-0',
    '13-31',
    '31-13',
    '100-2',
    '1863-1882-1',
    '1-1863-1882',
    '1-2/2003',
    '12345678901',
    '0.1234567891',
    '0',
    'May',
    'truer',
    'untrue',
    '12:30 x',
    '1 2',
    'a 1/2',
    `1e${'0'.repeat(39)}`,
    '\u3000a',
    'ア',
  ])('leaves %s as it is', (text) => {
    expect(protectFromExcel(text)).toBe(text);
  });

  it.each([
    '=1+1',
    '+64 (3) 21',
    '-a',
    '@x',
    '\tx',
    '\rx',
    "'=1",
    '="0012"',
    '\nx',
    ' =1',
    '\u00a0=1',
    '\u3000+a',
    '\u200b@x',
    '\ufeff=1',
    '\u0085=1',
    '\v=1',
    '＝1+1',
    ' ＋a',
    '－a',
    '＠x',
    "' =1",
    "''=1",
    '\t5',
    '\u202e=1',
    '- 5',
    '-5 a',
  ])('guards %j', (text) => {
    expect(protectFromExcel(text)).toBe(`'${text}`);
  });

  it.each([
    [';=1', ";'=1"],
    ['a;"=1', 'a;\'"=1'],
    ['a\t ""@x', 'a\t\' ""@x'],
    ['a; =1', "a;' =1"],
    ["a;'=1", "a;''=1"],
    ['=1;@x', "'=1;'@x"],
    [';-1+cmd', ";'-1+cmd"],
    ['174.7; -41.3', '174.7; -41.3'],
    ['a;-1; -2', 'a;-1; -2'],
    ['a\n=1;b', "a\n'=1;b"],
    ['a\r=1', "a\r'=1"],
    ['a\r\n=1', "a\r\n'=1"],
    ['a\n\t=1', "a\n\t'=1"],
    ['a\t=1', "a\t'=1"],
    ['a;\t=1', "a;\t'=1"],
    ['a\t-5\tb', 'a\t-5\tb'],
    ['a\n\n@x', "a\n\n'@x"],
    ['a;\n=1', "a;\n'=1"],
    ["a\n'=1", "a\n''=1"],
    ['a\n-5', 'a\n-5'],
    ['a\nb = c', 'a\nb = c'],
  ])('guards what follows a semicolon, a tab or a line break: %j', (text, cell) => {
    expect(protectFromExcel(text)).toBe(cell);
    expect(readExcelText(cell)).toBe(text);
  });

  it.each([
    ['="0012"', '0012'],
    ['="a\nb"', 'a\nb'],
    ['=""', ''],
    ['="a"b"', '="a"b"'],
    ['x="a"', 'x="a"'],
    ['="a"x', '="a"x'],
    ["'=1", '=1'],
    ["''=1", "'=1"],
    ["'a", "'a"],
    ["'-5", "'-5"],
    ["a'=1", "a'=1"],
    ['=1', '=1'],
  ])('%j is read as %j', (cell, text) => {
    expect(readExcelText(cell)).toBe(text);
  });

  it('comes back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readExcelText(protectFromExcel(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});
