/** The cells of a table, for values in any form of JSON. */
import { describe, expect, it } from 'vitest';
import { createTableConverter } from '../../../src/export/convert/table-writer.js';
import { CSV, type Dialect, TSV } from '../../../src/records/cells/dialect.js';
import { EXCEL } from '../../../src/records/cells/excel.js';
import { parseMultiValueRule } from '../../../src/records/cells/multi-value-rule.js';
import { plainText } from '../../../src/records/cells/plain-text.js';
import { createChosenColumns } from '../../../src/records/columns/parsed-columns.js';
import { parseColumn } from '../../../src/service/records/columns.js';
import { convertText } from '../../export/convert.js';

interface ConversionOptions {
  readonly columns?: readonly string[];
  readonly rule?: string;
  readonly dialect?: Dialect;
  readonly plain?: (text: string) => string;
}

/** Converts JSON records to rows. */
async function convertRows(
  records: readonly string[],
  { columns = ['a', 'id'], rule, dialect = CSV, plain }: ConversionOptions,
) {
  const { table, ...converter } = createTableConverter({
    columns: createChosenColumns('objects', columns.map(parseColumn)),
    getHeaders: () => [],
    dialect: { ...dialect, bom: '' },
    multi: parseMultiValueRule(rule),
    plain,
  });
  const text = await convertText(converter, records);
  const { length } = dialect.lineEnd;
  return { text: text.slice(length), formulas: table.formulas(), rows: table.rows() };
}

const set = (identifier: string, values: string) =>
  `{"identifier":"${identifier}","opacObjectFields":[${values}]}`;
const sets = (...texts: string[]) => `{"opacObjectId":"1","opacObjectFieldSets":[${texts}]}`;
const related = (records: string) =>
  `{"id":1,"relationshipsCollection":{"relationships":[{"relationshipId":"by","relatedRecords":[${records}]}]}}`;

