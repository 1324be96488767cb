/** CSV and TSV: how a cell is written, and how lines end. */

export interface Dialect {
  readonly delimiter: string;
  readonly lineEnd: string;
  readonly mark: string;
  readonly cell: (text: string) => string;
  /** A cell that begins with none of these, and holds no JSON escape, needs at most quotes. */
  readonly starts: string;
  readonly emptyLine: string;
}

const QUOTED = /[",\r\n]/;

/** RFC 4180: quoted where it holds a quote, a comma or a line break. */
function csvCell(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const TSV_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};
const TSV_SPECIAL = /[\\\t\n\r]/;

/** Tab, line feed, carriage return and backslash become `\t`, `\n`, `\r` and `\\`; no quotes. */
function tsvCell(text: string): string {
  return TSV_SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (c) => TSV_ESCAPES[c] as string) : text;
}

export function readTsvCell(cell: string): string {
  return cell.replace(/\\([\\tnr])/g, (_, c: string) => ({ t: '\t', n: '\n', r: '\r' })[c] ?? c);
}

export const CSV: Dialect = {
  delimiter: ',',
  lineEnd: '\n',
  mark: '',
  cell: csvCell,
  starts: '',
  emptyLine: '""',
};
export const TSV: Dialect = {
  delimiter: '\t',
  lineEnd: '\n',
  mark: '',
  cell: tsvCell,
  starts: '',
  emptyLine: '',
};
