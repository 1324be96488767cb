/**
 * Skips one JSON value in bytes and rejects what `JSON.parse` would reject (RFC 8259). This is the inner loop of every export.
 * The caller checks with isUtf8 that bytes from 0x80 on are UTF-8.
 */
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  ZERO,
} from './bytes.js';

/** 1 for the second byte of a two-character escape: `" \ / b f n r t`. */
const ESCAPE = generateBytes('"\\/bfnrt');
const HEX = generateBytes('0123456789abcdefABCDEF');
const DIGIT = generateBytes('0123456789');
const SPACE = generateBytes(' \t\n\r');

function generateBytes(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) table[byte] = 1;
  return table;
}

/** The parser reads values with deeper nesting. */
const MAX_DEPTH = 256;

/** 1 for bytes that a string may contain without an escape. */
const UNESCAPED = new Uint8Array(256).map((_, byte) =>
  Number(byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH),
);

export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (SPACE[bytes[i] ?? 0] === 1) i++;
  return i;
}

/** Returns the end of the string at `at`; -1 for an invalid string. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return -1;
  let i = at + 1;
  for (;;) {
    while (UNESCAPED[bytes[i] ?? 0] === 1) i++;
    if (bytes[i] === QUOTE) return i + 1;
    i = skipEscape(bytes, i);
    if (i < 0) return -1;
  }
}

/** Returns the end of the value at `at`, which must not be whitespace; -1 for an invalid value. */
export function skipValue(bytes: Uint8Array, at: number, depth = 0): number {
  const first = bytes[at];
  if (first === QUOTE) return skipString(bytes, at);
  const isObject = first === OPEN_OBJECT;
  if (!isObject && first !== OPEN_ARRAY) return skipScalar(bytes, at);
  const close = isObject ? CLOSE_OBJECT : CLOSE_ARRAY;
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === close) return i + 1;
  if (depth === MAX_DEPTH) return -1;
  for (;;) {
    if (isObject) i = skipKey(bytes, i);
    if (i >= 0) i = skipValue(bytes, i, depth + 1);
    if (i < 0) return -1;
    i = skipSpace(bytes, i);
    if (bytes[i] === close) return i + 1;
    if (bytes[i] !== COMMA) return -1;
    i = skipSpace(bytes, i + 1);
  }
}

function skipKey(bytes: Uint8Array, at: number): number {
  const end = skipString(bytes, at);
  if (end < 0) return -1;
  const colon = skipSpace(bytes, end);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : -1;
}

function skipEscape(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH) return -1;
  const kind = bytes[at + 1] ?? 0;
  if (ESCAPE[kind] === 1) return at + 2;
  if (kind !== 0x75) return -1;
  for (let i = at + 2; i < at + 6; i++) if (HEX[bytes[i] ?? 0] !== 1) return -1;
  return at + 6;
}

const LITERALS = ['true', 'false', 'null'].map((word) => Buffer.from(word));

function skipScalar(bytes: Uint8Array, at: number): number {
  for (const word of LITERALS) if (bytes[at] === word[0]) return beginsWith(bytes, at, word);
  let i = at;
  if (bytes[i] === 0x2d) i++;
  if (bytes[i] === ZERO) i++;
  else i = skipDigits(bytes, i);
  if (i >= 0 && bytes[i] === 0x2e) i = skipDigits(bytes, i + 1);
  if (i >= 0 && (bytes[i] === 0x65 || bytes[i] === 0x45)) {
    const sign = bytes[i + 1];
    i = skipDigits(bytes, sign === 0x2b || sign === 0x2d ? i + 2 : i + 1);
  }
  return i;
}

function skipDigits(bytes: Uint8Array, at: number): number {
  let i = at;
  while (DIGIT[bytes[i] ?? 0] === 1) i++;
  return i === at ? -1 : i;
}

function beginsWith(bytes: Uint8Array, at: number, word: Uint8Array): number {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return -1;
  return at + word.length;
}
