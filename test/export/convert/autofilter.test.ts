/** Filters put into workbooks by hand: several sheets, and files that are cut. */
import { crc32, inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { withAutofilter } from '../../../src/export/convert/autofilter.js';

/** A ZIP of stored files with their sizes behind them, up to the beginning of its directory. */
function stored(files: readonly (readonly [name: string, content: string])[]): Buffer {
  const pieces = files.flatMap(([name, content]) => {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(name.length, 26);
    return [head, Buffer.from(name + content), Buffer.from('PK\x07\x08'), Buffer.alloc(12)];
  });
  return Buffer.concat([...pieces, Buffer.from('PK\x01\x02'), Buffer.alloc(42)]);
}

async function filtered(zip: Buffer, columns: number): Promise<Buffer> {
  async function* whole() {
    yield zip;
  }
  const pieces: Buffer[] = [];
  for await (const piece of withAutofilter(whole(), columns)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const sheet = (rows: number) =>
  `<sheetData>${Array.from({ length: rows }, (_, n) => `<row r="${n + 1}"></row>`).join('')}</sheetData><end/>`;
const BOOK = stored([
  ['xl/worksheets/sheet1.xml', sheet(3)],
  ['xl/worksheets/sheet2.xml', sheet(0)],
  ['xl/styles.xml', '<sheets></sheets>'],
  [
    'xl/workbook.xml',
    `<sheets><sheet sheetId="1" name="it's"/><sheet name="$&amp;" sheetId="2"/><sheet sheetId="3"/></sheets><end/>`,
  ],
]);

it.each([
  [1, 'A'],
  [26, 'Z'],
  [27, 'AA'],
  [702, 'ZZ'],
  [703, 'AAA'],
])('each sheet of %i columns has its own filter up to %s, by its name', async (columns, last) => {
  const zip = await filtered(BOOK, columns);
  const file = (name: string) => inflateRawSync(zip.subarray(zip.indexOf(name) + name.length)).toString();
  expect(file('xl/worksheets/sheet1.xml')).toBe(
    sheet(3).replace('<end/>', `<autoFilter ref="A1:${last}3"/><end/>`),
  );
  expect(file('xl/worksheets/sheet2.xml')).toContain(`</sheetData><autoFilter ref="A1:${last}1"/><end/>`);
  expect(file('xl/styles.xml')).toBe('<sheets></sheets>');
  const name = (sheetId: number, range: string) =>
    `<definedName name="_xlnm._FilterDatabase" localSheetId="${sheetId}" hidden="1">${range}</definedName>`;
  const names = `${name(0, `'it''s'!$A$1:$${last}$3`)}${name(1, `'$&amp;'!$A$1:$${last}$1`)}`;
  expect(file('xl/workbook.xml')).toContain(`</sheets><definedNames>${names}</definedNames><end/>`);
});

it('a workbook is a ZIP with a directory of its files, as their sizes and checksums are', async () => {
  const zip = await filtered(BOOK, 2);
  const end = zip.subarray(-22);
  expect([end.readUInt32LE(0), end.readUInt16LE(8), end.readUInt16LE(10), end.readUInt16LE(20)]).toEqual([
    ...[0x06054b50, 4, 4, 0],
  ]);
  const names: string[] = [];
  let at = end.readUInt32LE(16);
  expect(at + end.readUInt32LE(12)).toBe(zip.length - 22);
  while (at < zip.length - 22) {
    const length = zip.readUInt16LE(at + 28);
    const name = zip.toString('latin1', at + 46, at + 46 + length);
    const local = zip.readUInt32LE(at + 42);
    expect([zip.readUInt32LE(at), zip.readUInt32LE(local)]).toEqual([0x02014b50, 0x04034b50]);
    // Version 2.0, sizes behind the file, deflated, 1 January 1980, in both heads.
    const common = Buffer.from([20, 0, 8, 0, 8, 0, 0, 0, 33, 0]);
    expect([zip.subarray(at + 6, at + 16), zip.subarray(local + 4, local + 14)]).toEqual([common, common]);
    expect(zip.subarray(local + 14, local + 26)).toEqual(Buffer.alloc(12));
    expect([zip.readUInt16LE(local + 26), zip.readUInt16LE(local + 28)]).toEqual([length, 0]);
    expect(zip.toString('latin1', local + 30, local + 30 + length)).toBe(name);
    const [sum, compressed, plain] = [16, 20, 24].map((offset) => zip.readUInt32LE(at + offset));
    const data = local + 30 + length;
    const content = inflateRawSync(zip.subarray(data, data + (compressed ?? 0)));
    expect([crc32(content), content.length]).toEqual([sum, plain]);
    const behind = data + (compressed ?? 0);
    expect(zip.subarray(behind, behind + 16)).toEqual(
      Buffer.concat([Buffer.from('PK\x07\x08'), zip.subarray(at + 16, at + 28)]),
    );
    names.push(name);
    at += 46 + length;
  }
  expect(names).toEqual([
    'xl/worksheets/sheet1.xml',
    'xl/worksheets/sheet2.xml',
    'xl/styles.xml',
    'xl/workbook.xml',
  ]);
});

it('a file that is larger than its stream holds is passed on whole', async () => {
  const content = Array.from({ length: 60_000 }, (_, n) => `<a n="${n}">`).join('');
  const zip = await filtered(stored([['a', content]]), 1);
  expect(inflateRawSync(zip.subarray(31)).toString() === content).toBe(true);
});

it('a workbook that is cut is no workbook, wherever it ends', async () => {
  const directory = BOOK.indexOf('PK\x01\x02');
  for (let end = 0; end <= directory + 29; end += 13)
    await expect(filtered(BOOK.subarray(0, end), 2), String(end)).rejects.toThrow();
  for (const end of [3, 29, 40, 60, 200, directory, directory + 29])
    await expect(filtered(BOOK.subarray(0, end), 2)).rejects.toThrow('the ZIP ends in the middle');
});

it('a workbook that cannot be read fails with the reason', async () => {
  async function* broken() {
    yield BOOK.subarray(0, 120);
    throw new Error('the disk failed');
  }
  const read = async () => {
    for await (const _ of withAutofilter(broken(), 2));
  };
  await expect(read()).rejects.toThrow('the disk failed');
});
