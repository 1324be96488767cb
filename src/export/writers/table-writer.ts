/**
 * CSV and TSV. Pages arrive in any order and are printed at once. When a page shows a new column, earlier pages decide the
 * order of columns, so it is printed again when its turn comes.
 */
import type { Listed } from '../../client/paging/page.js';
import type { Kind } from '../../service/kinds.js';
import { type Column, column } from '../../service/records/columns.js';
import { type PageRecord, readPage } from '../json/page-records.js';
import { CSV, type Dialect } from '../table/delimited.js';
import { type Columns, FoundColumns } from '../table/found-columns.js';
import type { MultiRule } from '../table/multi.js';
import { allColumns, chosenColumns } from '../table/read-columns.js';
import { type Lines, RowPrinter } from '../table/row-printer.js';
import type { RecordWriter } from './record-writer.js';

export interface TableShape {
  readonly kind: Kind;
  readonly columns?: string | undefined;
  readonly chosen: readonly Column[] | undefined;
  readonly headsOf: (columns: readonly string[]) => readonly string[];
  readonly dialect: Dialect | undefined;
  readonly rule: MultiRule;
  /** What becomes of each text of the museum before it is written. */
  readonly plain?: ((text: string) => string) | undefined;
}

/** `found`: columns of the run that is resumed. */
export function tableOf(shape: TableShape, found: readonly string[]): RecordWriter<TableRecord> {
  const { kind, dialect = CSV, rule, headsOf, plain } = shape;
  return tableWriter({ kind, columns: columnsOf(shape, found), headsOf, dialect, multi: rule, plain });
}

function columnsOf({ kind, columns, chosen }: TableShape, found: readonly string[]): Columns {
  if (chosen) return chosenColumns(kind, chosen);
  return columns === 'all' ? allColumns(kind, found) : new FoundColumns(kind, found);
}

/** Columns that are no text for people. */
const IDENTIFYING = /^(?:id|recordType|slug|image\..*)$/;

export interface TableOptions {
  readonly kind: Kind;
  readonly columns: Columns;
  /** Their names unless given. */
  readonly headsOf?: TableShape['headsOf'];
  readonly dialect: Dialect;
  readonly multi: MultiRule;
  readonly plain?: TableShape['plain'];
}

export interface TableRecord extends PageRecord {
  readonly index: number;
  readonly page: TablePage;
}

interface TablePage {
  readonly lines: Lines | undefined;
  readonly width: number;
}

export function tableWriter({
  kind,
  columns,
  headsOf = (names) => names,
  dialect,
  multi,
  plain,
}: TableOptions): RecordWriter<TableRecord> {
  const splits = new Set(multi.rule === 'rows' ? multi.fields : []);
  const lists = new Map<string, boolean>();
  const isList = (name: string) => {
    const known = lists.get(name) ?? column(name).isList;
    lists.set(name, known);
    return known;
  };
  const nameOf = (number: number) => columns.names[number] ?? '';
  const printer = new RowPrinter(dialect, multi, {
    isList: (number) => isList(nameOf(number)),
    isSplit: (number) => splits.has(nameOf(number)),
    plainOf: plain && ((number) => (IDENTIFYING.test(nameOf(number)) ? undefined : plain)),
  });
  const rows = new TableRows(kind, columns, printer);
  let formulas = 0;
  let lines = 0;
  const heads = () => headsOf(columns.names);
  const head = () =>
    Buffer.from(dialect.mark + heads().map(dialect.cell).join(dialect.delimiter) + dialect.lineEnd);
  return {
    read: (bytes, offset) => rows.read(bytes, offset),
    write(records) {
      const made = rows.print(records);
      formulas += made.formulas;
      lines += made.rows;
      return made.bytes;
    },
    head,
    tail: Buffer.alloc(0),
    empty: head,
    table: {
      columns: () => columns.names,
      heads,
      delimiter: dialect.delimiter,
      formulas: () => formulas,
      rows: () => lines,
    },
  };
}

/** Prints the rows of a page when it arrives, and again when columns came up since. */
class TableRows {
  readonly #kind: Kind;
  readonly #columns: Columns;
  readonly #printer: RowPrinter;

  constructor(kind: Kind, columns: Columns, printer: RowPrinter) {
    this.#kind = kind;
    this.#columns = columns;
    this.#printer = printer;
  }

  read(bytes: Buffer, offset: number): Listed<TableRecord> | undefined {
    const columns = this.#columns;
    const printer = this.#printer;
    const width = columns.names.length;
    printer.begin();
    const list = readPage(bytes, this.#kind, offset, (page, at, ids) => {
      const end = columns.scan(page, at, ids);
      if (end >= 0 && columns.names.length === width) printer.add(columns.row);
      return end;
    });
    const isKnown = columns.names.length === width;
    if (!isKnown) columns.forget(width);
    if (!list) return undefined;
    const page: TablePage = { lines: isKnown && list.isScanned ? printer.take() : undefined, width };
    const records = list.records.map(
      ({ id, bytes, start, end }, index): TableRecord => ({ id, bytes, start, end, index, page }),
    );
    return { total: list.total, records };
  }

  print(records: readonly TableRecord[]): Made {
    const columns = this.#columns;
    const runs = runsOf(records);
    let width: number;
    let made: Made[];
    do {
      width = columns.names.length;
      made = runs.map((run) => this.#printRun(run));
    } while (columns.names.length !== width);
    const [only, ...others] = made;
    if (only && others.length === 0) return only;
    return {
      bytes: Buffer.concat(made.map(({ bytes }) => bytes)),
      formulas: sum(made.map(({ formulas }) => formulas)),
      rows: sum(made.map(({ rows }) => rows)),
    };
  }

  #printRun(records: readonly TableRecord[]): Made {
    const { lines, width } = (records[0] as TableRecord).page;
    // Reads only the records to write: a duplicate adds no column.
    if (!lines || width !== this.#columns.names.length) return whole(this.#printAgain(records));
    const { starts, bytes, formulas, heights } = lines;
    if (records.length === formulas.length && records.every(({ index }, n) => index === n))
      return whole(lines);
    return {
      bytes: Buffer.concat(records.map(({ index }) => bytes.subarray(starts[index], starts[index + 1]))),
      formulas: sum(records.map(({ index }) => formulas[index] ?? 0)),
      rows: sum(records.map(({ index }) => heights[index] ?? 0)),
    };
  }

  #printAgain(records: readonly TableRecord[]): Lines {
    this.#printer.begin();
    for (const { bytes, start, end } of records) {
      this.#columns.read(bytes.subarray(start, end));
      this.#printer.add(this.#columns.row);
    }
    return this.#printer.take();
  }
}

interface Made {
  readonly bytes: Buffer;
  readonly formulas: number;
  readonly rows: number;
}

function whole({ bytes, formulas, heights }: Lines): Made {
  return { bytes, formulas: sum(formulas), rows: sum(heights) };
}

/** Groups neighbours by response: a list of ids mixes records of several. */
function runsOf(records: readonly TableRecord[]): readonly (readonly TableRecord[])[] {
  const runs: TableRecord[][] = [];
  for (const record of records) {
    const run = runs.at(-1);
    if (run?.[0]?.page === record.page) run.push(record);
    else runs.push([record]);
  }
  return runs;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
