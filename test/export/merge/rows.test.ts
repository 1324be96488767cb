/** The records of a part as pieces of its text, and what tells each from others. */
import { expect, it } from 'vitest';
import {
  idRows,
  jsonRows,
  type Piece,
  type TableColumns,
  tableRows,
} from '../../../src/export/merge/rows.js';

async function listed(pieces: AsyncIterable<Piece>) {
  const all: (readonly [string, string | undefined])[] = [];
  for await (const { text, key } of pieces) all.push([text, key]);
  return all;
}

async function* inTwo(text: string) {
  const middle = text.length >> 1;
  yield text.slice(0, middle);
  yield text.slice(middle);
}

const OWN = ['id', 'a'];
function table(text: string, change: Partial<TableColumns> = {}) {
  const { own = OWN } = change;
  const usual = {
    delimiter: ',',
    lineEnd: '\n',
    own,
    all: own,
    kind: 'objects',
    header: 'id,a',
    file: 'p.csv',
  };
  return listed(tableRows(inTwo(text), { ...usual, ...change } as TableColumns));
}

it.each<[string, string, Partial<TableColumns>, [string, string | undefined][]]>([
  [
    'as they are',
    'id,a\n1,x\n2,\n',
    {},
    [
      ['1,x\n', '1'],
      ['2,\n', '2'],
    ],
  ],
  ['none', 'id,a\n', {}, []],
  ['filled up', 'id,a\n1,x\n', { all: ['id', 'a', 'b', 'c'] }, [['1,x,,\n', '1']]],
  ['in another order', 'id,a\n1,x\n', { all: ['b', 'a', 'id'] }, [[',x,1\n', '1']]],
  ['in another order, with quotes', 'id,a\n1,"x,""\n"\n', { all: ['a', 'id'] }, [['"x,""\n",1\n', '1']]],
  [
    'over several lines',
    'id,a\n1,"x\n\ny,"\n2,z\n',
    {},
    [
      ['1,"x\n\ny,"\n', '1'],
      ['2,z\n', '2'],
    ],
  ],
  ['that begin in quotes', 'id,a\n"1,2",x\n', {}, [['"1,2",x\n', '"1,2"']]],
  ['of Windows', 'id,a\r\n1,"x\r\ny"\r\n', { lineEnd: '\r\n' }, [['1,"x\r\ny"\r\n', '1']]],
  ['that end in a carriage return', 'id,a\n1,x\r\n', {}, [['1,x\r\n', '1']]],
  [
    'with tabs',
    'id\ta\n1\tx,y\n',
    { delimiter: '\t', header: 'id\ta', all: ['id', 'a', 'b'] },
    [['1\tx,y\t\n', '1']],
  ],
  ['without an id', 'id,a\n,x\n', {}, [[',x\n', undefined]]],
  [
    'without ids in another order',
    'b,a\n1,x\n',
    { own: ['b', 'a'], header: 'b,a', all: ['a', 'b'] },
    [['x,1\n', undefined]],
  ],
  ['without a column of ids', 'b,a\n1,x\n', { own: ['b', 'a'], header: 'b,a' }, [['1,x\n', undefined]]],
  [
    'of all kinds',
    'id,recordType\n1,person\n',
    { own: ['id', 'recordType'], header: 'id,recordType', kind: 'records' },
    [['1,person\n', 'person:1']],
  ],
  ['of all kinds without their types', 'id,a\n1,x\n', { kind: 'records' }, [['1,x\n', undefined]]],
])('rows of a table %s', async (_, text, columns, rows) => {
  expect(await table(text, columns)).toEqual(rows);
});

it('a table with another header is refused', async () => {
  await expect(table('id,b\n1,x\n')).rejects.toMatchObject({
    kind: 'incomplete',
    message: 'the columns of "p.csv" are not those of its manifest',
    hint: 'export this part again',
    code: 'file-changed',
  });
});

it.each([
  [
    '[\n{"id":1},\n{"id":2}\n]\n',
    '',
    [
      ['{"id":1}', '1'],
      ['{"id":2}', '2'],
    ],
  ],
  ['[]\n', '', []],
  [
    '{"id":"[]"}\n{"slug":","}\n',
    '\n',
    [
      ['{"id":"[]"}\n', '[]'],
      ['{"slug":","}\n', undefined],
    ],
  ],
  // A character a byte.
  [
    Buffer.from('{"id":"ā"}\n').toString('latin1'),
    '\n',
    [[Buffer.from('{"id":"ā"}\n').toString('latin1'), 'ā']],
  ],
])('records of JSON: %j', async (text, end, rows) => {
  expect(await listed(jsonRows(inTwo(text), 'objects', end))).toEqual(rows);
});

it('ids, which of all kinds together tell no record', async () => {
  expect(await listed(idRows(inTwo('1\n\n2\n'), 'objects'))).toEqual([
    ['1\n', '1'],
    ['\n', undefined],
    ['2\n', '2'],
  ]);
  expect(await listed(idRows(inTwo('1\n2\n'), 'records'))).toEqual([
    ['1\n', undefined],
    ['2\n', undefined],
  ]);
});
