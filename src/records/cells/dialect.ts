/** The dialects of CSV and TSV: delimiter, line end, and format of cells. */

export interface Dialect {
  readonly delimiter: string;
  readonly lineEnd: string;
  readonly bom: string;
  readonly formatCell: (text: string) => string;
  /** A cell that begins with another character and has no JSON escape needs at most quotes. */
  readonly unsafeFirstCharacters: string;
  readonly emptyLine: string;
}

/** Quotes a cell as in RFC 4180 if it contains a special character. */
const createQuoting = (special: RegExp) => (text: string) =>
  special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

export const CSV: Dialect = {
  delimiter: ',',
  lineEnd: '\n',
  bom: '',
  formatCell: createQuoting(/[",\r\n]/),
  unsafeFirstCharacters: '',
  emptyLine: '""',
};
/** Quoted like CSV, because few programs read the escapes of text/tab-separated-values. */
export const TSV: Dialect = { ...CSV, delimiter: '\t', formatCell: createQuoting(/["\t\r\n]/) };