describe('cell conversion', async () => {
  const convertCell = async (values: string, options: ConversionOptions = {}) => {
    const { delimiter, lineEnd } = options.dialect ?? CSV;
    const { text, formulas } = await convertRows([sets(set('a', values))], options);
    expect(text.endsWith(`${delimiter}1${lineEnd}`)).toBe(true);
    return [text.slice(0, -2 - lineEnd.length), formulas];
  };

  it.each<[values: string, cell: string]>([
    ['"x"', 'x'],
    ['', ''],
    ['null', ''],
    ['12', '12'],
    ['true', 'true'],
    ['"a,b"', '"a,b"'],
    ['"a;b"', 'a;b'],
    [String.raw`"a\"b"`, '"a""b"'],
    [String.raw`"\""`, '""""'],
    [String.raw`"a\nb"`, '"a\nb"'],
    [String.raw`"a\rb"`, '"a\rb"'],
    [String.raw`"a\tb"`, 'a\tb'],
    [String.raw`"a\/b"`, 'a/b'],
    [String.raw`"a\\b"`, 'a\\b'],
    [String.raw`"\\b"`, '\\b'],
    [String.raw`"a\bb\f"`, 'a\bb\f'],
    [String.raw`"a\u0041,"`, '"aA,"'],
    [String.raw`"\u0041"`, 'A'],
    ['"é,ü"', '"é,ü"'],
    ['"🦑"', '🦑'],
    ['"x","y"', 'x|y'],
    ['"x","y,z"', '"x|y,z"'],
    ['"x","y|z"', String.raw`x|y\|z`],
    ['"x|y"', 'x|y'],
    [String.raw`"x","\"y"`, '"x|""y"'],
    [String.raw`"x\\","y"`, String.raw`x\\|y`],
    [String.raw`"x","a\nb"`, '"x|a\nb"'],
    ['"x","","y"', 'x|y'],
    ['"","x"', 'x'],
    ['"","=x"', '=x'],
    ['"x",""', 'x'],
    ['"x",1,null,false', 'x|1|false'],
  ])('converts %s to %s', async (values, cell) => {
    expect(await convertCell(values)).toEqual([cell, cell.startsWith('=') ? 1 : 0]);
  });

  it.each([
    ['"=1"', 1],
    ['"x=1"', 0],
    ['" =1"', 1],
    ['"\u3000=1"', 1],
    ['"＝1"', 1],
    ['"\u00a0+x"', 1],
    ['"@x"', 1],
    ['"-x"', 1],
    ['"-5"', 0],
    ['-5', 0],
    ['"-5","x"', 1],
    ['"x","=1"', 0],
    [String.raw`"\n=1"`, 1],
    [String.raw`"\u003d1"`, 1],
  ])('counts the formulas in %s: %i', async (values, formulas) => {
    expect((await convertCell(values))[1]).toBe(formulas);
    expect(
      (await convertRows([sets(set('a', values), set('b', '"=x"'))], { columns: ['a', 'b', 'b'] })).formulas,
    ).toBe(formulas + 2);
  });

  it.each<[rule: string, values: string, cell: string]>([
    ['join=; ', '"x","y"', 'x; y'],
    ['join=; ', '"x","y;z"', 'x; y;z'],
    ['join=; ', '"x","y; z"', String.raw`x; y\; z`],
    ['join=,', '"x","y"', '"x,y"'],
    ['join=,', '"x"', 'x'],
    ['join=,', '"x,y","z"', String.raw`"x\,y,z"`],
    ['join=\n', '"x","y"', '"x\ny"'],
    ['join=\n', String.raw`"x\ny","z"`, '"x\\\ny\nz"'],
    ['join=\t', '"x","y"', 'x\ty'],
    ['join="', '"x","y"', '"x""y"'],
    ['join=/', '"x","y"', 'x/y'],
    ['join=/', String.raw`"x\/y","z"`, String.raw`x\/y/z`],
    ['join=/', String.raw`"x\/y"`, 'x/y'],
    ['join= · ', '"x","y · z"', String.raw`x · y \· z`],
    ['first', '"x","y"', 'x'],
    ['first', '"","y"', 'y'],
    ['first', '"x,y","z"', '"x,y"'],
    ['json', '"x"', '"[""x""]"'],
    ['json', '"x","y"', '"[""x"",""y""]"'],
    ['json', '"x","","y"', '"[""x"","""",""y""]"'],
    ['json', '', ''],
  ])('applies the rule %j to %s: %s', async (rule, values, cell) => {
    expect((await convertCell(values, { rule }))[0]).toBe(cell);
  });

  it.each<[values: string, tsv: string, excel: string]>([
    ['"x"', 'x', 'x'],
    ['"a,b"', 'a,b', '"a,b"'],
    [String.raw`"a\tb"`, '"a\tb"', 'a\tb'],
    [String.raw`"\t"`, '"\t"', "'\t"],
    [String.raw`"a\"b"`, '"a""b"', '"a""b"'],
    [String.raw`"a\nb"`, '"a\nb"', '"a\nb"'],
    ['"0012"', '0012', '"=""0012"""'],
    ['"x","0012"', 'x|0012', 'x|0012'],
    ['"0012","x"', '0012|x', '0012|x'],
    ['"8-27"', '8-27', '"=""8-27"""'],
    ['"May 5"', 'May 5', '"=""May 5"""'],
    ['"true"', 'true', '"=""true"""'],
    ['"Fair"', 'Fair', 'Fair'],
    ['"12"', '12', '12'],
    ['"=1"', '=1', "'=1"],
    [`"'=1"`, "'=1", "''=1"],
    [`"'a"`, "'a", "'a"],
  ])('converts %s to %j for TSV and to %s for Excel', async (values, tsv, excel) => {
    expect([
      (await convertCell(values, { dialect: TSV }))[0],
      (await convertCell(values, { dialect: EXCEL }))[0],
    ]).toEqual([tsv, excel]);
  });

  it.each([
    ['"<b>x</b>"', 'x'],
    ['"a &amp; b"', 'a & b'],
    ['"x","<i>y</i>"', 'x|y'],
    ['"<p></p>","x"', 'x'],
    ['"<p>=1</p>"', '=1'],
    ['"x"', 'x'],
  ])('converts %s to the plain text %s', async (values, cell) => {
    const { text } = await convertRows([sets(set('a', values)).replace('"1"', '"<i>1</i>"')], {
      plain: plainText,
    });
    expect(text).toBe(`${cell},<i>1</i>\n`);
  });

  it.each([
    ['{},{}', ''],
    ['{"title":""},{"title":"a"}', 'a'],
    ['{"title":"a"},{"relatedRecordId":7}', 'a|7'],
    ['{"relatedRecordId":""}', ''],
  ])('converts the related records %s to %j', async (records, cell) => {
    expect((await convertRows([related(records)], { columns: ['relationship.by', 'id'] })).text).toBe(
      `${cell},1\n`,
    );
  });

  it('writes a single value as a JSON list only in columns that can have several values', async () => {
    const columns = ['id', 'a[0]', 'a', 'label', 'image.url', 'image.count'];
    const { text } = await convertRows([sets(set('a', '"x"'))], { columns, rule: 'json' });
    expect(text).toBe('1,x,"[""x""]",,,0\n');
    const images =
      '"imagesCollection":{"images":[{"imageLabels":[{"imageLabel":"arm"}],"imageDerivatives":[{"url":"u"}]}]}';
    expect((await convertRows([`{"id":"1",${images}}`], { columns, rule: 'json' })).text).toBe(
      '1,,,"[""arm""]","[""u""]",1\n',
    );
  });
});

