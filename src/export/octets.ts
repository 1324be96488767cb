/**
 * Text as octets: strings whose characters are the bytes of UTF-8. JSON, CSV and TSV are made of ASCII characters between
 * which everything else only passes through, so a page can be parsed, cut into cells and written without ever being decoded,
 * which Node does slowly for pages that are not ASCII.
 */
import { isUtf8 } from 'node:buffer';

/** How the strings of a page stand for text: `octets` as above, `text` as JavaScript has them. */
export type Spelling = 'octets' | 'text';

/** The encoding that writes strings of a spelling as UTF-8. */
export const ENCODINGS = { octets: 'latin1', text: 'utf8' } as const satisfies Record<
  Spelling,
  BufferEncoding
>;

const UNICODE_ESCAPE = Buffer.from('\\u');

/**
 * Whether JSON in these bytes can be parsed as octets: not when a character is written as `\u....`, whose code is no byte,
 * nor behind a byte order mark.
 */
export function isOctets(bytes: Buffer): boolean {
  return isUtf8(bytes) && bytes[0] !== 0xef && !bytes.includes(UNICODE_ESCAPE);
}

/** The bytes as octets. */
export function octets(bytes: Buffer): string {
  return bytes.toString('latin1');
}

/** The text that octets stand for. */
export function textOf(octets: string): string {
  return isAscii(octets) ? octets : Buffer.from(octets, 'latin1').toString('utf8');
}

/** The octets of a text; what UTF-8 cannot hold (a lone surrogate) becomes U+FFFD. */
export function octetsOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
