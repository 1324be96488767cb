/**
 * XLSX: one sheet under a frozen header. Every cell is text, so that nothing is taken for a number, a date or a formula; only the dates of `@earliest_date` and `@latest_date` are dates, from when Excel has any.
 */

import { MS_PER_DAY, parseDay } from '../../records/cells/parse-day.js';
import { OpacError } from '../../service/errors.js';
import { formatCount, formatNumber } from '../../service/format-numbers.js';
import { type TableConverter, type TableShape, textTable } from './table-writer.js';

/** Longest cell ("Excel specifications and limits"); longer text is cut. */
const MAX_CELL_CHARACTERS = 32_767;
const MAX_COLUMNS = 16_384;

/** Looks like an escape (ECMA-376 22.9.2.19); hucre writes escapes only for what XML cannot hold. */
const LIKE_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;
/** Not in XML 1.0, but not escaped by hucre. */
const NO_CHARACTER = /[\ufffe\uffff]/g;

const DATE_COLUMN = /@(earliest|latest)_date$/;
/** The first day that Excel and every other spreadsheet number alike: Excel has a 29 February 1900. */
const MIN_DAY = Date.UTC(1900, 2, 1) / MS_PER_DAY;
const MAX_DAY = Date.UTC(9999, 11, 31) / MS_PER_DAY;

/** Columns are as wide as their longest line among so many rows, within limits, in characters. */
const MAX_ROWS_MEASURED = 200;
const MIN_COLUMN_WIDTH = 8;
const MAX_COLUMN_WIDTH = 60;

export interface XlsxConverter {
  readonly convert: (table: SheetRows) => AsyncIterable<Uint8Array>;
  readonly truncatedCells: () => number;
}

export interface SheetRows {
  readonly heads: readonly string[];
  /** The names of the columns, where the heads are others. */
  readonly names?: readonly string[];
  readonly rows: AsyncIterable<readonly string[]>;
}

export function createXlsxRecordWriter(shape: TableShape, before: readonly string[]): TableConverter {
  const { scan, table, rows } = textTable(shape, before);
  const { convert, truncatedCells } = createXlsxConverter(shape.kind);
  return {
    scan,
    table,
    convert: (records) => convert({ heads: table.heads(), names: table.columns(), rows: rows(records) }),
    losses: () => (truncatedCells() > 0 ? [formatTruncation(truncatedCells())] : []),
  };
}

export function formatTruncation(cells: number): string {
  return `${formatCount(cells, 'cell was', 'cells were')} cut to 32,767 characters, the most that Excel allows`;
}

export function createXlsxConverter(sheet: string): XlsxConverter {
  let cut = 0;

  function cell(text: string, isDate: boolean): string | Date | null {
    if (text === '') return null;
    return (isDate ? dateOf(text) : undefined) ?? held(text);
  }

  function held(text: string): string {
    const lines = text.replace(/\r\n?/g, '\n');
    if (lines.length <= MAX_CELL_CHARACTERS) return escaped(lines);
    cut++;
    // Half of a character of two is cut off too.
    return escaped(`${lines.slice(0, MAX_CELL_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`);
  }

  async function* convert({ heads, names = heads, rows }: SheetRows): AsyncGenerator<Uint8Array> {
    if (heads.length > MAX_COLUMNS) throw tooManyColumns(heads.length);
    const others = rows[Symbol.asyncIterator]();
    const first: (readonly string[])[] = [];
    while (first.length < MAX_ROWS_MEASURED) {
      const { value, done } = await others.next();
      if (done) break;
      first.push(value);
    }
    const widths = widthsOf([heads, ...first]);
    const dates = names.map((name) => DATE_COLUMN.test(name));
    const { writeXlsxStream } = await import('hucre/xlsx');
    yield* writeXlsxStream(cells(first, others, dates), {
      name: sheet,
      columns: heads.map((head, n) => ({
        header: held(head),
        numFmt: dates[n] ? 'yyyy-mm-dd' : '@',
        width: widths[n] ?? MIN_COLUMN_WIDTH,
      })),
      freezePane: { rows: 1 },
    });
  }

  async function* cells(
    first: readonly (readonly string[])[],
    others: AsyncIterator<readonly string[]>,
    dates: readonly boolean[],
  ) {
    const printed = (row: readonly string[]) => row.map((text, n) => cell(text, dates[n] ?? false));
    for (const row of first) yield printed(row);
    for (let next = await others.next(); !next.done; next = await others.next()) yield printed(next.value);
  }

  return { convert, truncatedCells: () => cut };
}

/** Text as hucre takes it: Excel counts what it stands for, not the escapes. */
function escaped(text: string): string {
  return text
    .replace(LIKE_ESCAPE, '_x005F_')
    .replace(NO_CHARACTER, (c) => `_x${c.charCodeAt(0).toString(16).toUpperCase()}_`);
}

function tooManyColumns(count: number): OpacError {
  const most = `a sheet of Excel has at most ${formatNumber(MAX_COLUMNS)} columns`;
  return new OpacError('incomplete', `${most}, and these are ${formatNumber(count)}`, {
    hint: 'choose some with --columns, or write CSV or Parquet',
  });
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [n, text] of row.entries()) {
      const lengths = text
        .slice(0, 1000)
        .split(/[\r\n]+/)
        .map((line) => line.length);
      widths[n] = Math.min(
        MAX_COLUMN_WIDTH,
        Math.max(widths[n] ?? MIN_COLUMN_WIDTH, Math.max(...lengths) + 2),
      );
    }
  }
  return widths;
}

/** The day of a date of the service, undefined for any other text and for days that Excel has not. */
function dateOf(text: string): Date | undefined {
  const day = parseDay(text);
  return day === undefined || day < MIN_DAY || day > MAX_DAY ? undefined : new Date(day * MS_PER_DAY);
}
