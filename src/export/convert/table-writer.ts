/** CSV and TSV: the columns are found in a scan of all records, then the rows are printed. */

import { CSV, type Dialect } from '../../records/cells/delimited.js';
import type { MultiRule } from '../../records/cells/multi.js';
import { type Columns, FoundColumns } from '../../records/columns/found-columns.js';
import { allColumns, chosenColumns } from '../../records/columns/read-columns.js';
import type { Kind } from '../../service/kinds.js';
import { type Column, column } from '../../service/records/columns.js';
import type { Converter, Records, TableState } from './converter.js';
import { RowPrinter } from './row-printer.js';

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

export type TableConverter = Converter & { readonly table: TableState };

/** `before`: columns that come first, of the export that stands at the target. */
export function tableOf(shape: TableShape, before: readonly string[]): TableConverter {
  const { dialect = CSV, rule, headsOf, plain, chosen } = shape;
  const columns = columnsOf(shape, before);
  const converter = tableConverter({ columns, headsOf, dialect, multi: rule, plain });
  return chosen ? { ...converter, scan: undefined } : converter;
}

function columnsOf({ kind, columns, chosen }: TableShape, before: readonly string[]): Columns {
  if (chosen) return chosenColumns(kind, chosen);
  return columns === 'all' ? allColumns(kind, before) : new FoundColumns(kind, before);
}

/** Columns that are no text for people. */
const IDENTIFYING = /^(?:id|recordType|slug|image\..*)$/;

export interface TableOptions {
  readonly columns: Columns;
  /** Their names unless given. */
  readonly headsOf?: TableShape['headsOf'];
  readonly dialect: Dialect;
  readonly multi: MultiRule;
  readonly plain?: TableShape['plain'];
}

export function tableConverter({
  columns,
  headsOf = (names) => names,
  dialect,
  multi,
  plain,
}: TableOptions): TableConverter {
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
  const heads = () => headsOf(columns.names);
  return {
    async scan(all: Records) {
      for await (const group of all) {
        for (const { bytes, start, end } of group) columns.read(bytes.subarray(start, end));
      }
    },
    async *convert(records: Records) {
      yield Buffer.from(dialect.mark + heads().map(dialect.cell).join(dialect.delimiter) + dialect.lineEnd);
      for await (const group of records) {
        for (const { bytes, start, end } of group) {
          columns.read(bytes.subarray(start, end));
          printer.add(columns.row);
        }
        yield printer.take();
      }
    },
    table: {
      columns: () => columns.names,
      heads,
      formulas: () => printer.formulas,
      rows: () => printer.rows,
    },
  };
}
