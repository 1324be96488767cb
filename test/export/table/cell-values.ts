/** The way back from a cell of a table to its values, for the tests that prove that nothing is lost. */
import { type MultiRule, markOf } from '../../../src/export/table/multi.js';

/** The several values that a printer of `rule` put into a cell; not for `first`, which leaves values out. */
export function cellValues(rule: MultiRule, text: string): string[] {
  if (text === '') return [];
  if (rule.rule === 'first') return [text];
  if (rule.rule === 'json') return text.startsWith('[') ? (JSON.parse(text) as string[]) : [text];
  const mark = markOf(rule.separator);
  const values: string[] = [];
  let value = '';
  for (let i = 0; i < text.length; ) {
    let run = i;
    while (text[run] === '\\') run++;
    if (run > i) {
      // Only those right before a mark were doubled, and an odd one takes the mark's meaning away.
      const atMark = text.startsWith(mark, run);
      const count = run - i;
      value += '\\'.repeat(atMark ? Math.floor(count / 2) : count);
      i = run;
      if (atMark && count % 2 === 1) {
        value += mark;
        i += mark.length;
      }
    } else if (text.startsWith(rule.separator, i)) {
      values.push(value);
      value = '';
      i += rule.separator.length;
    } else value += text[i++];
  }
  return [...values, value];
}
