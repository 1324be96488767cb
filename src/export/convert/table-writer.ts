/** Converts records to CSV and TSV, and to rows for XLSX. */
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

export interface TableFormat {
  readonly kind: Kind;
  readonly columns?: string | undefined;
  readonly chosen: readonly Column[] | undefined;
  readonly getHeaders: (columns: readonly string[]) => readonly string[];
  readonly dialect: Dialect | undefined;
  readonly rule: MultiValueRule;
  readonly plain?: ((text: string) => string) | undefined;
}

export type TableConverter = Converter & { readonly table: TableState };

/** `before`: the columns of the earlier table at the target, which come first. */
export function createTableRecordWriter(format: TableFormat, before: readonly string[]): TableConverter {
  const { dialect = CSV, chosen } = format;
  const converter = createTableConverter({ ...createTableOptions(format, before), dialect });
  return chosen ? { ...converter, scan: undefined } : converter;
}

export interface TableOptions {
  readonly columns: ColumnReader;
  /** Default: the column names. */
  readonly getHeaders?: TableFormat['getHeaders'];
  readonly multi: MultiValueRule;
  readonly plain?: TableFormat['plain'];
}

function createTableOptions({ rule, ...format }: TableFormat, before: readonly string[]): TableOptions {
  return { ...format, multi: rule, columns: createColumns(format, before) };
}

function createColumns(
  { kind, columns, chosen }: Pick<TableFormat, 'kind' | 'columns' | 'chosen'>,
  before: readonly string[],
): ColumnReader {
  if (chosen) return createChosenColumns(kind, chosen);
  return columns === 'all' ? createAllColumns(kind, before) : new DiscoveredColumns(kind, before);
}

export function createTableConverter(options: TableOptions & { readonly dialect: Dialect }): TableConverter {
  const { columns, getHeaders = (names) => names, dialect, multi } = options;
  const printer = new RowPrinter(dialect, multi, createColumnTraits(options));
  return {
    ...createScan(options, printer.texts),
    async *convert(records: Records) {
      yield Buffer.from(
        dialect.bom +
          getHeaders(columns.names).map(dialect.formatCell).join(dialect.delimiter) +
          dialect.lineEnd,
      );
      for await (const group of records) {
        for (const record of group) yield* printer.add(readRow(record, columns));
        yield printer.take();
      }
    },
  };
}

export interface TextTable extends Pick<TableConverter, 'scan' | 'table' | 'losses'> {
  readonly rows: (records: Records) => AsyncIterable<readonly string[]>;
}

export function createTextTable(format: TableFormat, before: readonly string[]): TextTable {
  const options = createTableOptions(format, before);
  const { columns, multi } = options;
  const texts = new RowTexts(multi, createColumnTraits(options));
  return {
    ...createScan(options, texts),
    async *rows(records) {
      for await (const group of records) {
        for (const record of group) {
          const row = readRow(record, columns);
          const lines = texts.countRows(row);
          for (let line = 0; line < lines; line++)
            yield columns.names.map((_, number) => texts.format(row, number, line));
        }
      }
    },
  };
}

function createScan(
  { columns, getHeaders = (names) => names }: TableOptions,
  texts: RowTexts,
): Pick<TableConverter, 'scan' | 'table' | 'losses'> {
  return {
    losses: () => texts.losses(),
    async scan(all) {
      for await (const group of all) for (const record of group) readRow(record, columns);
    },
    table: {
      columns: () => columns.names,
      headers: () => getHeaders(columns.names),
      formulas: () => texts.formulas,
      rows: () => texts.rows,
    },
  };
}

/** The result is valid until the next call. */
function readRow({ bytes, start, end }: RecordBytes, columns: ColumnReader): Row {
  columns.read(bytes, start, end);
  return columns.row;
}

/** Columns in which opac does not convert HTML: ids, types, slugs, and all columns of images except `image.caption`. */
const IDENTIFYING = /^(?:id|recordType|slug|image\.(?!caption$).*|relationship\..*\.(?:id|slug))$/s;

function createColumnTraits({ columns, multi, plain }: TableOptions): ColumnTraits {
  const splits = new Set(multi.rule === 'rows' ? multi.fields : []);
  const lists = new Map<string, boolean>();
  const isList = (name: string) => {
    const known = lists.get(name) ?? parseColumn(name).isList;
    lists.set(name, known);
    return known;
  };
  const getName = (number: number) => columns.names[number] ?? '';
  return {
    isList: (number) => isList(getName(number)),
    hasRowPerValue: (number) => splits.has(getName(number)),
    getTextConverter: plain && ((number) => (IDENTIFYING.test(getName(number)) ? undefined : plain)),
  };
}
