/** Text measured in the columns of a terminal, not in characters. Every function takes text that `sanitise.ts` cleaned. */
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { getGlyphs } from './styles.js';
import type { Terminal } from './terminal.js';

export type Align = 'left' | 'right';

/** Characters of one column each: most values have no others. */
const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]*$/;
/** UTF-16 units that are parted at once: the time of a segmenter grows with the square of its text. */
const BLOCK = 512;

let segmenter: Intl.Segmenter | undefined;

/** The characters as a reader counts them: an accent, a flag, a family emoji are never parted. */
export function splitGraphemes(text: string): string[] {
  if (NARROW.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const all: string[] = [];
  for (let at = 0; at < text.length; ) {
    const block = Array.from(segmenter.segment(text.slice(at, at + BLOCK)), ({ segment }) => segment);
    // The last one may go on in the next block, unless it is no character but an attack.
    if (at + BLOCK < text.length && block.length > 1) block.pop();
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

/** The text cut to at most that many columns, with an ellipsis where something is missing. */
export function truncate(text: string, width: number, terminal: Pick<Terminal, 'unicode'>): string {
  if (displayWidth(text) <= width) return text;
  const { ellipsis } = getGlyphs(terminal);
  if (width <= ellipsis.length) return ellipsis.slice(0, Math.max(width, 0));
  return `${cut(text, width - ellipsis.length).trimEnd()}${ellipsis}`;
}

function cut(text: string, width: number): string {
  let taken = '';
  let left = width;
  for (const grapheme of splitGraphemes(text)) {
    left -= stringWidth(grapheme);
    if (left < 0) break;
    taken += grapheme;
  }
  return taken;
}

/** The text filled up with spaces to that many columns. */
export function pad(text: string, width: number, align: Align = 'left'): string {
  const space = ' '.repeat(Math.max(width - displayWidth(text), 0));
  return align === 'left' ? text + space : space + text;
}

/**
 * The text in lines of at most that many columns (two or more), broken at spaces; a word longer than a line is broken
 * between characters. The text may be styled.
 */
export function wrap(text: string, width: number): string[] {
  const parted = text.replace(LONG_WORD, (word) => inParts(splitGraphemes(word), Math.floor(width / 2)));
  return wrapAnsi(parted, width, { hard: true }).split('\n');
}

/** wrap-ansi parts a word into characters at once, so longer ones come in parts. */
const LONG_WORD = new RegExp(`[^\\s\\u001b]{${BLOCK},}`, 'g');

function inParts(characters: readonly string[], size: number): string {
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += size) parts.push(characters.slice(at, at + size).join(''));
  return parts.join('\n');
}

/** What is copied as a whole: a command in quotes or at the end. */
const UNBROKEN = /"opac [^"]*"\S*|(?<=: )opac .*$|\S+/g;

/**
 * The lines of a message, those wider than that broken at spaces only. A longer word, such as a URL, and a command stay whole:
 * the terminal breaks them in two, but they are copied as one.
 */
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
  for (const word of text.match(UNBROKEN) ?? []) {
    const longer = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    const fits = line.trim() === '' || displayWidth(longer) <= width;
    if (!fits) lines.push(line);
    line = fits ? longer : `${indent}${word}`;
  }
  return [...lines, line];
}
