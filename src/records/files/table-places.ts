/** Where the rows of a CSV or TSV file lie, and what their cells hold; as opac writes tables, also for Excel (`--excel`). */
import { UsageError } from '../../service/errors.js';
import { kindOfRecordType } from '../../service/kinds.js';
import { readExcelText } from '../cells/excel.js';
import type { TakePlace } from './json-places.js';
import { PIECE, type PlainFile } from './plain-file.js';

export interface TableHead {
  readonly columns: readonly string[];
  readonly delimiter: string;
  readonly excel: boolean;
  /** Where the rows begin. */
  readonly rows: number;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LONGEST = 64 * PIECE;

/** The head of a table, `names` for heads that are not those of columns. Throws a UsageError for a file without a column of ids. */
export function tableHead(
  file: PlainFile,
  begin: number,
  names: ReadonlyMap<string, string> = new Map(),
): TableHead {
  const first = file.bytes(begin, Math.min(file.size, begin + PIECE));
  const [line = '', named] = /^sep=(.)\r?\n/.exec(first.toString('latin1', 0, 8)) ?? [];
  const end = rowEnd(first, line.length, begin + first.length === file.size);
  const row = first.subarray(line.length, Math.max(end, 0));
  for (const delimiter of named === undefined ? DELIMITERS : [named]) {
    const heads = cellsOf(row, { delimiter, excel: false });
    const columns = heads.map((head) => names.get(head) ?? head);
    if (end < 0 || !columns.includes('id')) continue;
    return { columns, delimiter, excel: begin > 0 || first[end - 2] === CARRIAGE_RETURN, rows: begin + end };
  }
  throw new UsageError(
    `"${file.path}" is not an export: its first line names no column "id"`,
    'give NDJSON, JSON or CSV that opac exported, with the column id',
  );
}

/** Spreadsheets save with semicolons where the comma is part of numbers. */
const DELIMITERS = [',', '\t', ';'];

/** Calls `take` for each row, in order. Throws a UsageError for a file that ends within a quoted cell. */
export async function eachRow(file: PlainFile, head: TableHead, take: TakePlace): Promise<void> {
  const id = head.columns.indexOf('id');
  const type = head.columns.indexOf('recordType');
  // Two at least: one alone would not tell a row from an empty line.
  const upTo = Math.max(id, type, 1);
  let size = PIECE;
  for (let at = head.rows; at < file.size; ) {
    const window = file.bytes(at, Math.min(file.size, at + size));
    const isLast = at + window.length >= file.size;
    let i = 0;
    while (i < window.length) {
      const end = rowEnd(window, i, isLast);
      if (end < 0) break;
      const cells = cellsOf(window.subarray(i, end), head, upTo);
      if (cells.length > 1 || cells[0] !== '' || head.columns.length === 1) {
        const kind = kindOfRecordType(cells[type] ?? '');
        const place = {
          id: cells[id] ?? '',
          kind,
          isTyped: kind !== undefined,
          start: at + i,
          end: at + end,
        };
        if (place.id === '') throw new UsageError(`"${file.path}" line ${file.line(at + i)} holds no id`);
        take(place, window, i);
      }
      i = end;
    }
    if (i === 0 && (isLast || size >= LONGEST))
      throw new UsageError(
        `"${file.path}" ends in the middle, in line ${file.line(at)}`,
        'export it again, or check it with: opac verify',
      );
    size = i === 0 ? 2 * size : PIECE;
    at += i;
    await new Promise(setImmediate);
  }
}

/** The place behind the row that begins at `at`, -1 when it does not end in these bytes. */
function rowEnd(bytes: Buffer, at: number, isLast: boolean): number {
  let quoted = false;
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) quoted = !quoted;
    else if (!quoted && byte === LINE_FEED) return i + 1;
  }
  return isLast && !quoted ? bytes.length : -1;
}

/** The texts of the cells of a row, those behind the column `upTo` left out. */
export function cellsOf(
  row: Buffer,
  { delimiter, excel }: Pick<TableHead, 'delimiter' | 'excel'>,
  upTo = Number.POSITIVE_INFINITY,
): string[] {
  const text = row.toString('utf8').replace(/\r?\n$/, '');
  const cells: string[] = [];
  for (let at = 0; cells.length <= upTo && at <= text.length; ) {
    let end: number;
    let cell: string;
    if (text[at] === '"') {
      end = at + 1;
      while (end < text.length && (text[end] !== '"' || text[end + 1] === '"'))
        end += text[end] === '"' ? 2 : 1;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      end++;
    } else {
      end = text.indexOf(delimiter, at);
      if (end < 0) end = text.length;
      cell = text.slice(at, end);
    }
    cells.push(excel ? readExcelText(cell) : cell);
    at = end + 1;
  }
  return cells;
}
