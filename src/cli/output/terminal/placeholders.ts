/**
 * cli-table3 measures with string-width 4, which counts the marks of many scripts as columns and newer emoji as one.
 * So wide and marked characters pass through it as placeholders that it measures right.
 */
import { displayWidth, graphemes } from './text.js';

/** Two characters for private use, of one column each, and one of none. */
const FIRST = '\ue000';
const FURTHER = '\ue001';
const NO_COLUMN = '\u0001';
const PLACEHOLDER = new RegExp(`${FIRST}${FURTHER}*|${NO_COLUMN}`, 'g');

/** Replaces characters and restores them. Texts must be restored in the order in which they were replaced. */
export class Placeholders {
  readonly #replaced: string[] = [];

  replace(text: string): string {
    if (/^[\x20-\x7e]*$/.test(text)) return text;
    return graphemes(text)
      .map((grapheme) => this.#placeholder(grapheme))
      .join('');
  }

  restore(text: string): string {
    let next = 0;
    return text.replace(PLACEHOLDER, () => this.#replaced[next++] ?? '');
  }

  #placeholder(grapheme: string): string {
    if (/^[\x20-\x7e]$/.test(grapheme)) return grapheme;
    this.#replaced.push(grapheme);
    const width = displayWidth(grapheme);
    return width === 0 ? NO_COLUMN : FIRST + FURTHER.repeat(width - 1);
  }
}
