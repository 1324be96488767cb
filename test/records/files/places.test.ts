/** Where records lie in the files of an export, whatever their form, and what is said of other files. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DecompressedFile, PIECE } from '../../../src/records/files/decompressed-file.js';
import { forEachJsonRecord, type RecordLocation } from '../../../src/records/files/json-locations.js';
import { findHeader } from '../../../src/records/files/read-table.js';
import { forEachRow, readHeader } from '../../../src/records/files/table-locations.js';
import { OpacError } from '../../../src/service/errors.js';
import { withFolder } from '../../export/export-setup.js';

/** The places in a file of that content, each with the text that lies there. */
async function placesIn(content: string | Buffer, read: 'json' | 'table') {
  const found: (RecordLocation & { readonly text: string; readonly there: string })[] = [];
  await withFolder(async (path) => {
    await writeFile(path('f'), content);
    const file = await DecompressedFile.open(path('f'));
    try {
      const take = (place: RecordLocation, bytes: Buffer) => {
        const { start, end } = place;
        found.push({ ...place, text: file.bytes(start, end).toString(), there: bytes.toString() });
      };
      const header = await readHeader(file, (cells) => cells.includes('id'));
      if (read === 'json') await forEachJsonRecord(file, take);
      else if (header) await forEachRow(file, header, header.cells, take);
    } finally {
      await file.close();
    }
  });
  for (const { text, there } of found) expect(there).toBe(text);
  return found.map(({ id, kind, isTyped, text }) => ({ id, kind, isTyped, text }));
}

const A = '{"opacObjectId":"1"}';
const B = '{"opacPersonId":2,"recordType":"PERSON"}';
const C = String.raw`{"opac\u004fbjectId":"3","title":"é"}`;
const PLACES = [
  { id: '1', kind: 'objects', isTyped: false, text: A },
  { id: '2', kind: 'persons', isTyped: true, text: B },
  { id: '3', kind: 'objects', isTyped: false, text: C },
];

