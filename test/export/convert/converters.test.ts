/** What converters make of records. */
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
  ['one byte apart', page(A, B), [A, B]],
  ['with blanks between', Buffer.from(`{"totalObjects":9,"opacObjects":[${A} , ${B}]}`), [A, B]],
  [
    'over several lines',
    page('{\n "opacObjectId" : 1,\r\n\t"a":" x\\n "}', B),
    ['{"opacObjectId":1,"a":" x\\n "}', B],
  ],
  ['without an id among them', page(A, C, B), [A, C, B]],
  [
    'of a page in another order',
    Buffer.from(`{"opacObjects":[${A}, 7,${B}],"x":1,"totalObjects":9}`),
    [A, B],
  ],
  ['alone, of such a page', Buffer.from(`{"opacObjects":[7,${A}],"x":1,"totalObjects":"9"}`), [A]],
  ['with two commas of other things between', page(A, '7', B, C), [A, B, C]],
])('records of a page, %s, are a line each', (_, bytes, lines) => {
  const { records, total } = readLines(bytes, 'objects', 0) ?? {};
  expect(records?.map(({ bytes, start, end }) => bytes.toString('utf8', start, end))).toEqual(lines);
  expect(total).toBe(9);
});

describe('records as they came', () => {
  it.each([
    [createJsonConverter('lines'), true],
    [createJsonConverter('array'), false],
    [createFlatConverter('lines', 'objects'), false],
    [createIdConverter(), false],
  ])('are copied only if the converter would not change the lines (%#)', async (converter, isCopied) => {
    expect(converter.keepsLines ?? false).toBe(isCopied);
    if (isCopied) expect(await convertText(converter, [A, C], [B])).toBe(`${A}\n${C}\n${B}\n`);
  });

  it.each([
    ['lines', `${A}\n${C}\n${B}\n`, ''],
    ['array', `[\n${A},\n${C},\n${B}\n]\n`, '[]\n'],
  ] as const)('are %s, in any groups', async (format, text, empty) => {
    const converter = createJsonConverter(format);
    expect(await convertText(converter, [A, C, B])).toBe(text);
    expect(await convertText(converter, [A], [], [C, B], [])).toBe(text);
    expect(await convertText(converter)).toBe(empty);
  });
});

