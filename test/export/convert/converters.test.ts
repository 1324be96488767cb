/** The output of the converters for lines, JSON, ids and tables. */
import { describe, expect, it } from 'vitest';
import {
  createFlatConverter,
  createIdConverter,
  createJsonConverter,
} from '../../../src/export/convert/lines.js';
import { createTableConverter, createTableRecordWriter } from '../../../src/export/convert/table-writer.js';
import { CSV, TSV } from '../../../src/records/cells/dialect.js';
import { EXCEL } from '../../../src/records/cells/excel.js';
import { parseMultiValueRule } from '../../../src/records/cells/multi-value-rule.js';
import { plainText } from '../../../src/records/cells/plain-text.js';
import { DiscoveredColumns } from '../../../src/records/columns/discovered-columns.js';
import { readLines } from '../../../src/records/json/page-records.js';
import { parseColumn } from '../../../src/service/records/columns.js';
import { convertText } from '../convert.js';

const page = (...records: string[]) => Buffer.from(`{"totalObjects":9,"opacObjects":[${records.join(',')}]}`);
const record = (id: number, fields: Readonly<Record<string, readonly string[]>> = {}) =>
  JSON.stringify({
    opacObjectId: id,
    opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
      identifier,
      opacObjectFields: values.map((value) => ({ value })),
    })),
  });

const [A, B, C] = ['{"opacObjectId":1,"a":"é"}', '{"opacObjectId":"2"}', '{"b":3}'] as const;

it.each([
  ['records separated by one comma', page(A, B), [A, B]],
  [
    'records separated by spaces and a comma',
    Buffer.from(`{"totalObjects":9,"opacObjects":[${A} , ${B}]}`),
    [A, B],
  ],
  [
    'a record with line breaks and spaces',
    page('{\n "opacObjectId" : 1,\r\n\t"a":" x\\n "}', B),
    ['{"opacObjectId":1,"a":" x\\n "}', B],
  ],
  ['a record without an id', page(A, C, B), [A, C, B]],
  [
    'a list before the total, with a number among the records',
    Buffer.from(`{"opacObjects":[${A}, 7,${B}],"x":1,"totalObjects":9}`),
    [A, B],
  ],
  [
    'a list before the total, with a number and only one record',
    Buffer.from(`{"opacObjects":[7,${A}],"x":1,"totalObjects":"9"}`),
    [A],
  ],
  ['a number between two records', page(A, '7', B, C), [A, B, C]],
])('reads one line per record from a page: %s', (_, bytes, lines) => {
  const { records, total } = readLines(bytes, 'objects', 0) ?? {};
  expect(records?.map(({ bytes, start, end }) => bytes.toString('utf8', start, end))).toEqual(lines);
  expect(total).toBe(9);
});

describe('converter of original records', () => {
  it.each([
    [createJsonConverter('lines'), true],
    [createJsonConverter('array'), false],
    [createFlatConverter('lines', 'objects'), false],
    [createIdConverter(), false],
  ])('keeps the lines only if it would not change them (%#)', async (converter, isCopied) => {
    expect(converter.keepsLines ?? false).toBe(isCopied);
    if (isCopied) expect(await convertText(converter, [A, C], [B])).toBe(`${A}\n${C}\n${B}\n`);
  });

  it.each([
    ['lines', `${A}\n${C}\n${B}\n`, ''],
    ['array', `[\n${A},\n${C},\n${B}\n]\n`, '[]\n'],
  ] as const)('writes %s, independent of the groups of records', async (format, text, empty) => {
    const converter = createJsonConverter(format);
    expect(await convertText(converter, [A, C, B])).toBe(text);
    expect(await convertText(converter, [A], [], [C, B], [])).toBe(text);
    expect(await convertText(converter)).toBe(empty);
  });
});

describe('converter of ids and flat JSON', () => {
  it('writes one id per line, and an empty line for a record without an id', async () => {
    expect(await convertText(createIdConverter(), [A, C, '{"opacObjectId":"a\\nb"}'])).toBe('1\n\na\\nb\n');
    expect(await convertText(createIdConverter(), ['{"opacObjectId":1,"recordType":"object"}'])).toBe('1\n');
  });

  it('writes flat JSON, and changes its texts only if requested', async () => {
    const one = record(1, { maker: ['Ann'] });
    const flat = createFlatConverter('array', 'objects', (each) => ({ ...each, title: 'plain' }));
    expect(JSON.parse(await convertText(flat, [one]))).toMatchObject([
      { id: '1', title: 'plain', fields: { maker: ['Ann'] } },
    ]);
    expect(await convertText(createFlatConverter('lines', 'objects'), [one])).toMatch(
      /^\{.*"title":"".*\}\n$/,
    );
  });
});