describe('records as JSON', () => {
  it.each([
    ['a line each', `${A}\n${B}\n${C}\n`],
    ['in an array', `[\n${A},\n${B},\n${C}\n]\n`],
    ['in an array before many line ends', `[${A},${B},${C}]${'\n'.repeat(100)}`],
    ['with commas alone between', `${A},\n${B},${C}`],
    ['one after the other, with blanks', `  ${A} ${B}\r\n\t${C}`],
  ])('are found %s', async (_, text) => {
    expect(await placesIn(text, 'json')).toEqual(PLACES);
  });

  it.each([
    ['', []],
    ['[]', []],
    ['\n \n', []],
    ['[{"opacObjectId":"1","x":[{}]}]', ['1']],
  ])('in %j are %j', async (text, ids) => {
    expect((await placesIn(text, 'json')).map(({ id }) => id)).toEqual(ids);
  });

  it.each<[string, string | undefined, boolean]>([
    ['"recordType":"person"', 'persons', true],
    ['"recordType":"x"', 'objects', true],
    ['"recordType":""', 'objects', false],
    ['"type":"person"', 'objects', false],
  ])('with %s are of kind %s', async (type, kind, isTyped) => {
    const text = `{"opacObjectId":1,${type}}`;
    expect(await placesIn(text, 'json')).toEqual([{ id: '1', kind, isTyped, text }]);
    const odd = `{"opac\\u004fbjectId":1,${type}}`;
    expect(await placesIn(odd, 'json')).toEqual([{ id: '1', kind, isTyped, text: odd }]);
  });

  it('are found in a response of the service', async () => {
    const text = `{"totalObjects":2,"opacObjects":[${A},${C}]}`;
    expect(await placesIn(text, 'json')).toEqual([PLACES[0], PLACES[2]]);
    const persons = `{"opacPersons":[${B}],"totalPersons":1}`;
    expect(await placesIn(persons, 'json')).toEqual([PLACES[1]]);
  });

  it('are found behind a beginning that is none of them, and across the pieces that are read', async () => {
    const large = (id: number) => `{"opacObjectId":"${id}","x":"${'é'.repeat(PIECE * 0.7)}"}`;
    const found = await placesIn(`\ufeff${[1, 2, 3].map(large).join('\n')}`, 'json');
    expect(found.map(({ id, text }) => [id, text === large(Number(id))])).toEqual([
      ['1', true],
      ['2', true],
      ['3', true],
    ]);
  });

  it('stops at the signal while it reads a long cell', async () => {
    await withFolder(async (path) => {
      await writeFile(path('f'), `id,title\n1,"${'a'.repeat(3 * PIECE)}"\n`);
      const controller = new AbortController();
      const file = await DecompressedFile.open(path('f'), undefined, controller.signal);
      const header = readHeader(file, (cells) => cells.includes('id'));
      setImmediate(() => controller.abort(new Error('stopped')));
      await expect(header).rejects.toThrow('stopped');
      await file.close();
    });
  });

  const notExport = (line: number, why: string) => ({
    message: expect.stringMatching(new RegExp(`^invalid record in ".*", line ${line}: ${why}$`)),
    hint: 'use a file that opac exported as NDJSON or JSON',
  });
  const ends = (line: number) => ({
    message: expect.stringMatching(new RegExp(`" is incomplete: it ends in line ${line}, within a record$`)),
    hint: 'export it again, or check it with: opac verify',
  });
  it.each([
    ['text', 'hello', notExport(1, 'it is not a JSON object')],
    ['a number behind records', `${A}\n${A}\n7\n`, notExport(3, 'it is not a JSON object')],
    ['an array in an array', `[${A},\n[${A}]]`, notExport(2, 'it is not a JSON object')],
    ['an array behind records', `${A}\n[${A}]`, notExport(2, 'it is not a JSON object')],
    ['an object without an id', '{"a":1}', notExport(1, 'it has no id')],
    ['a record without an id', `${A}\n{"a":1}`, notExport(2, 'it has no id')],
    [
      'what is not UTF-8',
      Buffer.from(`${A}\n{"opacObjectId":"\xff"}`, 'latin1'),
      notExport(2, 'it is not UTF-8'),
    ],
    ['wrong JSON', `${A}\n{"opacObjectId":}\n${A}\n`, notExport(2, 'its JSON is invalid')],
    ['a record that is cut', `${A}\n{"opacObjectId":"1`, ends(2)],
    ['a record that is cut behind its line', `${A}\n{"opacObjectId":"1"\n`, ends(2)],
    ['a comma behind an array', `[${A}],\n`, ends(2)],
    ['a record behind an array', `[${A}]\n${A}`, ends(2)],
    ['an array that is cut between records', `[\n${A},\n${A}\n`, ends(4)],
  ])('are refused for %s, by the line', async (_, text, error) => {
    await expect(placesIn(text, 'json')).rejects.toMatchObject({ kind: 'usage', ...error });
  });
});

