/** Reads tables that any program saved, in pieces of any length. */
import { expect, it } from 'vitest';
import { readTable } from '../../../src/records/files/read-table.js';

type TableReading = Parameters<typeof readTable>[1];

async function readRows(pieces: readonly string[], how: TableReading): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of readTable(pieces, how)) rows.push(row);
  return rows;
}

it.each<[text: string, rows: string[][], how?: Partial<TableReading>]>([
  ['', []],
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a\r\nb\rc\n', [['a'], ['b'], ['c']]],
  ['a\r\n\r\nb', [['a'], [''], ['b']]],
  ['a\r\r\nb', [['a'], [''], ['b']]],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['\n', [['']]],
  [',', [['', '']]],
  ['a,', [['a', '']]],
  [
    ',\n,',
    [
      ['', ''],
      ['', ''],
    ],
  ],
  ['""', [['']]],
  ['"a,b","c""d","e\r\nf"\n', [['a,b', 'c"d', 'e\r\nf']]],
  ['"a"""\n""""', [['a"'], ['"']]],
  ['"a"b,c"d"\n', [['ab', 'c"d"']]],
  ['"a"\r\n"b"', [['a'], ['b']]],
  ['\ufeffa\n\ufeffb', [['a'], ['\ufeffb']]],
  ['\ufeff"a,b"', [['a,b']]],
  ['a\tb,c\n', [['a', 'b,c']], { format: 'tsv' }],
  ['a\tb,c\n', [['a\tb', 'c']]],
  ['a;b,c\n', [['a', 'b,c']], { delimiter: ';' }],
  [`"=""0012""",'=1\n`, [['="0012"', "'=1"]]],
  [`"=""0012""",'=1\n`, [['0012', '=1']], { excel: true }],
])('reads %j as %j with the options %j', async (text, rows, how = {}) => {
  const reading = { format: 'csv', ...how } as const;
  expect(await readRows([text], reading)).toEqual(rows);
  expect(await readRows(['', ...text, ''], reading)).toEqual(rows);
});

it.each(['"', '"a', 'a,"b\nc\n', '"a""'])('refuses text that ends within a quoted cell: %j', async (text) => {
  for (const pieces of [[text], [...text]])
    await expect(readRows(pieces, { format: 'csv' })).rejects.toMatchObject({
      kind: 'usage',
      message: 'the table ends within a quoted cell',
    });
});
