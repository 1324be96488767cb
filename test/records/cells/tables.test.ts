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

/** Returns a table of the records as text, and the names of its columns. */
async function createTable(
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

async function readRows(
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

/** Returns the values of each column for each record. */
function getExpectedValues(records: readonly object[], names: readonly string[]): string[][][] {
  return records.map((raw) => {
    // Uses JSON, because the service also sends JSON.
    const record = readRecord(parseExactJson(raw), 'objects');
    return names.map((name) =>
      dropSingleEmptyValue([...parseColumn(name).values(record)].map(convertToUtf8)),
    );
  });
}

/** Files contain U+FFFD for characters that UTF-8 cannot encode. */
function convertToUtf8(text: string): string {
  return Buffer.from(text).toString();
}

function parseExactJson(raw: object): unknown {
  return JSON.parse(JSON.stringify(raw, (_, each) => (typeof each === 'bigint' ? String(each) : each)));
}

/** A joined cell keeps empty values only if another list of the record has the same length. */
function getJoinedValues(row: readonly string[][], at: number): string[] {
  const values = row[at] ?? [];
  const isParallel = row.some((other, n) => n !== at && other.length === values.length);
  return isParallel
    ? values
    : dropSingleEmptyValue(values.length > 1 ? values.filter((value) => value !== '') : values);
}

/** Returns the values of a cell. Needs the expected values, because a cell with a single value is not escaped. */
function readBack(multi: MultiValueRule, cell: string, expected: readonly string[]): string[] {
  if (multi.rule === 'json' && cell.startsWith('[') && expected[0] !== cell)
    return JSON.parse(cell).map(convertToUtf8);
  if (expected.length <= 1) return cell === '' ? [] : [convertToUtf8(cell)];
  return cellValues(multi, cell).map(convertToUtf8);
}

/** In a table, one empty value looks the same as no value. */
function dropSingleEmptyValue(values: string[]): string[] {
  return values.length === 1 && values[0] === '' ? [] : values;
}

describe('createTableConverter', () => {
  const pieceLength = fc.integer({ min: 1, max: 9 });

  it('keeps all values with join and json in CSV, TSV and CSV for Excel', async () => {
    await fc.assert(
      fc.asyncProperty(records, rule, dialect, pieceLength, async (some, multi, how, length) => {
        const { text, names } = await createTable(some, multi, DIALECTS[how]);
        const [header, ...rows] = await readRows(text, how, length);
        expect(header).toEqual(names.map(convertToUtf8));
        const values = getExpectedValues(some, names);
        const expected = values.map((row) =>
          multi.rule === 'json' ? row : row.map((_, at) => getJoinedValues(row, at)),
        );
        expect(
          rows.map((row, n) => row.map((cell, at) => readBack(multi, cell, expected[n]?.[at] ?? []))),
        ).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['csv', 'tsv'] as const)(
    "writes %s that Python's csv module and opac read in the same way (needs python3)",
    async (how) => {
      const sampled = fc.sample(fc.tuple(records, rule), 100);
      const created = await Promise.all(
        sampled.map(([some, multi]) => createTable(some, multi, DIALECTS[how])),
      );
      const tables = created.map(({ text }) => text);
      const own = await Promise.all(tables.map((text) => readRows(text, how)));
      expect(readByPython(tables, DIALECTS[how].delimiter)).toEqual(own);
    },
  );

  it('writes a quoted empty cell for a record without a value in a table of one column', async () => {
    const columns = createChosenColumns('objects', [parseColumn('maker_name')]);
    expect((await createTable([{ id: 1 }], parseMultiValueRule(), CSV, columns)).text).toBe(
      'maker_name\n""\n',
    );
  });
});

describe('multi-value rule', () => {
  const values = fc.array(anyText, { minLength: 1, maxLength: 4 });

  it('joins several values into one cell that can be split again', () => {
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
  ])('applies the rule %s to %j: %s', (text, cell: Cell, printed) => {
    expect(createCellFormatter(parseMultiValueRule(text))(cell)).toBe(printed);
  });

  it.each([
    ['with plain values', (text: string) => text],
    ['with values that contain a quote', (text: string) => `${text}"`],
  ])('splits parallel lists into rows, %s', async (_, decorate) => {
    const field = (identifier: string, ...values: string[]) => ({
      identifier,
      opacObjectFields: values.map((value) => ({ value: decorate(value) })),
    });
    const fields = [
      field('maker', 'Ann', 'Bea', 'Cy'),
      field('role', 'carver', 'gilder'),
      field('part', 'x', 'y', 'z', 'w'),
      field('split', 'one'),
      field('whole', 'all'),
    ];
    const names = fields.map(({ identifier }) => parseColumn(identifier)).concat(parseColumn('nowhere'));
    const { text } = await createTable(
      [{ opacObjectFieldSets: fields }],
      parseMultiValueRule('rows=maker,role,split,nowhere'),
      CSV,
      createChosenColumns('objects', names),
    );
    const [, ...rows] = await readRows(text, 'csv');
    const createRow = (...cells: string[]) =>
      cells.map((cell) => (cell === '' ? '' : cell.split('|').map(decorate).join('|')));
    expect(rows).toEqual([
      createRow('Ann', 'carver', 'x|y|z|w', 'one', 'all', ''),
      createRow('Bea', 'gilder', 'x|y|z|w', '', 'all', ''),
      createRow('Cy', '', 'x|y|z|w', '', 'all', ''),
    ]);
  });

  it.each(['', 'joined', 'join=', 'join=a\\', 'json=1', 'rows', 'rows='])('refuses the rule "%s"', (text) => {
    expect(() => parseMultiValueRule(text)).toThrow(/is not a rule|cannot separate/);
  });
});

describe('Excel protection', () => {
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
  ])('writes %s as a text formula', (text) => {
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
  ])('does not change %s', (text) => {
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
  ])('adds an apostrophe before %j', (text) => {
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
  ])('adds apostrophes to formulas after semicolons, tabs and line breaks: %j', (text, cell) => {
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
  ])('reads the cell %j as %j', (cell, text) => {
    expect(readExcelText(cell)).toBe(text);
  });

  it('writes any text so that readExcelText restores it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readExcelText(protectFromExcel(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});