describe('ids and the normal form', () => {
  it('are a line each, empty for a record without an id', async () => {
    expect(await convertText(createIdConverter(), [A, C, '{"opacObjectId":"a\\nb"}'])).toBe('1\n\na\\nb\n');
    expect(await convertText(createIdConverter(), ['{"opacObjectId":1,"recordType":"object"}'])).toBe('1\n');
  });

  it('is printed with its texts changed where that is asked for', async () => {
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

describe('tables', () => {
  const HEAD = 'id,title,recordType,slug,collection,label,image.count,image.url';
  const shape = { kind: 'objects', chosen: undefined, rule: parseMultiValueRule() } as const;
  const names = (columns: readonly string[]) => columns;

  it('have columns in the order of the records, and cells of all in each row', async () => {
    const table = createTableRecordWriter({ ...shape, dialect: undefined, getHeaders: names }, []);
    const text = await convertText(
      table,
      [record(1, { a: ['1'] })],
      [record(2, { b: ['2'], c: ['=3'] })],
      [record(3, { a: ['3'] }), record(4, { a: ['5'] })],
    );
    expect(text).toBe(
      `${HEAD},a,b,c\n1,,object,,,,0,,1,,\n2,,object,,,,0,,,2,=3\n3,,object,,,,0,,3,,\n4,,object,,,,0,,5,,\n`,
    );
    expect([table.table.formulas(), table.table.rows()]).toEqual([1, 4]);
    expect(table.table.columns()).toEqual([...HEAD.split(','), 'a', 'b', 'c']);
    expect(
      await convertText(createTableRecordWriter({ ...shape, dialect: CSV, getHeaders: names }, [])),
    ).toBe(`${HEAD}\n`);
  });

  it('begin with the columns of an export before, under heads of their own', async () => {
    const getHeaders = (columns: readonly string[]) => columns.map((name) => name.toUpperCase());
    const table = createTableRecordWriter({ ...shape, dialect: EXCEL, getHeaders }, [
      ...HEAD.split(','),
      'b',
      'a',
    ]);
    expect(await convertText(table, [record(1, { a: ['x,y'] })])).toBe(
      `\ufeff${HEAD.toUpperCase()},B,A\r\n1,,object,,,,0,,,"x,y"\r\n`,
    );
    expect(await convertText(table, [record(2, { a: ['x;=1'], b: ['x;\u003d1'] })])).toContain(
      "x;'=1,x;'=1\r\n",
    );
    expect(table.table.headers().at(-1)).toBe('A');
  });

  it('count cells with half of a surrogate pair, which UTF-8 cannot contain', async () => {
    const table = createTableRecordWriter({ ...shape, dialect: CSV, getHeaders: names }, []);
    const text = await convertText(table, [
      record(1, { a: ['x\ud800'] }),
      record(2, { a: ['\ud834\udd1e'] }),
    ]);
    expect(text.split('\n').slice(1, 3)).toEqual(['1,,object,,,,0,,x\ufffd', '2,,object,,,,0,,\ud834\udd1e']);
    expect(table.losses?.()).toEqual(['1 cell contains half of a surrogate pair, written as U+FFFD']);
  });

  it('count rows and formulas of all files', async () => {
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
    ['that were chosen', { chosen: ['a', 'id'].map(parseColumn) }, 'a,id', 'x|y,1'],
    [
      'that were chosen of attributes',
      { chosen: ['a@k', 'a[1]', 'b@k'].map(parseColumn) },
      'a@k,a[1],b@k',
      'v,y,w',
    ],
    ['of everything', { columns: 'all' }, `${HEAD},a,a@k,b,b@k`, '1,,object,,,,0,,x|y,v|,z,w'],
    ['that come', { columns: 'id' }, `${HEAD},a,b`, '1,,object,,,,0,,x|y,z'],
    [
      'of lists',
      { rule: parseMultiValueRule('json'), chosen: ['a', 'b', 'a[0]'].map(parseColumn) },
      'a,b,a[0]',
      '"[""x"",""y""]","[""z""]",x',
    ],
    ['of tabs', { dialect: TSV, chosen: ['id', 'a'].map(parseColumn) }, 'id\ta', '1\tx|y'],
  ])('have columns %s', async (_, more, head, row) => {
    const table = createTableRecordWriter({ ...shape, dialect: undefined, getHeaders: names, ...more }, []);
    const set = (identifier: string, ...opacObjectFields: object[]) => ({ identifier, opacObjectFields });
    const value = (text: string, attribute: string) => ({
      value: text,
      opacObjectFieldAttributes: [{ key: 'k', value: attribute }],
    });
    const sets = [set('a', value('x', 'v'), { value: 'y' }), set('b', value('z', 'w'))];
    const first = JSON.stringify({ opacObjectId: 1, opacObjectFieldSets: sets });
    const text = await convertText(table, [first, record(2)]);
    expect(text.split('\n').slice(0, 2)).toEqual([head, row]);
    expect([table.table.rows(), table.scan === undefined]).toEqual([2, more.chosen !== undefined]);
  });

  it('have plain text in columns for people alone', async () => {
    const table = createTableRecordWriter(
      { ...shape, dialect: CSV, getHeaders: names, plain: plainText },
      [],
    );
    const text = await convertText(table, [
      '{"opacObjectId":"<i>1</i>","slug":"a&amp;b","title":"<b>t</b>"}',
      record(1, { a: ['<i>b</i>', 'c &amp; d'], idea: ['e'] }),
    ]);
    expect(text).toBe(`${HEAD},a,idea\n<i>1</i>,t,object,a&amp;b,,,0,,,\n1,,object,,,,0,,b|c & d,e\n`);
  });
});
