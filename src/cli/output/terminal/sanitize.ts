/** Makes text safe to show: no value can move the cursor, recolour the screen, set the clipboard or reorder text. */

/**
 * Whole escape sequences (ECMA-48): strings with an end (OSC, DCS, APC, PM, SOS), control sequences, and short ones;
 * each in its 7-bit and its 8-bit form. One without an end loses only its introducer, so that no text is lost with it; the next
 * introducer is such an end, so that many of them take no longer than one.
 */
const ESCAPE_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;

/** What is left of controls, and characters that show nothing but change the order of what stands around them. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** The text in one line: every run of spaces, tabs and line breaks is one space. */
export function sanitizeLine(text: string): string {
  if (/^[!-~]*(?: [!-~]+)*$/.test(text)) return text;
  return clean(text).replace(/\s+/g, ' ').trim();
}

/** The text with its line breaks, each line cleaned as by `oneLine`; no empty lines at the ends, none doubled. */
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

/** The text with its line breaks and all its spaces, for what is laid out by them, such as a diff. */
export function sanitizePreformatted(text: string): string[] {
  return clean(text).split('\n');
}

function clean(text: string): string {
  return (
    text
      .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')
      .replace(/\t/g, ' ')
      .replace(ESCAPE_SEQUENCES, '')
      .replace(INVISIBLE, '')
      .replace(/\p{Cs}/gu, '\ufffd')
      // To order marks takes the square of their number; more than these are no writing (UAX 15, Stream-Safe Text Format).
      .replace(/(\p{M}{30})\p{M}+/gu, '$1')
      // Terminals draw composed letters best.
      .normalize('NFC')
  );
}

/** What a terminal acts on or does not show: control characters, what changes the direction, lone surrogates. */
const UNSAFE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Text for programs as a terminal may show it: each character that it would act on is U+FFFD. */
export function escapeForTerminal(text: string): string {
  return text.replace(UNSAFE, '\ufffd');
}

/** JSON as a terminal may show it: the same value, with escapes for those characters. */
export function escapeJsonForTerminal(text: string): string {
  return text.replace(UNSAFE, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
