/** Filters put into workbooks by hand: several sheets, and files that are cut. */
import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { withAutofilter } from '../../../src/export/writers/autofilter.js';

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

it('a workbook that is cut is no workbook, wherever it ends', async () => {
  const directory = BOOK.indexOf('PK\x01\x02');
  for (let end = 0; end < directory; end += 13)
    await expect(filtered(BOOK.subarray(0, end), 2), String(end)).rejects.toThrow();
  for (const end of [3, 29, 40, 60, 200])
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
