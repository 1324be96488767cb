/** CSV and TSV: how a cell is written, and how lines end. */

export interface Dialect {
  readonly delimiter: string;
  readonly lineEnd: string;
  readonly bom: string;
  readonly formatCell: (text: string) => string;
  /** A cell that begins with none of these, and holds no JSON escape, needs at most quotes. */
  readonly unsafeFirstCharacters: string;
  readonly emptyLine: string;
}

/** A cell of RFC 4180: in double quotes, doubled inside, where it holds a quote, the delimiter or a line break. */
const quotedWhere = (special: RegExp) => (text: string) =>
  special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

export const CSV: Dialect = {
  delimiter: ',',
  lineEnd: '\n',
  bom: '',
  formatCell: quotedWhere(/[",\r\n]/),
  unsafeFirstCharacters: '',
  emptyLine: '""',
};
/** The same with tabs, which most programs read rightly unasked: few know the escapes of text/tab-separated-values. */
export const TSV: Dialect = { ...CSV, delimiter: '\t', formatCell: quotedWhere(/["\t\r\n]/) };
