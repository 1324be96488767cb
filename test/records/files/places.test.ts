/** The positions of records in exported files of all formats, and the errors about other files. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DecompressedFile, PIECE } from '../../../src/records/files/decompressed-file.js';
import { forEachJsonRecord, type RecordLocation } from '../../../src/records/files/json-locations.js';
import { findHeader } from '../../../src/records/files/read-table.js';
import { forEachRow, readHeader } from '../../../src/records/files/table-locations.js';
import { OpacError } from '../../../src/service/errors.js';
import { withFolder } from '../../export/export-setup.js';

/** Returns the records in a file with this content, each with the text at its position. */
async function findRecords(content: string | Buffer, read: 'json' | 'table') {
  const found: (RecordLocation & { readonly text: string; readonly received: string })[] = [];
  await withFolder(async (path) => {
    await writeFile(path('f'), content);
    const file = await DecompressedFile.open(path('f'));
    try {
      const addRecord = (location: RecordLocation, bytes: Buffer) => {
        const { start, end } = location;
        found.push({ ...location, text: file.bytes(start, end).toString(), received: bytes.toString() });
      };
      const header = await readHeader(file, (cells) => cells.includes('id'));
      if (read === 'json') await forEachJsonRecord(file, addRecord);
      else if (header) await forEachRow(file, header, header.cells, addRecord);
    } finally {
      await file.close();
    }
  });
  for (const { text, received } of found) expect(received).toBe(text);
  return found.map(({ id, kind, isTyped, text }) => ({ id, kind, isTyped, text }));
}

const A = '{"opacObjectId":"1"}';
const B = '{"opacPersonId":2,"recordType":"PERSON"}';
const C = String.raw`{"opac\u004fbjectId":"3","title":"é"}`;
const EXPECTED = [
  { id: '1', kind: 'objects', isTyped: false, text: A },
  { id: '2', kind: 'persons', isTyped: true, text: B },
  { id: '3', kind: 'objects', isTyped: false, text: C },
];