describe('row conversion', async () => {
  const record = sets(
    set('a', '"x","y","=z"'),
    set('b', '"1","2"'),
    set('c', '"p","q","r","s"'),
    set('d', '"only"'),
  );

  it.each<[rule: string, rows: readonly string[]]>([
    ['rows=a', ['x,1|2,p|q|r|s,only', 'y,1|2,p|q|r|s,only', '=z,1|2,p|q|r|s,only']],
    ['rows=b', ['x|y|=z,1,p|q|r|s,only', 'x|y|=z,2,p|q|r|s,only']],
    ['rows=b,a', ['x,1,p|q|r|s,only', 'y,2,p|q|r|s,only', '=z,,p|q|r|s,only']],
    ['rows=d,b', ['x|y|=z,1,p|q|r|s,only', 'x|y|=z,2,p|q|r|s,']],
    ['rows=e', ['x|y|=z,1|2,p|q|r|s,only']],
  ])('splits a record with the rule %s into the rows %j', async (rule, rows) => {
    const found = await convertRows([record, record], { columns: ['a', 'b', 'c', 'd'], rule });
    const formulas = rows.filter((row) => row.startsWith('=')).length;
    expect(found).toEqual({
      text: [...rows, ...rows].map((row) => `${row}\n`).join(''),
      rows: 2 * rows.length,
      formulas: 2 * formulas,
    });
  });

  it('splits records with escapes and unusual JSON in the same way', async () => {
    const odd = sets(set('a', String.raw`"\u0041","b"`), set('b', '"c"')).replace(
      '"1"',
      '"1","x":{"\\u0041":1}',
    );
    expect((await convertRows([odd], { columns: ['a', 'b'], rule: 'rows=a,b' })).text).toBe('A,c\nb,\n');
    const unscanned = odd.replace('"identifier":"a"', String.raw`"identifier":"\u0061"`);
    expect((await convertRows([unscanned], { columns: ['a', 'b'], rule: 'rows=a,b' })).text).toBe(
      'A,c\nb,\n',
    );
  });

  it.each([
    [['a'], CSV, '""\nx\n'],
    [['a'], EXCEL, '""\r\nx\r\n'],
    [['a'], TSV, '""\nx\n'],
    [['a', 'b'], TSV, '\t\nx\t\n'],
  ])('writes no empty line for a record without values: %j (case %#)', async (columns, dialect, text) => {
    expect((await convertRows([sets(), sets(set('a', '"x"'))], { columns, dialect })).text).toBe(text);
    expect(
      (await convertRows([sets(), sets(set('a', '"x"'))], { columns, dialect, rule: 'rows=a' })).text,
    ).toBe(text);
  });

  it('writes values and lists of any length', async () => {
    const values = [
      'x'.repeat(70_000),
      '\\n'.repeat(40_000),
      '\\u20ac'.repeat(50_000),
      '€'.repeat(50_000),
      '","'.repeat(9),
    ];
    const texts = [
      'x'.repeat(70_000),
      `"${'\n'.repeat(40_000)}"`,
      '€'.repeat(50_000),
      '€'.repeat(50_000),
      '',
    ];
    const records = [...values, ...values].map((value) => sets(set('a', `"${value}"`)));
    const { text } = await convertRows(records, {});
    expect(text === [...texts, ...texts].map((cell) => `${cell},1\n`).join('')).toBe(true);
    const many = sets(set('a', Array.from({ length: 9000 }, (_, n) => `"value ${n}"`).join()));
    const joined = Array.from({ length: 9000 }, (_, n) => `value ${n}`).join(' and ');
    expect((await convertRows([many], { rule: 'join= and ' })).text === `${joined},1\n`).toBe(true);
  });
});
