/**
 * XLSX: one sheet under a frozen header, made row by row from a finished table. All cells are text, so that none becomes a
 * number, date or formula.
 */
import { decoded } from '../files/lines.js';
import { readTable } from '../table/read-table.js';
import type { Pieces, RecordWriter } from './record-writer.js';
import { type TableRecord, type TableShape, tableOf } from './table-writer.js';

/** Longest cell ("Excel specifications and limits"); longer text is cut. */
const LONGEST = 32_767;

/** Looks like an escape (ECMA-376 22.9.2.19); hucre writes escapes only for what XML cannot hold. */
const LIKE_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;
/** Not in XML 1.0, but not escaped by hucre. */
const NO_CHARACTER = /[\ufffe\uffff]/g;

export interface XlsxMaker {
  readonly convert: (table: Pieces) => AsyncIterable<Uint8Array>;
  readonly cut: () => number;
}

export function xlsxOf(shape: TableShape, found: readonly string[]): RecordWriter<TableRecord> {
  const { convert, cut } = xlsxMaker(shape.kind);
  const losses = () =>
    cut() > 0 ? [`${cut()} cells were cut to 32,767 characters, the most that Excel allows`] : [];
  return { ...tableOf(shape, found), convert, losses };
}

export function xlsxMaker(sheet: string): XlsxMaker {
  let cut = 0;

  function cell(text: string): string | null {
    if (text === '') return null;
    const escaped = text
      .replace(LIKE_ESCAPE, '_x005F_')
      .replace(NO_CHARACTER, (c) => `_x${c.charCodeAt(0).toString(16).toUpperCase()}_`);
    if (text.length <= LONGEST) return escaped;
    cut++;
    return `${escaped.slice(0, LONGEST - 1)}…`;
  }

  async function* convert(table: Pieces): AsyncGenerator<Uint8Array> {
    const rows = readTable(decoded(table()), { format: 'tsv' });
    const { value: header = [] } = await rows.next();
    const { writeXlsxStream } = await import('hucre/xlsx');
    yield* writeXlsxStream(cells(rows), {
      name: sheet,
      columns: (header as string[]).map((name) => ({ header: name, numFmt: '@' })),
      freezePane: { rows: 1 },
    });
  }

  async function* cells(rows: AsyncIterable<string[]>) {
    for await (const row of rows) yield row.map(cell);
  }

  return { convert, cut: () => cut };
}
