/** Terminals and texts for tests of tables, cards and charts, and checks that apply to all of them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Colors, Terminal } from '../../../src/cli/output/terminal/terminal.js';
import { displayWidth } from '../../../src/cli/output/terminal/text.js';
import { nastyText as sharedText } from '../../nasty-text.js';

export function createTerminal(
  width: number,
  colors: Colors = 0,
  also: Partial<Pick<Terminal, 'unicode' | 'isTerminal'>> = {},
): Terminal {
  return { width, colors, isTerminal: true, unicode: true, ...also };
}

/** The terminals of the approved outputs, with the last part of their file names. */
export const SCREENS: readonly (readonly [name: string, terminal: Terminal])[] = [
  ['80-truecolor', createTerminal(80, 16777216)],
  ['80-ascii', createTerminal(80, 0, { unicode: false })],
  ['120-256', createTerminal(120, 256)],
  ['120-plain', createTerminal(120)],
];

export const anyScreen: fc.Arbitrary<Terminal> = fc.record({
  width: fc.integer({ min: 20, max: 200 }),
  colors: fc.constantFrom<Colors>(0, 16, 256, 16777216),
  unicode: fc.boolean(),
  isTerminal: fc.boolean(),
});

const NASTY = [
  '',
  ' ',
  'plain words of a label',
  'a'.repeat(300),
  'https://example.org/images/large/411139/a47567c793ecbcacfd5aec6eaa1d5bbef063b82a.jpg?size=full',
  '大英博物館のガラス標本'.repeat(4),
  '한국어'.normalize('NFD'),
  '👩‍👩‍👧‍👦👍🏽🇳🇿🇦🫠❤️1️⃣',
  'Te A\u0304tiawa ka\u0304kahu',
  'Z\u0301\u0302\u0303\u0304\u0305\u20dd'.repeat(9),
  'שָׁלוֹם עולם',
  'مرحبا بالعالم',
  'क्षि नमस्ते',
  '\u202eesrever\u2066',
  '\u001b[31mred\u001b[0m\u001b]52;c;ZXZpbA==\u0007\u009b2J',
  '\u001b]0;no end',
  'tab\tline\r\nbreak\u2028more',
  '\u0000\u0007\b\u007f\u0085\ufeff\u200b',
  '\ud800 alone \udc00',
  '\ue000\ue001 private',
];

export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 4 }).map((parts) => parts.join(' ')),
  { weight: 2, arbitrary: sharedText },
);

/** Removes colours. Output must not contain other escape sequences. */
export function removeColors(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
  return text.replace(/\x1b\[[\d;]*m/g, '');
}

/** Checks that no line is wider than the terminal, and that there are no control characters except those of colours. */
export function expectToFit(text: string, terminal: Terminal): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
  expect(removeColors(text)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  if (terminal.colors === 0) expect(text).toBe(removeColors(text));
  for (const line of removeColors(text).split('\n'))
    expect(displayWidth(line), line).toBeLessThanOrEqual(terminal.width);
}

/** Returns the text as it is saved in `approved/`: with visible escape characters, and one line break at the end. */
export function formatApproved(text: string): string {
  return `${text.replaceAll('\u001b', '␛')}\n`;
}
