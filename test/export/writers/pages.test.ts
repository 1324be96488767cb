/** What writers make of pages, however they are spelt and in whatever order they come. */
import { describe, expect, it } from 'vitest';
import { CSV, TSV } from '../../../src/export/table/delimited.js';
import { EXCEL } from '../../../src/export/table/excel.js';
import { FoundColumns } from '../../../src/export/table/found-columns.js';
import { parseMulti } from '../../../src/export/table/multi.js';
import { plainText } from '../../../src/export/table/plain-text.js';
import { flatWriter, idWriter } from '../../../src/export/writers/flat-writer.js';
import { lineWriter } from '../../../src/export/writers/line-writer.js';
import type { Identified, RecordWriter } from '../../../src/export/writers/record-writer.js';
import { tableOf, tableWriter } from '../../../src/export/writers/table-writer.js';
import { column } from '../../../src/service/records/columns.js';

const page = (...records: string[]) => Buffer.from(`{"totalObjects":9,"opacObjects":[${records.join(',')}]}`);
const record = (id: number, fields: Readonly<Record<string, readonly string[]>> = {}) =>
  JSON.stringify({
    opacObjectId: id,
    opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
      identifier,
      opacObjectFields: values.map((value) => ({ value })),
    })),
  });

function read<R extends Identified>(writer: RecordWriter<R>, bytes: Buffer, offset = 0): readonly R[] {
  const listed = writer.read(bytes, offset);
  if (!listed) expect.unreachable('the page should be read');
  expect(listed.total).toBe(9);
  return listed.records;
}

const [A, B, C] = ['{"opacObjectId":1,"a":"é"}', '{"opacObjectId":"2"}', '{"b":3}'] as const;

describe('records as they came', () => {
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
    ['without ids', page(C, C), [C, C]],
    ['with two commas of other things between', page(A, '7', B, C), [A, B, C]],
  ])('%s are a line each, and an array', (_, bytes, lines) => {
    const ndjson = lineWriter('ndjson', 'objects');
    const kept = Buffer.from(bytes);
    expect(ndjson.write(read(ndjson, kept), true).toString()).toBe(lines.map((line) => `${line}\n`).join(''));
    // Pages without ids are compared by their bytes.
    if (!lines.some((line) => line.includes('Id'))) expect(kept.equals(bytes)).toBe(true);
    const json = lineWriter('json', 'objects');
    const [first, ...others] = read(json, bytes);
    const text = [json.write([first as never], true), json.write(others, false)].join('');
    expect(`${json.head()}${text}${json.tail}`).toBe(`[\n${lines.join(',\n')}\n]\n`);
    expect(json.write(read(json, bytes), true).toString()).toBe(lines.join(',\n'));
  });

  it.each([
    ['ndjson', '', '', ''],
    ['json', '[\n', '\n]\n', '[]\n'],
  ] as const)('as %s have a head, a tail, and a form of none', (format, head, tail, empty) => {
    const writer = lineWriter(format, 'objects');
    expect([writer.head(), writer.tail, writer.empty()].map(String)).toEqual([head, tail, empty]);
  });

  it('are written where some were left out, and from several pages', () => {
    const writer = lineWriter('ndjson', 'objects');
    const [one, , three] = read(writer, page(A, B, record(3)));
    const others = read(writer, page(B, record(4)));
    const some = [one, three, ...others] as typeof others;
    expect(writer.write(some, true).toString()).toBe(`${A}\n${record(3)}\n${B}\n${record(4)}\n`);
    expect(writer.read(Buffer.from('{"opacObjects":7}'), 0)).toBeUndefined();
  });

  it('are each of its own page, though they lie as neighbours do', () => {
    const writer = lineWriter('ndjson', 'objects');
    const [one] = read(writer, page(A, B));
    const [, other] = read(writer, page(A, '{"opacObjectId":"9"}'));
    expect(writer.write([one, other] as never, true).toString()).toBe(`${A}\n{"opacObjectId":"9"}\n`);
  });
});

