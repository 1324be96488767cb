/** The autofilter of a sheet, which hucre does not write while it streams: put into the XML of the workbook behind it. */
import { type Change, rewriteZip } from './rewrite-zip.js';

/** Of what a sheet ends with. */
const SHEET_END = '</sheetData>';

/** Takes a workbook with stored files; `columns` of it, at least one, are filtered in all rows. */
export function withAutofilter(
  workbook: AsyncIterable<Uint8Array>,
  columns: number,
): AsyncIterable<Uint8Array> {
  const ranges: string[] = [];
  const change: Change = (name, content) => {
    if (name.startsWith('xl/worksheets/')) return filtered(content, columns, ranges);
    return name === 'xl/workbook.xml' ? named(content, ranges) : content;
  };
  return rewriteZip(workbook, change);
}

async function* filtered(
  content: AsyncIterable<Buffer>,
  columns: number,
  ranges: string[],
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let rows = 1;
  for await (const piece of content) {
    held = Buffer.concat([held, piece]);
    // Within the last bytes are the end of the sheet and the beginning of a row.
    const at = held.lastIndexOf('<row r="');
    if (at < 0) continue;
    rows = Number(/\d+/.exec(held.toString('latin1', at, at + 20))?.[0] ?? rows);
    yield held.subarray(0, at);
    held = held.subarray(at);
  }
  ranges.push(`$A$1:$${letters(columns)}$${rows}`);
  const end = held.lastIndexOf(SHEET_END) + SHEET_END.length;
  const filter = `<autoFilter ref="${ranges.at(-1)?.replaceAll('$', '')}"/>`;
  yield Buffer.concat([held.subarray(0, end), Buffer.from(filter), held.subarray(end)]);
}

/** Excel looks for the ranges of filters among the names of the workbook (ECMA-376 18.2.5). */
async function* named(content: AsyncIterable<Buffer>, ranges: readonly string[]): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  const xml = Buffer.concat(pieces).toString();
  const sheets = [...xml.matchAll(/<sheet [^>]*?name="([^"]*)"/g)].map(([, name = '']) => name);
  const names = sheets.map((name, n) => {
    const range = `'${name.replaceAll("'", "''")}'!${ranges[n]}`;
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${n}" hidden="1">${range}</definedName>`;
  });
  yield Buffer.from(
    xml.replace('</sheets>', () => `</sheets><definedNames>${names.join('')}</definedNames>`),
  );
}

/** The name of a column: A, Z, AA. */
function letters(column: number): string {
  const before = Math.floor((column - 1) / 26);
  return `${before > 0 ? letters(before) : ''}${String.fromCharCode(65 + ((column - 1) % 26))}`;
}
