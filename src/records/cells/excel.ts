/**
 * CSV for spreadsheets (`--excel`): UTF-8 with a BOM, CRLF, and two escapes for cells that a spreadsheet would change:
 * - `="0012"` for text that would become another number, a date or a boolean.
 * - `'` before a formula. Spreadsheets show the apostrophe. Text such as `'=1` also gets an apostrophe, because `readExcelText`
 *   removes one. So does a formula after a semicolon, a tab or a line break within the text, because a spreadsheet that separates
 *   cells with semicolons or tabs may ignore the quotes around the cell.
 */
import { CSV, type Dialect, replaceMatches } from './dialect.js';

/** Numbers that spreadsheets leave unchanged. */
const STABLE_NUMBER = /^(?:0|-?[1-9]\d{0,10})$|^-?(?=[\d.]{1,12}$)(?:0|[1-9]\d*)\.\d*[1-9]$/;
/** Numbers, times, percentages and amounts in dollars. */
const NUMBER_LIKE =
  /^\$?[+-]?\$?(?:\d[\d.,]*|[.,]\d+)(?:e[+-]?\d+)?\s*%?$|^\d{1,4}:\d{1,2}(?::\d{1,2})?(?:[.,]\d+)?(?:\s*[ap]m?)?$/i;
const NUMERIC_DATE = /^(\d{1,4})([-/.]\s?)(\d{1,4})(?:\2(\d{1,4}))?$/;
const FRACTION = /^\d+ \d+\/\d+$/;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const NAMED_DATE = new RegExp(
  `^(?:\\d{1,4}[-/\\s.]*${MONTH}(?:[-/\\s.,]*\\d{1,4})?|${MONTH}[-/\\s.,]*\\d{1,4}(?:[-/\\s.,]+\\d{1,4})?)$`,
  'i',
);
const BOOLEAN = /^(?:true|false)$/i;

const FIRST_OF_CHANGED_TEXT = '0123456789$+-.,jfmasondtJFMASONDT';

export const EXCEL: Dialect = {
  ...CSV,
  lineEnd: '\r\n',
  bom: '\ufeff',
  formatCell: (text) => CSV.formatCell(protectFromExcel(text)),
  unsafeFirstCharacters: `${FIRST_OF_CHANGED_TEXT}'`,
  unsafeCharacters: ';\t\r\n',
};

export function protectFromExcel(text: string): string {
  if (isChangedByExcel(text)) return `="${text}"`;
  const inner = replaceMatches(text, INNER_FORMULA, (separator) => `${separator}'`);
  return beginsFormula(text.replace(/^'+/, '')) ? `'${inner}` : inner;
}

/** Reverses `protectFromExcel`, also after a spreadsheet has saved the file. */
export function readExcelText(text: string): string {
  const escaped = /^="([^"]*)"$/s.exec(text)?.[1];
  if (escaped !== undefined) return escaped;
  const inner = text.replace(ESCAPED_INNER_FORMULA, '$1');
  return inner.startsWith("'") && beginsFormula(inner.replace(/^'+/, '')) ? inner.slice(1) : inner;
}

function isChangedByExcel(text: string): boolean {
  if (text.length > 40 || !FIRST_OF_CHANGED_TEXT.includes(text.charAt(0))) return false;
  if (STABLE_NUMBER.test(text)) return false;
  return (
    NUMBER_LIKE.test(text) ||
    isNumericDate(text) ||
    FRACTION.test(text) ||
    NAMED_DATE.test(text) ||
    BOOLEAN.test(text)
  );
}

/** Returns true for day and month, month and year, or all three, in any order, but not for `1863-1882`. */
function isNumericDate(text: string): boolean {
  const [, first = '', , second = '', third] = NUMERIC_DATE.exec(text) ?? [];
  const short = [first, second, third].filter((part) => part !== undefined && part.length <= 2);
  if (third !== undefined) return short.length >= 2;
  const other = Number(first.length <= 2 ? second : first);
  return (
    short.some((part) => Number(part) >= 1 && Number(part) <= 12) && (short.length === 2 || other >= 1900)
  );
}

/** Spaces and invisible characters, which Excel ignores before a formula. */
const BLANK = '\\s\\p{Cc}\\p{Zs}\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff';

/** The beginning of a formula (OWASP "CSV Injection"). East Asian spreadsheets also accept full-width signs. */
const FORMULA = new RegExp(`^[\\t\\r\\n]|^[${BLANK}]*[=+\\-@＝＋－＠]`, 'u');
/**
 * Matches before a formula within a text, but not before a negative number. Quotes may precede the formula, because a program
 * that begins a new cell there removes the quotes.
 */
const INNER = `(?='*(?:(?![\\t\\r\\n])[${BLANK}"])*[=+\\-@＝＋－＠])(?!'* *-\\d+(?:\\.\\d+)? *(?:[;\\t\\r\\n]|$))`;
const INNER_FORMULA = new RegExp(`([;\\t\\r\\n])${INNER}`, 'gu');
const ESCAPED_INNER_FORMULA = new RegExp(`([;\\t\\r\\n])'${INNER}`, 'gu');
const NEGATIVE_NUMBER = /^ *-\d+(?:\.\d+)?$/;

/** First bytes of cells that may be formulas: bytes of signs, control characters and spaces, also outside ASCII. */
export const FORMULA_BYTES: readonly number[] = [
  ...Array.from({ length: 0x21 }, (_, byte) => byte),
  ...Buffer.from('=+-@\x7f'),
  ...['\u0085', '\u1680', '\u2000', '\u3000', '\ufeff', '＝'].map(
    (character) => Buffer.from(character)[0] ?? 0,
  ),
];

/** Returns false for a negative number, which is not a formula. */
export function beginsFormula(text: string): boolean {
  return FORMULA.test(text) && !NEGATIVE_NUMBER.test(text);
}
