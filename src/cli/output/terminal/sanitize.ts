/** Makes text safe for a terminal: values cannot move the cursor, change colours, set the clipboard or reorder text. */

import { formatCount } from '../../../service/format-numbers.js';
import { normalizeUnicode } from '../../../service/normalize-unicode.js';

/**
 * Escape sequences (ECMA-48) in 7-bit and 8-bit forms. If a control string, such as an OSC, has no end, opac removes only its
 * start, so that no text is lost. The pattern does not match a control string that contains the start of another one, so that the
 * search takes linear time.
 */
const ESCAPE_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;

/** Other control characters, and invisible characters, for example those that change the order of text. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Regular expressions fail for some longer texts. */
const MAX_SHOWN = 200_000;

/** Returns the safe text as one line: replaces each run of spaces, tabs and line breaks with one space. */
export function sanitizeLine(text: string): string {
  if (text.length <= MAX_SHOWN && /^[!-~]*(?: [!-~]+)*$/.test(text)) return text;
  return clean(text).replace(/\s+/g, ' ').trim();
}

/** Returns the safe text as lines. Removes empty lines at the start and the end, and repeated empty lines. */
export function sanitizeLines(text: string): string[] {
  const lines = clean(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim());
  return lines
    .filter((line, index) => line !== '' || (lines[index - 1] !== '' && index > 0))
    .join('\n')
    .trim()
    .split('\n');
}

/** Returns the safe text as lines. Keeps all spaces, because the layout of some texts, such as a diff, depends on them. */
export function sanitizePreformatted(text: string): string[] {
  return clean(text).split('\n');
}

function clean(text: string): string {
  const visible = shorten(text)
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(ESCAPE_SEQUENCES, '')
    .replace(INVISIBLE, '')
    .replace(/\p{Cs}/gu, '\ufffd');
  // Terminals draw composed letters best.
  return normalizeUnicode(visible, 'NFC');
}

function shorten(text: string): string {
  const hidden = text.length - MAX_SHOWN;
  return hidden > 0 ? `${text.slice(0, MAX_SHOWN)}… (${formatCount(hidden, 'more character')})` : text;
}

/** Characters that a terminal interprets or does not show: control and direction characters, and lone surrogates. */
const UNSAFE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** For machine-readable formats on a terminal. Each unsafe character becomes U+FFFD. */
export function replaceUnsafeForTerminal(text: string): string {
  return text.replace(UNSAFE, '\ufffd');
}

/** Escapes unsafe characters in JSON. The value of the JSON stays the same. */
export function escapeJsonForTerminal(text: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(UNSAFE, (character) => character.split('').map(escapeUnit).join(''));
}
