/** Cells that a spreadsheet would run as formulas. */

/** OWASP "CSV Injection". */
export const FORMULA_STARTS = '=+-@\t\r';

const NEGATIVE_NUMBER = /^-\d+(\.\d+)?$/;

/** A negative number is no formula. */
export function beginsFormula(text: string): boolean {
  return text !== '' && FORMULA_STARTS.includes(text[0] as string) && !NEGATIVE_NUMBER.test(text);
}
