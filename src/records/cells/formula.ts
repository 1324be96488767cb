/** Cells that a spreadsheet would run as formulas. */

/** What Excel passes over before a formula: blanks of every kind, and characters that nobody sees. */
const BLANK = '\\s\\p{Cc}\\p{Zs}\\u200b-\\u200f\\u2060\\ufeff';

/** OWASP "CSV Injection"; the full-width signs are read as the others by spreadsheets of East Asia. */
const FORMULA = new RegExp(`^[\\t\\r\\n]|^[${BLANK}]*[=+\\-@＝＋－＠]`, 'u');
const NEGATIVE_NUMBER = /^ *-\d+(?:\.\d+)?$/;

/** A negative number is no formula. */
export function beginsFormula(text: string): boolean {
  return FORMULA.test(text) && !NEGATIVE_NUMBER.test(text);
}
