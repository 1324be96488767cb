/** Reads CSV and TSV (RFC 4180, with LF, CRLF or CR), as written by opac and by spreadsheets. */
import { UsageError } from '../../service/errors.js';
import { CSV, replaceInBlocks, TSV } from '../cells/dialect.js';
import { readExcelText } from '../cells/excel.js';
import { decodeBytes, type Encoding, sizeOfBom } from './encoding.js';
import { type ByteSource, MAX_ITEM_BYTES, MAX_ITEMS, readPieces } from './read-pieces.js';

export interface TableFormat {
  readonly delimiter: string;
  /** Whether cells may contain the escapes of `--excel`. */
  readonly excel: boolean;
  readonly encoding: Encoding;
}

export interface TableHeader extends TableFormat {
  readonly cells: readonly string[];
  readonly rowsStart: number;
}

export interface TableRow {
  readonly cells: string[];
  /** Including the line end. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

interface HeaderOptions {
  readonly encoding?: Encoding;
  readonly delimiters?: readonly string[] | undefined;
  /** Whether `bytes` is the complete file. */
  readonly isLast?: boolean;
}

interface RowOptions {
  readonly begin?: number;
  readonly count?: number;
  /** Creates the error for a file that ends within a quoted cell; `start` is the position of the row. */
  readonly cutError?: (start: number) => Error;
}

export const MAX_HEADER_BYTES = 1024 * 1024;
/** Spreadsheets use semicolons in languages whose decimal separator is a comma. */
export const DELIMITERS = [CSV.delimiter, ';', TSV.delimiter];
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Yields the rows, beginning with the header. Throws a UsageError for a row that is too long, or a quote that is not closed. */
export async function* readTable(
  pieces: ByteSource,
  {
    format,
    excel = false,
    delimiter = (format === 'csv' ? CSV : TSV).delimiter,
  }: { readonly format: 'csv' | 'tsv'; readonly excel?: boolean; readonly delimiter?: string },
): AsyncGenerator<string[]> {
  for await (const { cells } of readRows(pieces, { delimiter, excel, encoding: 'utf8' })) yield cells;
}

/** Returns undefined if no delimiter makes the first line a header. A line such as `sep=;` can precede the header. */
export function findHeader(
  bytes: Buffer,
  isHeader: (cells: readonly string[]) => boolean,
  { encoding = 'utf8', delimiters = DELIMITERS, isLast = true }: HeaderOptions = {},
): TableHeader | undefined {
  const bom = sizeOfBom(bytes);
  const text = bytes.toString('latin1', bom, MAX_HEADER_BYTES);
  const [line = '', named] = /^sep=(.)\r?\n/.exec(text) ?? [];
  const [unquoted = ''] = text
    .slice(line.length)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const found = delimiters.filter((each) => unquoted.includes(each));
  const candidates = found.length > 0 ? found : delimiters.slice(0, 1);
  for (const delimiter of named === undefined ? candidates : [named]) {
    const row = readRow(bytes, bom + line.length, { delimiter, excel: true, encoding }, undefined, isLast);
    if (!row || !isHeader(row.cells)) continue;
    const excel = bom > 0 || bytes[row.end - 2] === CARRIAGE_RETURN;
    return { cells: row.cells, delimiter, excel, encoding, rowsStart: row.end };
  }
  return undefined;
}

export async function* readRows(
  pieces: ByteSource,
  format: TableFormat,
  { begin = 0, count, cutError = createCutTableError }: RowOptions = {},
): AsyncGenerator<TableRow> {
  const rows = readPieces(
    pieces,
    (bytes, start, isLast) => {
      const items: TableRow[] = [];
      let at = start === 0 ? sizeOfBom(bytes) : 0;
      while (items.length < MAX_ITEMS) {
        const row = readRow(bytes, at, format, count, isLast);
        if (!row) break;
        const { cells, end } = row;
        items.push({ cells, bytes: bytes.subarray(at, end), start: start + at, end: start + end });
        at = end;
      }
      if (items.length === MAX_ITEMS) return { items, end: at, isFull: true };
      if (isLast && at < bytes.length) throw cutError(start + at);
      if (bytes.length - at > MAX_ITEM_BYTES)
        throw new UsageError('a row is longer than 64 MB; a quote may be missing', 'save or export it again');
      return { items, end: at };
    },
    begin,
  );
  for await (const items of rows) yield* items;
}

function createCutTableError(): UsageError {
  return new UsageError('the table ends within a quoted cell', 'save or export it again');
}

/** Returns undefined if the row is not complete. `count`: maximum number of cells. `isLast`: the file ends after `bytes`. */
export function readRow(
  bytes: Buffer,
  at: number,
  { delimiter, excel, encoding }: TableFormat,
  count = Number.POSITIVE_INFINITY,
  isLast = true,
): { readonly cells: string[]; readonly end: number } | undefined {
  if (at >= bytes.length) return undefined;
  const separator = delimiter.charCodeAt(0);
  const text = (from: number, to: number) => decodeBytes(bytes, from, to, encoding);
  const cells: string[] = [];
  for (let start = at; ; ) {
    const isQuoted = bytes[start] === QUOTE;
    const close = isQuoted ? findClosingQuote(bytes, start) : start;
    if (close < 0) return undefined;
    const afterQuote = isQuoted ? close + 1 : start;
    let end = afterQuote;
    while (end < bytes.length && bytes[end] !== separator && !isLineEnd(bytes[end])) end++;
    if (end === bytes.length && !isLast) return undefined;
    if (cells.length < count) {
      const quoted = isQuoted ? replaceInBlocks(text(start + 1, close), '""', '"') : '';
      const cell = quoted + text(afterQuote, end);
      cells.push(excel ? readExcelText(cell) : cell);
    }
    if (bytes[end] !== separator) {
      const isReturn = bytes[end] === CARRIAGE_RETURN;
      if (isReturn && end + 1 === bytes.length && !isLast) return undefined;
      const lineEnd = isReturn && bytes[end + 1] === LINE_FEED ? 2 : 1;
      return { cells, end: Math.min(end + lineEnd, bytes.length) };
    }
    start = end + 1;
  }
}

function findClosingQuote(bytes: Buffer, open: number): number {
  let at = bytes.indexOf(QUOTE, open + 1);
  while (at >= 0 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2);
  return at;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
