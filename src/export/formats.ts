/** What a file is to look like, and the writer for each format. */

import { UsageError } from '../service/errors.js';
import type { Kind } from '../service/kinds.js';
import { type Column, parseColumns } from '../service/records/columns.js';
import { EXPORT_FORMATS, type ExportFormat } from './export-format.js';
import { CSV, type Dialect, TSV } from './table/delimited.js';
import { EXCEL } from './table/excel.js';
import { type Columns, FoundColumns } from './table/found-columns.js';
import { type MultiRule, parseMulti } from './table/multi.js';
import { allColumns, chosenColumns } from './table/read-columns.js';
import { flatWriter, idWriter } from './writers/flat-writer.js';
import { lineWriter } from './writers/line-writer.js';
import type { Identified, RecordWriter } from './writers/record-writer.js';
import { tableWriter } from './writers/table-writer.js';
import { xlsxMaker } from './writers/xlsx.js';

/** What a file is to look like, as the options say it. */
export interface Shape {
  readonly kind: Kind;
  readonly format: ExportFormat;
  /** json and ndjson in the normal form instead of the service's. */
  readonly flat?: boolean | undefined;
  /** Tables: names as `--columns` has them, `all` for every column with attributes; undefined for those that come up. */
  readonly columns?: string | undefined;
  /** Tables: `--multi` and `--multi-together`; see `parseMulti`. */
  readonly multi?: string | undefined;
  readonly multiTogether?: readonly string[] | undefined;
  /** csv for spreadsheets; see excel.ts. */
  readonly excel?: boolean | undefined;
}

/** A shape whose options have been found right. */
export interface CheckedShape extends Shape {
  readonly chosen: readonly Column[] | undefined;
  readonly rule: MultiRule;
  readonly dialect: Dialect | undefined;
}

const DIALECTS: Readonly<Partial<Record<ExportFormat, Dialect>>> = {
  csv: CSV,
  tsv: TSV,
  // It is made of TSV in the end.
  xlsx: TSV,
};

/** Checks the options of a shape against each other. Throws a UsageError for those that cannot be. */
export function checkShape(shape: Shape): CheckedShape {
  const { format, columns, multi, multiTogether = [], excel, flat } = shape;
  if (!EXPORT_FORMATS.includes(format)) {
    throw new UsageError(`an export cannot be written as ${format}`, `use ${EXPORT_FORMATS.join(', ')}`);
  }
  const dialect = excel ? EXCEL : DIALECTS[format];
  if (excel && format !== 'csv') {
    throw new UsageError('--excel is for CSV', 'leave it out, or use -f csv');
  }
  const forTables = { '--columns': columns, '--multi': multi, '--multi-together': multiTogether[0] };
  for (const [option, value] of Object.entries(forTables)) {
    if (value !== undefined && !dialect)
      throw new UsageError(`${option} is for tables`, 'use it with -f csv, tsv or xlsx');
  }
  if (flat && format !== 'json' && format !== 'ndjson') {
    throw new UsageError('--flat is for JSON', 'use it with -f json or -f ndjson');
  }
  const chosen = columns === undefined || columns === 'all' ? undefined : parseColumns(columns);
  return { ...shape, chosen, rule: parseMulti(multi, multiTogether), dialect };
}

/**
 * Calls `use` with the writer of a shape, whatever records it makes. `found`: the columns that came up in a run that is now
 * resumed.
 */
export function withWriter<T>(
  shape: CheckedShape,
  found: readonly string[],
  use: <R extends Identified>(writer: RecordWriter<R>) => T,
): T {
  const { kind, format, flat, dialect, rule } = shape;
  if (dialect) {
    const table = tableWriter({ kind, columns: columnsOf(shape, found), dialect, multi: rule });
    return use(format === 'xlsx' ? asXlsx(table, kind) : table);
  }
  if (format === 'ids') return use(idWriter(kind));
  if (format !== 'json' && format !== 'ndjson') throw new RangeError(`no dialect for ${format}`);
  return flat ? use(flatWriter(format, kind)) : use(lineWriter(format, kind));
}

/** Whether the file can be written from its beginning as the records come: its columns are known, and it can grow. */
export function hasKnownHead({ format, dialect, chosen }: CheckedShape): boolean {
  return format !== 'xlsx' && (dialect === undefined || chosen !== undefined);
}

function asXlsx<R extends Identified>(table: RecordWriter<R>, kind: Kind): RecordWriter<R> {
  const { convert, cut } = xlsxMaker(kind);
  const losses = () =>
    cut() > 0 ? [`${cut()} cells were cut: Excel takes no more than 32,767 characters in one`] : [];
  return { ...table, convert, losses };
}

function columnsOf({ kind, columns, chosen }: CheckedShape, found: readonly string[]): Columns {
  if (chosen) return chosenColumns(kind, chosen);
  return columns === 'all' ? allColumns(kind, found) : new FoundColumns(kind, found);
}
