/** Detects cells that a spreadsheet would run as formulas. */

/** Spaces and invisible characters, which Excel ignores before a formula. */
const BLANK = '\\s\\p{Cc}\\p{Zs}\\u200b-\\u200f\\u2060\\ufeff';

/** OWASP "CSV Injection". East Asian spreadsheets also read the full-width signs. */
const FORMULA = new RegExp(`^[\\t\\r\\n]|^[${BLANK}]*[=+\\-@＝＋－＠]`, 'u');
const NEGATIVE_NUMBER = /^ *-\d+(?:\.\d+)?$/;

/** The first UTF-8 bytes that such a cell may have: of the signs, of controls and spaces, and of U+0085 to U+FF20. */
export const FORMULA_BYTES: readonly number[] = [
  ...Array.from({ length: 0x21 }, (_, byte) => byte),
  ...Buffer.from('=+-@\x7f'),
  ...['\u0085', '\u1680', '\u2000', '\u3000', '\ufeff', '＝'].map(
    (character) => Buffer.from(character)[0] ?? 0,
  ),
];

/** A negative number is not a formula. */
export function beginsFormula(text: string): boolean {
  return FORMULA.test(text) && !NEGATIVE_NUMBER.test(text);
}
