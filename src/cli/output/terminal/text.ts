/** Measures and wraps text. Widths are in terminal columns, not in characters. Does not make text safe (see `sanitize.ts`). */
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { getGlyphs } from './styles.js';
import type { Terminal } from './terminal.js';

export type Align = 'left' | 'right';

/** Characters that are one column wide. Most values have no other characters. */
const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]*$/;
/** opac splits longer texts into blocks, because the time of a segmenter grows with the square of the length. */
const BLOCK_LENGTH = 512;

let segmenter: Intl.Segmenter | undefined;

/** Splits text into characters. A letter and its accents, or an emoji of several code points, are one character. */
export function splitGraphemes(text: string): string[] {
  if (NARROW.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const all: string[] = [];
  for (let at = 0; at < text.length; ) {
    const block = Array.from(segmenter.segment(text.slice(at, at + BLOCK_LENGTH)), ({ segment }) => segment);
    // The last character of a block may continue in the next block. Only hostile text has a character that fills a block.
    if (at + BLOCK_LENGTH < text.length && block.length > 1) block.pop();
    for (const segment of block) {
      all.push(segment);
      at += segment.length;
    }
  }
  return all;
}

export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  return splitGraphemes(text).reduce((width, grapheme) => width + stringWidth(grapheme), 0);
}

/** Cuts a text that is wider than `width`, and adds an ellipsis. */
export function truncate(text: string, width: number, terminal: Pick<Terminal, 'unicode'>): string {
  if (displayWidth(text) <= width) return text;
  const { ellipsis } = getGlyphs(terminal);
  if (width <= ellipsis.length) return ellipsis.slice(0, Math.max(width, 0));
  return `${cut(text, width - ellipsis.length).trimEnd()}${ellipsis}`;
}

function cut(text: string, width: number): string {
  let start = '';
  let left = width;
  for (const grapheme of splitGraphemes(text)) {
    left -= stringWidth(grapheme);
    if (left < 0) break;
    start += grapheme;
  }
  return start;
}

export function pad(text: string, width: number, align: Align = 'left'): string {
  const space = ' '.repeat(Math.max(width - displayWidth(text), 0));
  return align === 'left' ? text + space : space + text;
}

/** `width` is in columns, at least two. Splits a word that is longer than a line. The text may be styled. */
export function wrap(text: string, width: number): string[] {
  const characters = Math.floor(width / 2);
  const broken = text.replace(LONG_WORD, (word) =>
    splitGraphemes(word)
      .map((each, index) => (index > 0 && index % characters === 0 ? `\n${each}` : each))
      .join(''),
  );
  return wrapAnsi(broken, width, { hard: true }).split('\n');
}

/** wrap-ansi needs much time for a long word, so it gets the word in pieces. */
const LONG_WORD = new RegExp(`[^\\s\\u001b]{${BLOCK_LENGTH},}`, 'g');

/** Text that stays on one line, so that users can copy it: a word, or a command in quotes or at the end of a line. */
const UNBREAKABLE = /"opac [^"]*"\S*|(?<=: )opac .*$|\S+/g;

/** Breaks lines only at spaces that are not inside a command, so that users can copy URLs and commands. */
export function wrapMessage(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (displayWidth(line) <= width ? [line] : breakAtSpaces(line, width)))
    .join('\n');
}

function breakAtSpaces(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = indent;
  for (const word of text.match(UNBREAKABLE) ?? []) {
    const longer = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    const fits = line.trim() === '' || displayWidth(longer) <= width;
    if (!fits) lines.push(line);
    line = fits ? longer : `${indent}${word}`;
  }
  return [...lines, line];
}
