/** CSV and TSV: the columns are found in a scan of all records, then the rows are printed. */

import { CSV, type Dialect } from '../../records/cells/dialect.js';
import type { MultiValueRule } from '../../records/cells/multi-value-rule.js';
import { type ColumnReader, DiscoveredColumns } from '../../records/columns/discovered-columns.js';
import { createAllColumns, createChosenColumns } from '../../records/columns/parsed-columns.js';
import type { Row } from '../../records/columns/row.js';
import type { Kind } from '../../service/kinds.js';
import { type Column, parseColumn } from '../../service/records/columns.js';
import type { Converter, RecordBytes, Records, TableState } from './converter.js';
import { RowPrinter } from './row-printer.js';
import { type ColumnTraits, RowTexts } from './row-texts.js';

export interface TableShape {
  readonly kind: Kind;
  readonly columns?: string | undefined;
  readonly chosen: readonly Column[] | undefined;
  readonly getHeaders: (columns: readonly string[]) => readonly string[];
  readonly dialect: Dialect | undefined;
  readonly rule: MultiValueRule;
  /** What becomes of each text of the museum before it is written. */
  readonly plain?: ((text: string) => string) | undefined;
}

export type TableConverter = Converter & { readonly table: TableState };

/** `before`: columns that come first, of the export that stands at the target. */
export function createTableRecordWriter(shape: TableShape, before: readonly string[]): TableConverter {
  const { dialect = CSV, chosen } = shape;
  const converter = tableConverter({ ...tableOptions(shape, before), dialect });
  return chosen ? { ...converter, scan: undefined } : converter;
}

/** What the records become, whatever bytes are made of it. */
export interface TableOptions {
  readonly columns: ColumnReader;
  /** Their names unless given. */
  readonly getHeaders?: TableShape['getHeaders'];
  readonly multi: MultiValueRule;
  readonly plain?: TableShape['plain'];
}

function tableOptions({ rule, ...shape }: TableShape, before: readonly string[]): TableOptions {
  return { ...shape, multi: rule, columns: columnsOf(shape, before) };
}

function columnsOf(
  { kind, columns, chosen }: Pick<TableShape, 'kind' | 'columns' | 'chosen'>,
  before: readonly string[],
): ColumnReader {
  if (chosen) return createChosenColumns(kind, chosen);
  return columns === 'all' ? createAllColumns(kind, before) : new DiscoveredColumns(kind, before);
}

export function tableConverter(options: TableOptions & { readonly dialect: Dialect }): TableConverter {
  const { columns, getHeaders = (names) => names, dialect, multi } = options;
  const printer = new RowPrinter(dialect, multi, columnKinds(options));
  const heads = () => getHeaders(columns.names);
  return {
    ...scanned(options, printer.texts),
    async *convert(records: Records) {
      yield Buffer.from(
        dialect.bom + heads().map(dialect.formatCell).join(dialect.delimiter) + dialect.lineEnd,
      );
      for await (const group of records) {
        for (const record of group) printer.add(rowOf(record, columns));
        yield printer.take();
      }
    },
  };
}

/** A table whose rows are texts. */
export interface TextTable extends Pick<TableConverter, 'scan' | 'table'> {
  readonly rows: (records: Records) => AsyncIterable<readonly string[]>;
}

export function textTable(shape: TableShape, before: readonly string[]): TextTable {
  const options = tableOptions(shape, before);
  const { columns, multi } = options;
  const texts = new RowTexts(multi, columnKinds(options));
  return {
    ...scanned(options, texts),
    async *rows(records) {
      for await (const group of records) {
        for (const record of group) {
          const row = rowOf(record, columns);
          const lines = texts.linesOf(row);
          for (let line = 0; line < lines; line++)
            yield columns.names.map((_, number) => texts.textOf(row, number, line));
        }
      }
    },
  };
}

function scanned(
  { columns, getHeaders = (names) => names }: TableOptions,
  texts: RowTexts,
): Pick<TableConverter, 'scan' | 'table'> {
  return {
    async scan(all) {
      for await (const group of all) for (const record of group) rowOf(record, columns);
    },
    table: {
      columns: () => columns.names,
      heads: () => getHeaders(columns.names),
      formulas: () => texts.formulas,
      rows: () => texts.rows,
    },
  };
}

/** Holds until the next record. */
function rowOf({ bytes, start, end }: RecordBytes, columns: ColumnReader): Row {
  columns.read(bytes, start, end);
  return columns.row;
}

/** Columns that are no text for people. */
const IDENTIFYING = /^(?:id|recordType|slug|image\..*)$/;

function columnKinds({ columns, multi, plain }: TableOptions): ColumnTraits {
  const splits = new Set(multi.rule === 'rows' ? multi.fields : []);
  const lists = new Map<string, boolean>();
  const isList = (name: string) => {
    const known = lists.get(name) ?? parseColumn(name).isList;
    lists.set(name, known);
    return known;
  };
  const nameOf = (number: number) => columns.names[number] ?? '';
  return {
    isList: (number) => isList(nameOf(number)),
    isSplit: (number) => splits.has(nameOf(number)),
    plainOf: plain && ((number) => (IDENTIFYING.test(nameOf(number)) ? undefined : plain)),
  };
}
