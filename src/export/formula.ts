/** What a spreadsheet would take for a formula when it opens a file of text. */

/** `=`, `+`, `-`, `@`, tab and carriage return at the beginning (OWASP "CSV Injection"). */
const STARTS = new Uint8Array(128);
for (const character of '=+-@\t\r') STARTS[character.charCodeAt(0)] = 1;

const NEGATIVE_NUMBER = /^-\d+(\.\d+)?$/;

/** Whether a cell of this text begins like a formula; a negative number does not. */
export function beginsFormula(text: string): boolean {
  return STARTS[text.charCodeAt(0)] === 1 && !NEGATIVE_NUMBER.test(text);
}
