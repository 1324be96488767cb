/** CSV and TSV: a line for each record, cells under the columns of `Columns`. */
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

/** Writes a line of cells for each record, or several under the rule `rows`. */
export function tableWriter({ kind, columns, dialect, multi }: TableOptions): RecordWriter<ParsedRecord> {
  const { delimiter, lineEnd } = dialect;
  const printers = { octets: cellPrinter(multi, 'octets'), text: cellPrinter(multi, 'text') };
  const splits = multi.rule === 'rows' ? new Set(multi.fields) : undefined;
  const isSplit = (column: number) => splits?.has(columns.names[column] ?? '') ?? false;
  let formulas = 0;

  const head = () =>
    Buffer.from(dialect.mark + columns.names.map(dialect.cell).join(delimiter) + lineEnd, 'utf8');

  return {
    read: unlessBroken((bytes, offset) => parsePage(bytes, kind, offset)),
    write,
    head,
    tail: Buffer.alloc(0),
    empty: head,
    table: { columns: () => columns.names, delimiter, formulas: () => formulas },
  };

  function write(records: readonly ParsedRecord[]): Buffer {
    const lines: string[] = [];
    const widths: number[] = [];
    const spelling = records[0]?.page.spelling ?? 'text';
    const print = printers[spelling];
    for (const record of records) {
      const cells = columns.cells(record);
      for (const row of splits ? splitRows(cells, isSplit) : [cells]) {
        lines.push(line(row, print));
        widths.push(row.length);
      }
    }
    const width = columns.names.length;
    let text = '';
    for (let n = 0; n < lines.length; n++) {
      text += lines[n] + delimiter.repeat(width - (widths[n] ?? 0)) + lineEnd;
    }
    return Buffer.from(text, ENCODINGS[spelling]);
  }

  function line(cells: readonly Cell[], print: (cell: Cell) => string): string {
    let text = '';
    for (let n = 0; n < cells.length; n++) {
      const cell = cells[n] ?? '';
      if (n > 0) text += delimiter;
      if (cell === '') continue;
      const printed = print(cell);
      if (beginsFormula(printed)) formulas++;
      text += dialect.cell(printed);
    }
    return text;
  }
}
