/** Creates workbooks that are much larger after decompression. */
import { constants, deflateRawSync } from 'node:zlib';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (type: string, target: string, id = 'rId1') =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
const relations = (type: string, target: string) =>
  `<Relationships>${relation(type, target)}</Relationships>`;

const PARTS = {
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
  'xl/workbook.xml': `<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations('worksheet', 'sheet1.xml'),
};
const MEGABYTE = 1024 * 1024;
const ROWS =
  '<worksheet><sheetData><row><c t="inlineStr"><is><t>20022</t></is></c></row></sheetData></worksheet>';

/** Returns a workbook with an id after megabytes of spaces. */
export function createWorkbookWithSpaces(megabytes: number): Buffer {
  const stated = megabytes * MEGABYTE + ROWS.length;
  const piece = deflateRawSync(Buffer.alloc(MEGABYTE, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const sheet = Buffer.concat([...Array.from({ length: megabytes }, () => piece), deflateRawSync(ROWS)]);
  return zipWorkbook(sheet, stated);
}

/** Returns a workbook with one number. */
export function createWorkbookWithNumber(number: string): Buffer {
  const sheet = `<worksheet><sheetData><row><c><v>${number}</v></c></row></sheetData></worksheet>`;
  return zipWorkbook(deflateRawSync(sheet), sheet.length);
}

/** Returns a workbook with this number of rows, which all contain the same id. */
export function createWorkbookWithRows(rows: number): Buffer {
  const row = '<row><c t="inlineStr"><is><t>20022</t></is></c></row>';
  const sheet = `<worksheet><sheetData>${row.repeat(rows)}</sheetData></worksheet>`;
  return zipWorkbook(deflateRawSync(sheet), sheet.length);
}

/** Returns a workbook with one id and this number of unused shared strings, in the part `name`. */
export function createWorkbookWithSharedStrings(strings: number, name = 'sharedStrings.xml'): Buffer {
  const shared = `<sst>${'<si><t>aaaaaaaaaa</t></si>'.repeat(strings)}</sst>`;
  const path = name.replaceAll('&#115;', 's').replaceAll('&#50;', '2');
  const links = [
    relation('worksheet', 'sheet1.xml'),
    relation('sharedStrings', name, 'rId2'),
    // Another relationship may declare the same part as a sheet.
    ...(path === name ? [] : [relation('worksheet', path, 'rId3')]),
  ];
  return zipWorkbook(deflateRawSync(ROWS), ROWS.length, {
    ...PARTS,
    'xl/_rels/workbook.xml.rels': `<Relationships>${links.join('')}</Relationships>`,
    [`xl/${path}`]: shared,
  });
}

/** Returns a workbook with further relationship files, which all contain `text`. */
export function createWorkbookWithRelationships(text: string, files: number): Buffer {
  const own = zipWorkbook(deflateRawSync(ROWS), ROWS.length, { ...PARTS, 'xl/_rels/a.rels': text });
  const end = own.lastIndexOf('PK\x05\x06');
  const last = own.lastIndexOf('PK\x01\x02', end);
  const entry = own.subarray(own.lastIndexOf('PK\x01\x02', last - 1), last);
  const trailer = Buffer.from(own.subarray(end));
  trailer.writeUInt16LE(own.readUInt16LE(end + 10) + files, 10);
  return Buffer.concat([own.subarray(0, end), ...Array<Buffer>(files).fill(entry), trailer]);
}

function zipWorkbook(sheet: Buffer, stated: number, texts: Readonly<Record<string, string>> = PARTS): Buffer {
  const parts = Object.entries(texts).map(
    ([name, text]) => [name, deflateRawSync(text), text.length] as const,
  );
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, data, size] of [...parts, ['xl/sheet1.xml', sheet, stated] as const]) {
    const header = Buffer.alloc(46);
    header.write('PK\x01\x02');
    header.writeUInt16LE(8, 10);
    header.writeUInt32LE(data.length, 20);
    header.writeUInt32LE(size, 24);
    header.writeUInt16LE(name.length, 28);
    header.writeUInt32LE(offset, 42);
    directory.push(header, Buffer.from(name));
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04');
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt16LE(name.length, 26);
    locals.push(local, Buffer.from(name), data);
    offset += local.length + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(parts.length + 1, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}
