/** The dialects of CSV and TSV: delimiter, line end, and format of cells. */

export interface Dialect {
  readonly delimiter: string;
  readonly lineEnd: string;
  readonly bom: string;
  readonly formatCell: (text: string) => string;
  /** row-printer.ts copies most cells without `formatCell`. It uses `formatCell` for cells that begin with one of these. */
  readonly unsafeFirstCharacters: string;
  /** row-printer.ts also uses `formatCell` for cells that contain one of these characters. */
  readonly unsafeCharacters: string;
  /** The text of a row with only one cell, which is empty. */
  readonly emptyLine: string;
}

/** Quotes a cell as in RFC 4180 if it contains a special character. */
const createQuoting = (special: RegExp) => (text: string) =>
  special.test(text) ? `"${replaceInBlocks(text, '"', '""')}"` : text;

const BLOCK = 64 * 1024;
const MAX_PARTS = 4096;

/** `from`: one character or a pair of equal characters. `replaceAll` needs gigabytes of memory for millions of matches. */
export function replaceInBlocks(text: string, from: string, to: string): string {
  if (text.length <= BLOCK) return text.replaceAll(from, to);
  let result = '';
  for (let at = 0; at < text.length; ) {
    let end = at + BLOCK;
    let run = 0;
    while (run < BLOCK && text[end - run - 1] === from[0]) run++;
    // The end of a block must not divide a pair.
    end += run % from.length;
    result += text.slice(at, end).split(from).join(to);
    at = end;
  }
  return result;
}

/** `pattern` must have the flag `g`. `replace` needs gigabytes of memory for millions of matches. */
export function replaceMatches(text: string, pattern: RegExp, getNew: (match: string) => string): string {
  let result = '';
  let parts: string[] = [];
  let copied = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    parts.push(text.slice(copied, found.index), getNew(found[0]));
    copied = found.index + found[0].length;
    if (parts.length < MAX_PARTS) continue;
    result += parts.join('');
    parts = [];
  }
  return copied === 0 ? text : result + parts.join('') + text.slice(copied);
}

export const CSV: Dialect = {
  delimiter: ',',
  lineEnd: '\n',
  bom: '',
  formatCell: createQuoting(/[",\r\n]/),
  unsafeFirstCharacters: '',
  unsafeCharacters: '',
  emptyLine: '""',
};
/** TSV with the quotes of CSV, because few programs read escapes such as `\t`. */
export const TSV: Dialect = { ...CSV, delimiter: '\t', formatCell: createQuoting(/["\t\r\n]/) };

/** Line breaks that JSON does not escape: NEL, LS and PS. */
const UNESCAPED_LINE_BREAKS = '\u0085\u2028\u2029';
const LINE_BREAK_OR_TAB = new RegExp(`[\t\n\v\f\r${UNESCAPED_LINE_BREAKS}]`, 'g');

export function toSingleLine(text: string): string {
  return replaceMatches(text, LINE_BREAK_OR_TAB, () => ' ');
}

export function createSingleLineDialect(dialect: Dialect): Dialect {
  return {
    ...dialect,
    formatCell: (text) => dialect.formatCell(toSingleLine(text)),
    unsafeCharacters: `${dialect.unsafeCharacters}${UNESCAPED_LINE_BREAKS}`,
  };
}
