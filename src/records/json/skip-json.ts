/** Skips JSON (RFC 8259) in UTF-8 bytes. Allocates no memory per value, because exports spend much time here. */
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

const ESCAPE = generateBytes('"\\/bfnrt');
const HEX = generateBytes('0123456789abcdefABCDEF');
const DIGIT = generateBytes('0123456789');
const SPACE = generateBytes(' \t\n\r');

function generateBytes(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) table[byte] = 1;
  return table;
}

const MAX_DEPTH = 256;
/** For each depth: 1 in an object, 0 in an array. All calls share this array, because `skipValue` does not call itself. */
const open = new Uint8Array(MAX_DEPTH);

export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (SPACE[bytes[i] ?? 0] === 1) i++;
  return i;
}

let bytesInView: Uint8Array | undefined;
let view: DataView = new DataView(new ArrayBuffer(0));

/** Returns the position of the next quote, backslash or byte below 0x20; otherwise the end of the bytes. */
export function skipUnescaped(bytes: Uint8Array, at: number): number {
  if (bytes !== bytesInView) {
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    bytesInView = bytes;
  }
  let i = at;
  for (const last = bytes.length - 4; i <= last; i += 4) {
    const four = view.getInt32(i, true);
    const quotes = four ^ 0x22222222;
    const backslashes = four ^ 0x5c5c5c5c;
    // A subtraction sets the high bit of each byte to find, and perhaps of bytes after it. So only the first high bit counts.
    const small = (four - 0x20202020) | (quotes - 0x01010101) | (backslashes - 0x01010101);
    const found = small & ~four & 0x80808080;
    if (found !== 0) return i + ((31 - Math.clz32(found & -found)) >> 3);
  }
  while (i < bytes.length && isUnescaped(bytes[i] as number)) i++;
  return i;
}

function isUnescaped(byte: number): boolean {
  return byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH;
}

export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return -1;
  let i = at + 1;
  for (;;) {
    i = skipUnescaped(bytes, i);
    if (bytes[i] === QUOTE) return i + 1;
    i = skipEscape(bytes, i);
    if (i < 0) return -1;
  }
}

/** Returns the end of the value that begins exactly at `at`; -1 for an invalid or too deeply nested value. */
export function skipValue(bytes: Uint8Array, at: number): number {
  let depth = 0;
  let i = at;
  for (;;) {
    const first = bytes[i] ?? 0;
    if (first === QUOTE) {
      i++;
      for (;;) {
        i = skipUnescaped(bytes, i);
        if (bytes[i] === QUOTE) break;
        i = skipEscape(bytes, i);
        if (i < 0) return -1;
      }
      i++;
    } else if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      const isObject = first === OPEN_OBJECT ? 1 : 0;
      i++;
      while (SPACE[bytes[i] ?? 0] === 1) i++;
      if (bytes[i] === (isObject === 1 ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        i++;
      } else {
        if (depth === MAX_DEPTH) return -1;
        open[depth++] = isObject;
        if (isObject === 1) {
          i = skipKey(bytes, i);
          if (i < 0) return -1;
        }
        continue;
      }
    } else {
      i = skipScalar(bytes, i);
      if (i < 0) return -1;
    }
    for (;;) {
      if (depth === 0) return i;
      let next = bytes[i] ?? 0;
      while (SPACE[next] === 1) next = bytes[++i] ?? 0;
      const isObject = open[depth - 1] === 1;
      i++;
      if (next === COMMA) {
        while (SPACE[bytes[i] ?? 0] === 1) i++;
        if (isObject) {
          i = skipKey(bytes, i);
          if (i < 0) return -1;
        }
        break;
      }
      if (next !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return -1;
      depth--;
    }
  }
}

function skipKey(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return -1;
  let i = at + 1;
  for (;;) {
    i = skipUnescaped(bytes, i);
    if (bytes[i] === QUOTE) break;
    i = skipEscape(bytes, i);
    if (i < 0) return -1;
  }
  i++;
  while (SPACE[bytes[i] ?? 0] === 1) i++;
  if (bytes[i] !== COLON) return -1;
  i++;
  while (SPACE[bytes[i] ?? 0] === 1) i++;
  return i;
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
