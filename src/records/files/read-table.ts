/** Reads tables as this tool writes them, whatever spreadsheet has saved them in between. */
import { UsageError } from '../../service/errors.js';
import { CSV, TSV } from '../cells/delimited.js';
import { readExcelText } from '../cells/excel.js';

export interface TableReading {
  readonly format: 'csv' | 'tsv';
  readonly excel?: boolean;
  /** Where it is not that of the format. */
  readonly delimiter?: string;
}

/** Characters. */
const LONGEST_CELL = 16 * 1024 * 1024;

/** Throws a UsageError for a cell that no museum wrote. */
export async function* readTable(
  pieces: AsyncIterable<string> | Iterable<string>,
  { format, excel = false, delimiter }: TableReading,
): AsyncGenerator<string[]> {
  const rows = rowsOf(withoutMark(pieces), delimiter ?? (format === 'csv' ? CSV : TSV).delimiter);
  for await (const row of rows) yield excel ? row.map(readExcelText) : row;
}

async function* withoutMark(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let first = true;
  for await (const piece of pieces) {
    yield first && piece.startsWith('\ufeff') ? piece.slice(1) : piece;
    first &&= piece === '';
  }
}

/** RFC 4180, with any of the three line ends. */
async function* rowsOf(pieces: AsyncIterable<string>, delimiter: string): AsyncGenerator<string[]> {
  let row: string[] = [];
  let cell = '';
  /** `after`: after a quote that ends a cell or doubles. */
  let state: 'start' | 'plain' | 'quoted' | 'after' = 'start';
  let wasReturn = false;
  for await (const piece of pieces) {
    if (cell.length > LONGEST_CELL) throw new UsageError('a cell is longer than 16 MB', 'is it a table?');
    for (const c of piece) {
      const isSecondHalf = wasReturn && c === '\n';
      wasReturn = false;
      if (isSecondHalf) continue;
      if (state === 'quoted') {
        if (c === '"') state = 'after';
        else cell += c;
      } else if (c === '"' && state !== 'plain') {
        if (state === 'after') cell += c;
        state = 'quoted';
      } else if (c === delimiter) {
        row.push(cell);
        cell = '';
        state = 'start';
      } else if (c === '\n' || c === '\r') {
        wasReturn = c === '\r';
        yield [...row, cell];
        row = [];
        cell = '';
        state = 'start';
      } else {
        cell += c;
        state = 'plain';
      }
    }
  }
  if (row.length > 0 || cell !== '' || state !== 'start') yield [...row, cell];
}