describe('ids and the normal form', () => {
  it('are a line each, empty for a record without an id', () => {
    const ids = idWriter('objects');
    const found = read(ids, page(A, C, '{"opacObjectId":"a\\nb"}'));
    expect([found.map(({ id }) => id), ids.write(found, true).toString()]).toEqual([
      ['1', undefined, 'a\nb'],
      '1\n\na\\nb\n',
    ]);
    const all = idWriter('records');
    const bytes = Buffer.from('{"totalRecords":9,"opacRecords":[{"opacObjectId":1,"recordType":"object"}]}');
    const listed = all.read(bytes, 0)?.records ?? [];
    expect([listed[0]?.id, all.write(listed, true).toString()]).toEqual(['object:1', '1\n']);
    expect(ids.read(Buffer.from('7'), 0)).toBeUndefined();
  });

  it('is printed with its texts changed where that is asked for', () => {
    const bytes = page(record(1, { maker: ['Ann'] }));
    const flat = flatWriter('json', 'objects', (each) => ({ ...each, title: 'plain' }));
    expect(JSON.parse(flat.write(read(flat, bytes), true).toString())).toMatchObject({
      id: '1',
      title: 'plain',
      fields: { maker: ['Ann'] },
    });
    const usual = flatWriter('ndjson', 'objects');
    expect(usual.write(read(usual, bytes), true).toString()).toMatch(/^\{.*"title":"".*\}\n$/);
  });
});