describe('the rows of a table', () => {
  const row = (id: string, text: string, kind?: string) => ({ id, kind, isTyped: kind !== undefined, text });
  it.each([
    ['CSV', 'id,title\n1,a\n2,"b ""\n"\n', [row('1', '1,a\n'), row('2', '2,"b ""\n"\n')]],
    ['TSV', 'title\tid\na,b\t1\n', [row('1', 'a,b\t1\n')]],
    ['TSV with a comma in its head', 'id\ta,b\n1\tx\n', [row('1', '1\tx\n')]],
    ['CSV with a tab in its head', 'id,a\tb\n1,x\n', [row('1', '1,x\n')]],
    ['CSV for Excel', 'id,title\r\n="01",a\r\n', [row('01', '="01",a\r\n')]],
    ['CSV without a last line end', 'recordType,id\nPERSON,1', [row('1', 'PERSON,1', 'persons')]],
    ['CSV with empty lines', 'id,title\n\n1,\n\r\n', [row('1', '1,\n')]],
    ['CSV of nothing', 'id,title\n', []],
  ])('are found in %s', async (_, text, rows) => {
    expect(await placesIn(text, 'table')).toEqual(rows);
  });

  it('are found across the pieces that are read', async () => {
    const large = (id: number) => `${id},"${'x\n'.repeat(PIECE * 0.7)}"\n`;
    const found = await placesIn(`id,title\n${[1, 2].map(large).join('')}`, 'table');
    expect(found.map(({ id, text }) => [id, text === large(Number(id))])).toEqual([
      ['1', true],
      ['2', true],
    ]);
  });

  it.each([
    ['a row without an id', 'id,title\n1,a\n,b\n', /" row 3 has no id$/],
    ['rows without an id', 'id,title\n,"a\nb"\n1,b\n,c\n', /" has 2 rows without an id: rows 2, 4$/],
    ['only an id, which is empty', 'id\n1\n\n', /" row 3 has no id$/],
    [
      'a cell that never ends',
      'id,title\n1,a\n2,"b\n\n',
      /" is incomplete: it ends in line 3, within a record$/,
    ],
  ])('are refused for %s', async (_, text, message) => {
    await expect(placesIn(text, 'table')).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['no column of ids', 'name,title\n1,a\n'],
    ['a header that never ends', 'id,"title\n1,a\n'],
    ['nothing', ''],
    ['a cell that looks like columns', 'x;"a,id,b"\n'],
  ])('are not found behind %s', (_, text) => {
    expect(findHeader(Buffer.from(text), (cells) => cells.includes('id'))).toBeUndefined();
  });

  it.each<[string, Partial<ReturnType<typeof findHeader>>]>([
    ['\ufeffNr,id\n', { cells: ['Nr', 'id'], delimiter: ',', excel: true, rowsStart: 9 }],
    ['id;a,b\r\n1', { cells: ['id', 'a,b'], delimiter: ';', excel: true, rowsStart: 8 }],
    ['\ufeffsep=|\r\nid|a\n', { cells: ['id', 'a'], delimiter: '|', excel: true, rowsStart: 15 }],
    ['id', { cells: ['id'], delimiter: ',', excel: false, rowsStart: 2 }],
  ])('have the header of %j', (text, header) => {
    expect(findHeader(Buffer.from(text), (cells) => cells.includes('id'))).toMatchObject(header ?? {});
  });
});

describe('a file that is read', () => {
  it('may be compressed: its copy is removed when it is closed', () =>
    withFolder(async (path) => {
      await mkdir(path('tmp'));
      await writeFile(path('f.gz'), gzipSync('line 1\nline 2\n'));
      const file = await DecompressedFile.open(path('f.gz'), path('tmp'));
      expect([file.size, file.bytes(7, 99).toString(), await readdir(path('tmp'))]).toEqual([
        14,
        'line 2\n',
        [expect.stringMatching(/^opac-/)],
      ]);
      expect([0, 6, 7, 13, 14].map((at) => file.lineNumberAt(at))).toEqual([1, 1, 2, 2, 3]);
      await file.close();
      expect(await readdir(path('tmp'))).toEqual([]);
    }));

  it.each([
    ['none', 'usage', 'file not found: "PATH/none"', undefined],
    ['tmp', 'usage', '"PATH/tmp" is a folder', 'name a file in the folder'],
    ['cut.gz', 'usage', '"PATH/cut.gz" is incomplete or damaged', 'export it again'],
  ])('is refused when it is %s', (name, kind, message, hint) =>
    withFolder(async (path) => {
      await mkdir(path('tmp'));
      await writeFile(path('cut.gz'), gzipSync('x'.repeat(999)).subarray(0, -9));
      await expect(DecompressedFile.open(path(name), path('tmp'))).rejects.toMatchObject({
        kind,
        message: message.replace('PATH', path('')),
        hint,
      });
      expect(await readdir(path('tmp'))).toEqual([]);
    }),
  );

  it.each([-1, 0, 1, 2, 5, 10, 20, 40])('leaves no copy behind when it is stopped after %s ms', (moment) =>
    withFolder(async (path) => {
      await mkdir(path('tmp'));
      await writeFile(path('f.gz'), gzipSync('0123456789abcde\n'.repeat(1e6), { level: 1 }));
      const stop = new AbortController();
      const reason = new OpacError('interrupted', 'stopped by SIGINT');
      if (moment < 0) stop.abort(reason);
      else setTimeout(() => stop.abort(reason), moment);
      await DecompressedFile.open(path('f.gz'), path('tmp'), stop.signal).then(
        (file) => file.close(),
        (error) => expect(error).toBe(reason),
      );
      expect(await readdir(path('tmp'))).toEqual([]);
    }),
  );

  it('needs a folder for its copy', () =>
    withFolder(async (path) => {
      await writeFile(path('f.gz'), gzipSync('x'));
      await expect(DecompressedFile.open(path('f.gz'), path('none'))).rejects.toMatchObject({
        message: `cannot write in "${path('none')}": the folder or file does not exist`,
      });
    }));
});
