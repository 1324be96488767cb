/**
 * The records of a file as pieces of its text, each with what tells it from others. Files are read as Latin-1, a character a
 * byte, so that what is not understood stays as it is.
 */
import { asObject } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import { identity, identityOf } from '../../service/records/identity.js';
import { linesOf } from '../files/lines.js';
import { changedPart } from './parts.js';

export interface Piece {
  readonly text: string;
  /** Undefined for a record without an id, and where the file has none. */
  readonly key: string | undefined;
}

export interface TableColumns {
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Of the file, and those of the merged one. */
  readonly own: readonly string[];
  readonly all: readonly string[];
  readonly kind: Kind;
  /** The first row of the file. */
  readonly header: string;
  readonly file: string;
}

/** Rows with a cell for every column of the merged file. The header is left out. Throws an OpacError for another one. */
export async function* tableRows(
  text: AsyncIterable<string>,
  { delimiter, lineEnd, own, all, kind, header, file }: TableColumns,
): AsyncGenerator<Piece> {
  const places = all.map((name) => own.indexOf(name));
  const isPrefix = own.every((name, n) => name === all[n]);
  const padding = delimiter.repeat(Math.max(0, all.length - own.length));
  const id = own.indexOf('id');
  const type = kind === 'records' ? own.indexOf('recordType') : -1;
  const hasKey = id >= 0 && (kind !== 'records' || type >= 0);
  let isHeader = true;
  for await (const row of rowsOf(text, lineEnd)) {
    if (isHeader) {
      if (row !== header) throw changedPart(`the columns of "${file}" are not those of its manifest`);
      isHeader = false;
      continue;
    }
    const cells = hasKey || !isPrefix ? cellsOf(row, delimiter) : [];
    const key = hasKey ? identity(kind, cells[id] ?? '', cells[type] ?? '') : undefined;
    const arranged = isPrefix ? row + padding : places.map((place) => cells[place] ?? '').join(delimiter);
    yield { text: arranged + lineEnd, key };
  }
}

/** Rows without their line ends, which do not end a row inside quotes. */
async function* rowsOf(text: AsyncIterable<string>, lineEnd: string): AsyncGenerator<string> {
  const begun: string[] = [];
  let isInQuotes = false;
  for await (const line of linesOf(text)) {
    begun.push(line);
    if (hasOddQuotes(line)) isInQuotes = !isInQuotes;
    if (isInQuotes) continue;
    const row = begun.join('\n');
    begun.length = 0;
    yield lineEnd === '\r\n' && row.endsWith('\r') ? row.slice(0, -1) : row;
  }
}

function hasOddQuotes(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) quotes++;
  return quotes % 2 === 1;
}

/** The cells of a row as they are written, quotes included. */
function cellsOf(row: string, delimiter: string): string[] {
  const pieces = row.split(delimiter);
  if (!row.includes('"')) return pieces;
  const cells: string[] = [];
  const begun: string[] = [];
  let isInQuotes = false;
  for (const piece of pieces) {
    begun.push(piece);
    if (hasOddQuotes(piece)) isInQuotes = !isInQuotes;
    if (isInQuotes) continue;
    cells.push(begun.join(delimiter));
    begun.length = 0;
  }
  return cells;
}

/** The lines of NDJSON, and of a JSON array without what stands around and between its records. */
export async function* jsonRows(text: AsyncIterable<string>, kind: Kind, end: string): AsyncGenerator<Piece> {
  for await (const line of linesOf(text)) {
    if (/^(?:\[|\]|\[\])$/.test(line)) continue;
    const json = line.replace(/,$/, '');
    const record = asObject(JSON.parse(Buffer.from(json, 'latin1').toString()));
    yield { text: json + end, key: identityOf(record, kind) };
  }
}

export async function* idRows(text: AsyncIterable<string>, kind: Kind): AsyncGenerator<Piece> {
  // An id alone may be that of one record of each kind.
  for await (const id of linesOf(text))
    yield { text: `${id}\n`, key: kind === 'records' || id === '' ? undefined : id };
}