describe('the search for records in JSON', () => {
  it.each([
    ['on separate lines', `${A}\n${B}\n${C}\n`],
    ['in an array', `[\n${A},\n${B},\n${C}\n]\n`],
    ['in an array before many line breaks', `[${A},${B},${C}]${'\n'.repeat(100)}`],
    ['with commas between them, but without an array', `${A},\n${B},${C}`],
    ['with spaces and line breaks between them', `  ${A} ${B}\r\n\t${C}`],
  ])('finds records %s', async (_, text) => {
    expect(await findRecords(text, 'json')).toEqual(EXPECTED);
  });

  it.each([
    ['', []],
    ['[]', []],
    ['\n \n', []],
    ['[{"opacObjectId":"1","x":[{}]}]', ['1']],
  ])('finds in %j the ids %j', async (text, ids) => {
    expect((await findRecords(text, 'json')).map(({ id }) => id)).toEqual(ids);
  });

  it.each<[string, string | undefined, boolean]>([
    ['"recordType":"person"', 'persons', true],
    ['"recordType":"x"', 'objects', true],
    ['"recordType":""', 'objects', false],
    ['"type":"person"', 'objects', false],
  ])('reads a record with %s as one of the kind %s', async (type, kind, isTyped) => {
    const text = `{"opacObjectId":1,${type}}`;
    expect(await findRecords(text, 'json')).toEqual([{ id: '1', kind, isTyped, text }]);
    const odd = `{"opac\\u004fbjectId":1,${type}}`;
    expect(await findRecords(odd, 'json')).toEqual([{ id: '1', kind, isTyped, text: odd }]);
  });

  it('finds records in list responses', async () => {
    const text = `{"totalObjects":2,"opacObjects":[${A},${C}]}`;
    expect(await findRecords(text, 'json')).toEqual([EXPECTED[0], EXPECTED[2]]);
    const persons = `{"opacPersons":[${B}],"totalPersons":1}`;
    expect(await findRecords(persons, 'json')).toEqual([EXPECTED[1]]);
  });

  it('finds records after a BOM, and records that continue in the next piece', async () => {
    const large = (id: number) => `{"opacObjectId":"${id}","x":"${'é'.repeat(PIECE * 0.7)}"}`;
    const found = await findRecords(`\ufeff${[1, 2, 3].map(large).join('\n')}`, 'json');
    expect(found.map(({ id, text }) => [id, text === large(Number(id))])).toEqual([
      ['1', true],
      ['2', true],
      ['3', true],
    ]);
  });

  it('stops at an abort signal while it reads a long cell of a table header', async () => {
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

  const createInvalidError = (line: number, reason: string) => ({
    message: expect.stringMatching(new RegExp(`^invalid record in ".*", line ${line}: ${reason}$`)),
    hint: 'use a file that opac exported as NDJSON or JSON',
  });
  const createIncompleteError = (line: number) => ({
    message: expect.stringMatching(new RegExp(`" is incomplete: it ends in line ${line}, within a record$`)),
    hint: 'export it again, or check it with: opac verify',
  });
  it.each([
    ['text', 'hello', createInvalidError(1, 'it is not a JSON object')],
    ['a number after records', `${A}\n${A}\n7\n`, createInvalidError(3, 'it is not a JSON object')],
    ['an array in an array', `[${A},\n[${A}]]`, createInvalidError(2, 'it is not a JSON object')],
    ['an array after records', `${A}\n[${A}]`, createInvalidError(2, 'it is not a JSON object')],
    ['an object without an id', '{"a":1}', createInvalidError(1, 'it has no id')],
    ['a record without an id', `${A}\n{"a":1}`, createInvalidError(2, 'it has no id')],
    [
      'invalid UTF-8',
      Buffer.from(`${A}\n{"opacObjectId":"\xff"}`, 'latin1'),
      createInvalidError(2, 'it is not UTF-8'),
    ],
    ['invalid JSON', `${A}\n{"opacObjectId":}\n${A}\n`, createInvalidError(2, 'its JSON is invalid')],
    ['an incomplete record', `${A}\n{"opacObjectId":"1`, createIncompleteError(2)],
    ['an incomplete record before a line break', `${A}\n{"opacObjectId":"1"\n`, createIncompleteError(2)],
    ['a comma after an array', `[${A}],\n`, createIncompleteError(2)],
    ['a record after an array', `[${A}]\n${A}`, createIncompleteError(2)],
    ['an array that ends between records', `[\n${A},\n${A}\n`, createIncompleteError(4)],
  ])('refuses %s, and reports the line', async (_, text, error) => {
    await expect(findRecords(text, 'json')).rejects.toMatchObject({ kind: 'usage', ...error });
  });
});

describe('the search for rows in tables', () => {
  const row = (id: string, text: string, kind?: string) => ({ id, kind, isTyped: kind !== undefined, text });
  it.each([
    ['CSV', 'id,title\n1,a\n2,"b ""\n"\n', [row('1', '1,a\n'), row('2', '2,"b ""\n"\n')]],
    ['TSV', 'title\tid\na,b\t1\n', [row('1', 'a,b\t1\n')]],
    ['TSV with a comma in its header', 'id\ta,b\n1\tx\n', [row('1', '1\tx\n')]],
    ['CSV with a tab in its header', 'id,a\tb\n1,x\n', [row('1', '1,x\n')]],
    ['CSV for Excel', 'id,title\r\n="01",a\r\n', [row('01', '="01",a\r\n')]],
    ['CSV without a final line break', 'recordType,id\nPERSON,1', [row('1', 'PERSON,1', 'persons')]],
    ['CSV with empty lines', 'id,title\n\n1,\n\r\n', [row('1', '1,\n')]],
    ['CSV without rows', 'id,title\n', []],
  ])('finds the rows of %s', async (_, text, rows) => {
    expect(await findRecords(text, 'table')).toEqual(rows);
  });

  it('finds rows that continue in the next piece', async () => {
    const large = (id: number) => `${id},"${'x\n'.repeat(PIECE * 0.7)}"\n`;
    const found = await findRecords(`id,title\n${[1, 2].map(large).join('')}`, 'table');
    expect(found.map(({ id, text }) => [id, text === large(Number(id))])).toEqual([
      ['1', true],
      ['2', true],
    ]);
  });

  it.each([
    ['a row without an id', 'id,title\n1,a\n,b\n', /" row 3 has no id$/],
    ['rows without an id', 'id,title\n,"a\nb"\n1,b\n,c\n', /" has 2 rows without an id: rows 2, 4$/],
    ['an empty id in a table of one column', 'id\n1\n\n', /" row 3 has no id$/],
    [
      'a quoted cell without an end',
      'id,title\n1,a\n2,"b\n\n',
      /" is incomplete: it ends in line 3, within a record$/,
    ],
  ])('refuses %s', async (_, text, message) => {
    await expect(findRecords(text, 'table')).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['a table without an id column', 'name,title\n1,a\n'],
    ['a table whose quoted header does not end', 'id,"title\n1,a\n'],
    ['an empty file', ''],
    ['a table whose only "id" is inside a cell', 'x;"a,id,b"\n'],
  ])('finds no header in %s', (_, text) => {
    expect(findHeader(Buffer.from(text), (cells) => cells.includes('id'))).toBeUndefined();
  });

  it.each<[string, Partial<ReturnType<typeof findHeader>>]>([
    ['\ufeffNr,id\n', { cells: ['Nr', 'id'], delimiter: ',', excel: true, rowsStart: 9 }],
    ['id;a,b\r\n1', { cells: ['id', 'a,b'], delimiter: ';', excel: true, rowsStart: 8 }],
    ['\ufeffsep=|\r\nid|a\n', { cells: ['id', 'a'], delimiter: '|', excel: true, rowsStart: 15 }],
    ['id', { cells: ['id'], delimiter: ',', excel: false, rowsStart: 2 }],
  ])('finds the header of %j', (text, header) => {
    expect(findHeader(Buffer.from(text), (cells) => cells.includes('id'))).toMatchObject(header ?? {});
  });
});

describe('DecompressedFile', () => {
  it('reads a gzip file from a temporary copy, and deletes the copy when it is closed', () =>
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
  ])('refuses a missing file, a folder and an incomplete gzip file: %s', (name, kind, message, hint) =>
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

  it.each([-1, 0, 1, 2, 5, 10, 20, 40])('deletes its temporary copy if it is stopped after %s ms', (moment) =>
    withFolder(async (path) => {
      await mkdir(path('tmp'));
      await writeFile(path('f.gz'), gzipSync('0123456789abcde\n'.repeat(1e6), { level: 1 }));
      const controller = new AbortController();
      const reason = new OpacError('interrupted', 'stopped by SIGINT');
      if (moment < 0) controller.abort(reason);
      else setTimeout(() => controller.abort(reason), moment);
      await DecompressedFile.open(path('f.gz'), path('tmp'), controller.signal).then(
        (file) => file.close(),
        (error) => expect(error).toBe(reason),
      );
      expect(await readdir(path('tmp'))).toEqual([]);
    }),
  );

  it('reports a missing folder for the temporary copy', () =>
    withFolder(async (path) => {
      await writeFile(path('f.gz'), gzipSync('x'));
      await expect(DecompressedFile.open(path('f.gz'), path('none'))).rejects.toMatchObject({
        message: `cannot write in "${path('none')}": the folder or file does not exist`,
      });
    }));
});
