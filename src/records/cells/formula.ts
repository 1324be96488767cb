/** Cells that a spreadsheet would run as formulas. */

/** What Excel passes over before a formula: blanks of every kind, and characters that nobody sees. */
const BLANK = '\\s\\p{Cc}\\p{Zs}\\u200b-\\u200f\\u2060\\ufeff';

/** OWASP "CSV Injection"; the full-width signs are read as the others by spreadsheets of East Asia. */
const FORMULA = new RegExp(`^[\\t\\r\\n]|^[${BLANK}]*[=+\\-@＝＋－＠]`, 'u');
const NEGATIVE_NUMBER = /^ *-\d+(?:\.\d+)?$/;

/** Every byte that such a cell may begin with in UTF-8: those of the signs, of controls and blanks, and of U+0085 to U+FF20. */
export const FORMULA_BYTES: readonly number[] = [
  ...Array.from({ length: 0x21 }, (_, byte) => byte),
  ...Buffer.from('=+-@\x7f'),
  ...['\u0085', '\u1680', '\u2000', '\u3000', '\ufeff', '＝'].map(
    (character) => Buffer.from(character)[0] ?? 0,
  ),
];

/** A negative number is no formula. */
export function beginsFormula(text: string): boolean {
  return FORMULA.test(text) && !NEGATIVE_NUMBER.test(text);
}
