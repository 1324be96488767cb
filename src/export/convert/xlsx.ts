/** Converts records to XLSX. Most cells are plain text, so that Excel does not convert them. Other cells are dates or links. */
import type { Cell, CellValue } from 'hucre/xlsx';
import { MS_PER_DAY, parseDay } from '../../records/cells/parse-day.js';
import { OpacError } from '../../service/errors.js';
import { formatCount, formatNumber } from '../../service/format-numbers.js';
import { createTextTable, type TableConverter, type TableFormat } from './table-writer.js';

/** Limits of Excel ("Excel specifications and limits"). opac cuts longer text. */
const MAX_CELL_CHARACTERS = 32_767;
const MAX_COLUMNS = 16_384;

/** Text that looks like an escape (ECMA-376 22.9.2.19), but that hucre, the XLSX library, does not escape. */
const ESCAPE_LIKE = /_(?=x[0-9A-Fa-f]{4}_)/g;
/** Characters that XML 1.0 does not allow, but that hucre does not escape. */
const INVALID_CHARACTER = /[\ufffe\uffff]/g;

const DATE_COLUMN = /@(earliest|latest)_date$/;
/** Before this day, spreadsheet programs use different day numbers, because Excel has a 29 February 1900. */
const MIN_DAY = Date.UTC(1900, 2, 1) / MS_PER_DAY;
const MAX_DAY = Date.UTC(9999, 11, 31) / MS_PER_DAY;

