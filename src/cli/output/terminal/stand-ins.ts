/**
 * cli-table3 measures with string-width 4, which counts the marks of many scripts as columns and newer emoji as one.
 * So wide and marked characters go through it as stand-ins that it measures right, and are put back afterwards.
 */
import { displayWidth, graphemes } from './text.js';

/** Two characters for private use, of one column each, and one of none. */
const FIRST = '\ue000';
const FURTHER = '\ue001';
const NO_COLUMN = '\u0001';
const STAND_IN = new RegExp(`${FIRST}${FURTHER}*|${NO_COLUMN}`, 'g');

/** Takes the place of characters for a while. Texts must come back in the order in which they went. */
export class StandIns {
  readonly #replaced: string[] = [];

  /** The text with stand-ins, of the same width. */
  into(text: string): string {
    if (/^[\x20-\x7e]*$/.test(text)) return text;
    return graphemes(text)
      .map((grapheme) => this.#standIn(grapheme))
      .join('');
  }

  /** The texts with the characters put back. */
  back(text: string): string {
    let next = 0;
    return text.replace(STAND_IN, () => this.#replaced[next++] ?? '');
  }

  #standIn(grapheme: string): string {
    if (/^[\x20-\x7e]$/.test(grapheme)) return grapheme;
    this.#replaced.push(grapheme);
    const width = displayWidth(grapheme);
    return width === 0 ? NO_COLUMN : FIRST + FURTHER.repeat(width - 1);
  }
}
