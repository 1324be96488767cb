/** What a spreadsheet would take for a formula when it opens a file of text. */

/** What such text begins with (OWASP "CSV Injection"). */
export const FORMULA_STARTS = '=+-@\t\r';

const NEGATIVE_NUMBER = /^-\d+(\.\d+)?$/;

/** Whether a cell of this text begins like a formula; a negative number does not. */
export function beginsFormula(text: string): boolean {
  return text !== '' && FORMULA_STARTS.includes(text[0] as string) && !NEGATIVE_NUMBER.test(text);
}
