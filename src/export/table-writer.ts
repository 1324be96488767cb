/**
 * CSV and TSV: a line for each record, cells under the columns of `Columns`. Pages arrive in any order and wait for their
 * turn; so each is made into lines as soon as it is there, and not kept as a tree of objects, which would cost the garbage
 * collector more than all else. Where that shows a column not seen before, its order is for the pages before it to decide:
 * the page is made into lines again when its turn comes.
 */
import type { Kind } from '../service/kinds.js';
import type { Dialect } from './delimited.js';
import { beginsFormula } from './formula.js';
import type { Columns } from './found-columns.js';
import { type Cell, cellPrinter, type MultiRule, splitRows } from './multi.js';
import { ENCODINGS } from './octets.js';
import { type ParsedRecord, parsePage, unlessBroken } from './parsed-page.js';
import type { RecordWriter } from './record-writer.js';

export interface TableOptions {
  readonly kind: Kind;
  readonly columns: Columns;
  readonly dialect: Dialect;
  readonly multi: MultiRule;
}

/** A record by its place in an answer. */
export interface TableRecord {
  readonly id: string | undefined;
  readonly index: number;
  readonly page: TablePage;
}

interface TablePage {
  readonly bytes: Buffer;
  readonly offset: number;
  /** Undefined when the columns known at that time did not do. */
  readonly lines: Lines | undefined;
}

/** The records of a page as lines. */
interface Lines {
  readonly bytes: Buffer;
  /** Where the lines of a record begin, by its place in the answer, and where those of the last end. */
  readonly starts: readonly number[];
  /** Cells that begin like formulas, by record. */
  readonly formulas: readonly number[];
  /** Number of cells. */
  readonly width: number;
}

/** Writes a line of cells for each record, or several under the rule `rows`. */
export function tableWriter({ kind, columns, dialect, multi }: TableOptions): RecordWriter<TableRecord> {
  const { delimiter, lineEnd } = dialect;
  const printers = { octets: cellPrinter(multi, 'octets'), text: cellPrinter(multi, 'text') };
  const splits = multi.rule === 'rows' ? new Set(multi.fields) : undefined;
  const isSplit = (column: number) => splits?.has(columns.names[column] ?? '') ?? false;
  let formulas = 0;
  /** Of the record at hand. */
  let formulasHere = 0;

  const head = () =>
    Buffer.from(dialect.mark + columns.names.map(dialect.cell).join(delimiter) + lineEnd, 'utf8');

  return {
    read: unlessBroken(read),
    write,
    head,
    tail: Buffer.alloc(0),
    empty: head,
    table: { columns: () => columns.names, delimiter, formulas: () => formulas },
  };

  function read(bytes: Buffer, offset: number) {
    const parsed = parsePage(bytes, kind, offset);
    if (!parsed) return undefined;
    const known = columns.names.length;
    const lines = linesOf(parsed.records);
    const isKnown = columns.names.length === known;
    if (!isKnown) columns.forget(known);
    const page: TablePage = { bytes, offset, lines: isKnown ? lines : undefined };
    return { records: parsed.records.map(({ id }, index) => ({ id, index, page })), total: parsed.total };
  }

  function write(records: readonly TableRecord[]): Buffer {
    const page = records[0]?.page;
    if (!page) return Buffer.alloc(0);
    let { lines } = page;
    let indexes = records.map(({ index }) => index);
    if (lines?.width !== columns.names.length) {
      const parsed = parsePage(page.bytes, kind, page.offset)?.records ?? [];
      // Of the records that are written alone: a repeated one brings no column.
      lines = linesOf(indexes.map((index) => parsed[index] as ParsedRecord));
      indexes = [...indexes.keys()];
    }
    for (const index of indexes) formulas += lines.formulas[index] ?? 0;
    const { starts, bytes } = lines;
    if (indexes.length === starts.length - 1) return bytes;
    return Buffer.concat(indexes.map((index) => bytes.subarray(starts[index], starts[index + 1])));
  }

  /** The lines of records of one page, each with a cell for every column known in the end. */
  function linesOf(records: readonly ParsedRecord[]): Lines {
    const spelling = records[0]?.page.spelling ?? 'text';
    const print = printers[spelling];
    const rows = records.map((record) => {
      const cells = columns.cells(record);
      formulasHere = 0;
      const lines = (splits ? splitRows(cells, isSplit) : [cells]).map((row) => line(row, print));
      return { lines, width: cells.length, formulas: formulasHere };
    });
    const width = columns.names.length;
    const encoding = ENCODINGS[spelling];
    const starts = [0];
    let text = '';
    let length = 0;
    for (const row of rows) {
      const end = delimiter.repeat(width - row.width) + lineEnd;
      let own = '';
      for (const each of row.lines) own += each + end;
      text += own;
      length += encoding === 'latin1' ? own.length : Buffer.byteLength(own, encoding);
      starts.push(length);
    }
    return { bytes: Buffer.from(text, encoding), starts, formulas: rows.map((row) => row.formulas), width };
  }

  function line(cells: readonly Cell[], print: (cell: Cell) => string): string {
    let text = '';
    for (let n = 0; n < cells.length; n++) {
      const cell = cells[n] ?? '';
      if (n > 0) text += delimiter;
      if (cell === '') continue;
      const printed = print(cell);
      if (beginsFormula(printed)) formulasHere++;
      text += dialect.cell(printed);
    }
    return text === '' && cells.length === 1 ? dialect.emptyLine : text;
  }
}