describe('tables', () => {
  const HEAD = 'id,title,recordType,slug,collection,label,image.count,image.url';
  const shape = { kind: 'objects', chosen: undefined, rule: parseMulti() } as const;
  const names = (columns: readonly string[]) => columns;

  it('have columns in the order of the pages, though a later page was read first', () => {
    const writer = tableOf({ ...shape, dialect: undefined, headsOf: names }, []);
    const first = read(writer, page(record(1, { a: ['1'] })));
    const second = read(writer, page(record(2, { b: ['2'], c: ['=3'] })));
    const third = read(writer, page(record(3, { a: ['3'] }), record(4, { a: ['5'] })));
    expect(writer.table?.columns()).toEqual(HEAD.split(','));
    const rows = [first, second, third].map((each, n) => writer.write(each, n === 0).toString());
    expect(rows).toEqual([
      '1,,object,,,,0,,1\n',
      '2,,object,,,,0,,,2,=3\n',
      '3,,object,,,,0,,3,,\n4,,object,,,,0,,5,,\n',
    ]);
    expect(String(writer.head())).toBe(`${HEAD},a,b,c\n`);
    expect(String(writer.empty())).toBe(`${HEAD},a,b,c\n`);
    expect([writer.table?.formulas(), writer.table?.rows(), writer.table?.delimiter]).toEqual([1, 4, ',']);
    expect([writer.tail.length, writer.read(Buffer.from('text'), 0)]).toEqual([0, undefined]);
  });

  it('have cells for columns that came between the reading and the writing of a page', () => {
    const writer = tableOf({ ...shape, dialect: CSV, headsOf: names }, []);
    const [first, second] = [record(1, { a: ['1'] }), record(2)].map((each) => read(writer, page(each)));
    const rows = [first, second].map((each, n) => writer.write(each ?? [], n === 0).toString());
    expect(rows).toEqual(['1,,object,,,,0,,1\n', '2,,object,,,,0,,\n']);
  });

  it('go on with the columns of a run before, under heads of their own', () => {
    const headsOf = (columns: readonly string[]) => columns.map((name) => name.toUpperCase());
    const writer = tableOf({ ...shape, dialect: EXCEL, headsOf }, [...HEAD.split(','), 'b', 'a']);
    const rows = writer.write(read(writer, page(record(1, { a: ['x,y'] }))), true);
    expect(rows.toString()).toBe('1,,object,,,,0,,,"x,y"\r\n');
    expect(writer.head().toString()).toBe(`\ufeff${HEAD.toUpperCase()},B,A\r\n`);
    expect(writer.table?.heads().at(-1)).toBe('A');
  });

  it('count rows and formulas of what is written, of some records of a page and of several pages', () => {
    const multi = parseMulti('rows=a');
    const writer = tableWriter({
      kind: 'objects',
      columns: new FoundColumns('objects'),
      dialect: CSV,
      multi,
    });
    const two = { a: ['=1', 'x'] };
    writer.write(read(writer, page(record(0, two))), true);
    expect([writer.table?.rows(), writer.table?.formulas()]).toEqual([2, 1]);
    const first = read(writer, page(record(1, two), record(2), record(3, { a: ['@', '+b', 'c'] })));
    const second = read(writer, page(record(4, two)));
    const some = [first[2], ...second, first[0]] as typeof first;
    expect(writer.write(some, false).toString()).toBe(
      ['3', '@', '3', '+b', '3', 'c', '4', '=1', '4', 'x', '1', '=1', '1', 'x']
        .map((each, n, all) => (n % 2 === 0 ? `${each},,object,,,,0,,${all[n + 1]}\n` : ''))
        .join(''),
    );
    expect([writer.table?.rows(), writer.table?.formulas()]).toEqual([9, 5]);
  });

  it.each<[string, Partial<Parameters<typeof tableOf>[0]>, string, string]>([
    ['that were chosen', { chosen: ['a', 'id'].map(column) }, 'a,id', 'x|y,1'],
    [
      'that were chosen of attributes',
      { chosen: ['a@k', 'a[1]', 'b@k'].map(column) },
      'a@k,a[1],b@k',
      'v,y,w',
    ],
    ['of everything', { columns: 'all' }, `${HEAD},a,a@k,b,b@k`, '1,,object,,,,0,,x|y,v|,z,w'],
    ['that come', { columns: 'id' }, `${HEAD},a,b`, '1,,object,,,,0,,x|y,z'],
    [
      'of lists',
      { rule: parseMulti('json'), chosen: ['a', 'b', 'a[0]'].map(column) },
      'a,b,a[0]',
      '"[""x"",""y""]","[""z""]",x',
    ],
    ['of tabs', { dialect: TSV, chosen: ['id', 'a'].map(column) }, 'id\ta', '1\tx|y'],
  ])('have columns %s', (_, more, head, row) => {
    const writer = tableOf({ ...shape, dialect: undefined, headsOf: names, ...more }, []);
    const set = (identifier: string, ...opacObjectFields: object[]) => ({ identifier, opacObjectFields });
    const value = (text: string, attribute: string) => ({
      value: text,
      opacObjectFieldAttributes: [{ key: 'k', value: attribute }],
    });
    const sets = [set('a', value('x', 'v'), { value: 'y' }), set('b', value('z', 'w'))];
    const bytes = page(JSON.stringify({ opacObjectId: 1, opacObjectFieldSets: sets }), record(2));
    const rows = writer.write(read(writer, bytes), true).toString();
    expect(String(writer.head()) + rows.split('\n')[0]).toBe(`${head}\n${row}`);
    expect(writer.table?.rows()).toBe(2);
  });

  it('have plain text in columns for people alone', () => {
    const writer = tableOf({ ...shape, dialect: CSV, headsOf: names, plain: plainText }, []);
    const bytes = page(
      '{"opacObjectId":"<i>1</i>","slug":"a&amp;b","title":"<b>t</b>"}',
      record(1, { a: ['<i>b</i>', 'c &amp; d'], idea: ['e'] }),
    );
    expect(writer.write(read(writer, bytes), true).toString()).toBe(
      '<i>1</i>,t,object,a&amp;b,,,0,,,\n1,,object,,,,0,,b|c & d,e\n',
    );
  });
});
