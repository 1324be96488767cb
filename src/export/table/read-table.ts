/** Reads tables that this tool wrote, also after a spreadsheet has saved them. */
import { readTsvCell } from './delimited.js';
import { readExcelText } from './excel.js';

export interface TableReading {
  readonly format: 'csv' | 'tsv';
  readonly excel?: boolean;
}

export async function* readTable(
  pieces: AsyncIterable<string> | Iterable<string>,
  { format, excel = false }: TableReading,
): AsyncGenerator<string[]> {
  const rows = format === 'csv' ? csvRows(withoutMark(pieces)) : tsvRows(withoutMark(pieces));
  for await (const row of rows) yield excel ? row.map(readExcelText) : row;
}

async function* withoutMark(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let first = true;
  for await (const piece of pieces) {
    yield first && piece.startsWith('\ufeff') ? piece.slice(1) : piece;
    first &&= piece === '';
  }
}

/** RFC 4180, with any line end. */
async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  let row: string[] = [];
  let cell = '';
  /** `after`: after a quote that ends a cell or doubles. */
  let state: 'start' | 'plain' | 'quoted' | 'after' = 'start';
  let wasReturn = false;
  for await (const piece of pieces) {
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
      } else if (c === ',') {
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

async function* tsvRows(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.split('\t').map(readTsvCell);
  }
  if (rest !== '') yield rest.split('\t').map(readTsvCell);
}