describe('table converter', () => {
  const HEADER = 'id,title,recordType,slug,collection,label,image.count,image.url';
  const shape = { kind: 'objects', chosen: undefined, rule: parseMultiValueRule() } as const;
  const keepNames = (columns: readonly string[]) => columns;

  it('adds columns in the order of the records, and writes all columns in every row', async () => {
    const table = createTableRecordWriter({ ...shape, dialect: undefined, getHeaders: keepNames }, []);
    const text = await convertText(
      table,
      [record(1, { a: ['1'] })],
      [record(2, { b: ['2'], c: ['=3'] })],
      [record(3, { a: ['3'] }), record(4, { a: ['5'] })],
    );
    expect(text).toBe(
      `${HEADER},a,b,c\n1,,object,,,,0,,1,,\n2,,object,,,,0,,,2,=3\n3,,object,,,,0,,3,,\n4,,object,,,,0,,5,,\n`,
    );
    expect([table.table.formulas(), table.table.rows()]).toEqual([1, 4]);
    expect(table.table.columns()).toEqual([...HEADER.split(','), 'a', 'b', 'c']);
    expect(
      await convertText(createTableRecordWriter({ ...shape, dialect: CSV, getHeaders: keepNames }, [])),
    ).toBe(`${HEADER}\n`);
  });

  it('starts with the columns of the earlier export, and writes custom headers', async () => {
    const getHeaders = (columns: readonly string[]) => columns.map((name) => name.toUpperCase());
    const table = createTableRecordWriter({ ...shape, dialect: EXCEL, getHeaders }, [
      ...HEADER.split(','),
      'b',
      'a',
    ]);
    expect(await convertText(table, [record(1, { a: ['x,y'] })])).toBe(
      `\ufeff${HEADER.toUpperCase()},B,A\r\n1,,object,,,,0,,,"x,y"\r\n`,
    );
    expect(await convertText(table, [record(2, { a: ['x;=1'], b: ['x;\u003d1'] })])).toContain(
      "x;'=1,x;'=1\r\n",
    );
    expect(table.table.headers().at(-1)).toBe('A');
  });

  it('counts cells with half of a surrogate pair, which UTF-8 cannot encode', async () => {
    const table = createTableRecordWriter({ ...shape, dialect: CSV, getHeaders: keepNames }, []);
    const text = await convertText(table, [
      record(1, { a: ['x\ud800'] }),
      record(2, { a: ['\ud834\udd1e'] }),
    ]);
    expect(text.split('\n').slice(1, 3)).toEqual(['1,,object,,,,0,,x\ufffd', '2,,object,,,,0,,\ud834\udd1e']);
    expect(table.losses?.()).toEqual(['1 cell contains half of a surrogate pair, written as U+FFFD']);
  });

  it('counts the rows and formulas of all files', async () => {
    const multi = parseMultiValueRule('rows=a');
    const table = createTableConverter({ columns: new DiscoveredColumns('objects'), dialect: CSV, multi });
    const two = record(1, { a: ['=1', 'x'] });
    await convertText(table, [two]);
    expect([table.table.rows(), table.table.formulas()]).toEqual([2, 1]);
    const text = await convertText(table, [two, record(2)], [record(3, { a: ['@', '+b', 'c'] })]);
    expect(text.split('\n').slice(1, -1)).toEqual(
      ['1,=1', '1,x', '2,', '3,@', '3,+b', '3,c'].map((each) => each.replace(',', ',,object,,,,0,,')),
    );
    expect([table.table.rows(), table.table.formulas()]).toEqual([8, 4]);
  });

  it.each<[string, Partial<Parameters<typeof createTableRecordWriter>[0]>, string, string]>([
    ['selected columns', { chosen: ['a', 'id'].map(parseColumn) }, 'a,id', 'x|y,1'],
    [
      'selected columns of attributes and single values',
      { chosen: ['a@k', 'a[1]', 'b@k'].map(parseColumn) },
      'a@k,a[1],b@k',
      'v,y,w',
    ],
    [
      'all columns, including attributes',
      { columns: 'all' },
      `${HEADER},a,a@k,b,b@k`,
      '1,,object,,,,0,,x|y,v|,z,w',
    ],
    [
      'the columns of fields without attributes by default',
      { columns: 'id' },
      `${HEADER},a,b`,
      '1,,object,,,,0,,x|y,z',
    ],
    [
      'multiple values as JSON lists',
      { rule: parseMultiValueRule('json'), chosen: ['a', 'b', 'a[0]'].map(parseColumn) },
      'a,b,a[0]',
      '"[""x"",""y""]","[""z""]",x',
    ],
    ['tabs as separators in TSV', { dialect: TSV, chosen: ['id', 'a'].map(parseColumn) }, 'id\ta', '1\tx|y'],
  ])('writes %s', async (_, more, header, row) => {
    const table = createTableRecordWriter(
      { ...shape, dialect: undefined, getHeaders: keepNames, ...more },
      [],
    );
    const set = (identifier: string, ...opacObjectFields: object[]) => ({ identifier, opacObjectFields });
    const value = (text: string, attribute: string) => ({
      value: text,
      opacObjectFieldAttributes: [{ key: 'k', value: attribute }],
    });
    const sets = [set('a', value('x', 'v'), { value: 'y' }), set('b', value('z', 'w'))];
    const first = JSON.stringify({ opacObjectId: 1, opacObjectFieldSets: sets });
    const text = await convertText(table, [first, record(2)]);
    expect(text.split('\n').slice(0, 2)).toEqual([header, row]);
    expect([table.table.rows(), table.scan === undefined]).toEqual([2, more.chosen !== undefined]);
  });

  it('writes plain text in titles and values, and leaves ids and slugs unchanged', async () => {
    const table = createTableRecordWriter(
      { ...shape, dialect: CSV, getHeaders: keepNames, plain: plainText },
      [],
    );
    const text = await convertText(table, [
      '{"opacObjectId":"<i>1</i>","slug":"a&amp;b","title":"<b>t</b>"}',
      record(1, { a: ['<i>b</i>', 'c &amp; d'], idea: ['e'] }),
    ]);
    expect(text).toBe(`${HEADER},a,idea\n<i>1</i>,t,object,a&amp;b,,,0,,,\n1,,object,,,,0,,b|c & d,e\n`);
  });
});