const MAX_LINKS = 65_530;
/** The target of a link cannot contain invalid XML characters, even as the escape `_xFFFE_`. */
const URL_CELL = /^https?:\/\/[^\s"<>\p{Cc}\p{Cs}\ufffe\uffff]{1,2000}$/iu;
const LINK_STYLE = { numFmt: '@', font: { color: { rgb: '0563C1' }, underline: true } };
/** hucre writes links only to sheets that are completely in memory. This number of cells needs about 250 MB. */
const MAX_CELLS_WITH_LINKS = 300_000;
const MAX_CHARACTERS_WITH_LINKS = 128 * 1024 * 1024;

/** A column is as wide as its longest line in the first rows. The widths are in characters. */
const MAX_ROWS_MEASURED = 200;
const MIN_COLUMN_WIDTH = 8;
const MAX_COLUMN_WIDTH = 60;

export interface XlsxConverter {
  readonly convert: (table: SheetRows) => AsyncIterable<Uint8Array>;
  readonly truncatedCells: () => number;
  readonly losses: () => readonly string[];
  readonly remarks: () => readonly string[];
}

export interface SheetRows {
  readonly headers: readonly string[];
  readonly names?: readonly string[];
  readonly rows: AsyncIterable<readonly string[]>;
}

export function createXlsxRecordWriter(options: TableFormat, before: readonly string[]): TableConverter {
  const { scan, table, rows, losses: listTextLosses } = createTextTable(options, before);
  const { convert, losses, remarks } = createXlsxConverter(options.kind);
  return {
    scan,
    table,
    convert: (records) => convert({ headers: table.headers(), names: table.columns(), rows: rows(records) }),
    losses: () => [...losses(), ...(listTextLosses?.() ?? [])],
    remarks,
  };
}

export function formatTruncation(cells: number): string {
  return `${formatCount(cells, 'cell was', 'cells were')} cut to 32,767 characters, the limit of Excel`;
}

export function createXlsxConverter(sheet: string): XlsxConverter {
  let cut = 0;
  let isWithoutLinks = false;

  function cell(text: string, isDate: boolean): CellValue {
    if (text === '') return null;
    return (isDate ? parseDate(text) : undefined) ?? limitText(text);
  }

  function limitText(text: string): string {
    const lines = text.replace(/\r\n?/g, '\n');
    if (lines.length <= MAX_CELL_CHARACTERS) return escapeText(lines);
    cut++;
    // Removes half of a surrogate pair at the end.
    return escapeText(`${lines.slice(0, MAX_CELL_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`);
  }

  async function* convert({ headers, names = headers, rows }: SheetRows): AsyncGenerator<Uint8Array> {
    if (headers.length > MAX_COLUMNS) throw createColumnsError(headers.length);
    const others = rows[Symbol.asyncIterator]();
    const first: (readonly string[])[] = [];
    let isComplete = false;
    let characters = 0;
    while (
      first.length * headers.length <= MAX_CELLS_WITH_LINKS &&
      characters <= MAX_CHARACTERS_WITH_LINKS &&
      !isComplete
    ) {
      const { value, done = false } = await others.next();
      isComplete = done;
      if (done) continue;
      first.push(value);
      for (const text of value) characters += text.length;
    }
    const widths = measureColumns([headers, ...first.slice(0, MAX_ROWS_MEASURED)]);
    const dates = names.map((name) => DATE_COLUMN.test(name));
    const columns = headers.map((header, n) => ({
      header: limitText(header),
      numFmt: dates[n] ? 'yyyy-mm-dd' : '@',
      width: widths[n] ?? MIN_COLUMN_WIDTH,
    }));
    const body = cells(first, others, dates);
    const layout = { name: sheet, columns, freezePane: { rows: 1 } };
    const { writeXlsx, writeXlsxStream } = await import('hucre/xlsx');
    const links = findLinks(first);
    const hasTooManyLinks = links.size > (isComplete ? MAX_LINKS : 0);
    isWithoutLinks ||= hasTooManyLinks;
    if (links.size === 0 || hasTooManyLinks) return yield* writeXlsxStream(body, layout);
    const sheetRows: CellValue[][] = [columns.map(({ header }) => header)];
    for await (const row of body) sheetRows.push(row);
    yield await writeXlsx({ stringMode: 'inline', sheets: [{ ...layout, rows: sheetRows, cells: links }] });
  }

  const listLosses = () => (cut > 0 ? [formatTruncation(cut)] : []);
  const listRemarks = () => (isWithoutLinks ? ['URLs are not links, because the sheet is too large'] : []);

  async function* cells(
    first: readonly (readonly string[])[],
    others: AsyncIterator<readonly string[]>,
    dates: readonly boolean[],
  ) {
    const formatRow = (row: readonly string[]) => row.map((text, n) => cell(text, dates[n] ?? false));
    for (const row of first) yield formatRow(row);
    for (let next = await others.next(); !next.done; next = await others.next()) yield formatRow(next.value);
  }

  return { convert, truncatedCells: () => cut, losses: listLosses, remarks: listRemarks };
}

/** The keys are row and column. The header is row 0. */
function findLinks(rows: readonly (readonly string[])[]) {
  const links = new Map<string, Partial<Cell>>();
  for (const [row, texts] of rows.entries())
    for (const [column, text] of texts.entries())
      if (URL_CELL.test(text))
        links.set(`${row + 1},${column}`, { hyperlink: { target: text }, style: LINK_STYLE });
  return links;
}

function escapeText(text: string): string {
  return text
    .replace(ESCAPE_LIKE, '_x005F_')
    .replace(INVALID_CHARACTER, (c) => `_x${c.charCodeAt(0).toString(16).toUpperCase()}_`);
}

function createColumnsError(count: number): OpacError {
  const max = `an Excel sheet has at most ${formatNumber(MAX_COLUMNS)} columns`;
  return new OpacError('incomplete', `${max}; this export has ${formatNumber(count)}`, {
    hint: 'choose columns with --columns, or export CSV or Parquet',
  });
}

function measureColumns(rows: readonly (readonly string[])[]): number[] {
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

function parseDate(text: string): Date | undefined {
  const day = parseDay(text);
  return day === undefined || day < MIN_DAY || day > MAX_DAY ? undefined : new Date(day * MS_PER_DAY);
}
