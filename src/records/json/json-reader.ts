/** Reads values directly from the bytes of JSON. For unusual or invalid JSON, the caller uses the JSON parser instead. */
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  F,
  N,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  T,
  ZERO,
} from './bytes.js';
import { skipSpace, skipString, skipUnescaped, skipValue } from './skip-json.js';
import { hasEscape, type Span } from './spans.js';

const O = 0x6f;

/** Reads the value at a position. Returns the position after the value; -1 for unusual or invalid JSON. */
export type ValueParser = (at: number) => number;

export interface ObjectParser {
  readonly keys: readonly EncodedKey[];
  readonly parts: readonly ValueParser[];
  /** The first four bytes of each key as a number, for a fast first comparison. */
  readonly prefixes: readonly number[];
}

export function createObjectParser(parts: Readonly<Record<string, ValueParser>>): ObjectParser {
  const keys = Object.keys(parts).map((key) => new EncodedKey(`"${key}"`));
  return { keys, parts: Object.values(parts), prefixes: keys.map(({ prefix }) => prefix) };
}

/** A key of at least four bytes. Compares four bytes at a time, because an export spends much of its time here. */
export class EncodedKey {
  readonly length: number;
  readonly prefix: number;
  readonly #fours: readonly number[];
  readonly #last: number;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    this.length = bytes.length;
    this.#fours = Array.from({ length: bytes.length >> 2 }, (_, n) => bytes.readInt32LE(4 * n));
    this.#last = bytes.readInt32LE(bytes.length - 4);
    this.prefix = bytes.readInt32LE(0);
  }

  matchesAt(at: number, view: DataView): boolean {
    if (at + this.length > view.byteLength) return false;
    const fours = this.#fours;
    for (let n = 0; n < fours.length; n++) if (view.getInt32(at + 4 * n, true) !== fours[n]) return false;
    return view.getInt32(at + this.length - 4, true) === this.#last;
  }
}

/** record.ts finds keys by this pattern, so the reader must not skip such a key, even if it does not know the key. */
const KEY_LIKE = /^"opac.*Field(?:s|Sets|Attributes)"$/s;

export class JsonReader {
  bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));

  setBytes(bytes: Buffer): void {
    if (this.bytes === bytes) return;
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  isObject(at: number): boolean {
    return this.bytes[at] === OPEN_OBJECT;
  }

  isArray(at: number): boolean {
    return this.bytes[at] === OPEN_ARRAY;
  }

  isString(at: number): boolean {
    return this.bytes[at] === QUOTE;
  }

  skip(at: number): number {
    return skipValue(this.bytes, at);
  }

  /** Reads the members in order, so the last value of a repeated key is used. If the value at `at` is not an object, skips it. */
  readMembers(at: number, { keys, parts, prefixes }: ObjectParser): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_OBJECT) return skipValue(bytes, at);
    let i = skipSpace(bytes, at + 1);
    if (bytes[i] === CLOSE_OBJECT) return i + 1;
    for (;;) {
      const which = findKeyAt(this.#view, i, keys, prefixes);
      i = which < 0 ? skipOtherKey(bytes, i) : i + (keys[which] as EncodedKey).length;
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] !== COLON) return -1;
      i = skipSpace(bytes, i + 1);
      i = which < 0 ? skipValue(bytes, i) : (parts[which] as ValueParser)(i);
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] === CLOSE_OBJECT) return i + 1;
      if (bytes[i] !== COMMA) return -1;
      i = skipSpace(bytes, i + 1);
    }
  }

  readItems(at: number, item: ValueParser): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_ARRAY) return skipValue(bytes, at);
    let i = skipSpace(bytes, at + 1);
    if (bytes[i] === CLOSE_ARRAY) return i + 1;
    for (;;) {
      i = item(i);
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] === CLOSE_ARRAY) return i + 1;
      if (bytes[i] !== COMMA) return -1;
      i = skipSpace(bytes, i + 1);
    }
  }

  /** Accepts texts, booleans, null (an empty text), and numbers that `asText` prints unchanged. Returns -1 for other values. */
  readText(at: number, into: Span): number {
    const { bytes } = this;
    const first = bytes[at];
    if (first === QUOTE) {
      const end = skipString(bytes, at);
      into.start = at + 1;
      into.end = end - 1;
      return end;
    }
    const end = skipValue(bytes, at);
    into.start = at;
    into.end = first === N ? at : end;
    if (end < 0 || first === N || first === T || first === F) return end;
    return isPrintedUnchanged(bytes.toString('latin1', at, end)) ? end : -1;
  }

  /** Like `readText`, but returns -1 for a text with escapes, so that callers can compare or print its bytes. */
  readUnescapedText(at: number, into: Span): number {
    const end = this.readText(at, into);
    return end >= 0 && hasEscape(this.bytes, into.start, into.end) ? -1 : end;
  }

  /** Parses up to nine digits; 0 for an empty text, -1 for any other text. */
  parseSmallInteger({ start, end }: Span): number {
    if (end - start > 9) return -1;
    let number = 0;
    for (let i = start; i < end; i++) {
      const digit = (this.bytes[i] as number) - ZERO;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  }

  equalsKey({ start, end }: Span, word: EncodedKey): boolean {
    return end - start === word.length && word.matchesAt(start, this.#view);
  }
}

function isPrintedUnchanged(number: string): boolean {
  return Math.abs(Number(number)) < 2 ** 53 && String(Number(number)) === number;
}

function findKeyAt(
  view: DataView,
  at: number,
  keys: readonly EncodedKey[],
  prefixes: readonly number[],
): number {
  if (at + 4 > view.byteLength) return -1;
  const prefix = view.getInt32(at, true);
  for (let which = 0; which < keys.length; which++)
    if (prefixes[which] === prefix && (keys[which] as EncodedKey).matchesAt(at, view)) return which;
  return -1;
}

/** Returns -1 for a key with escapes, and for a key that record.ts may read. */
function skipOtherKey(bytes: Buffer, at: number): number {
  if (bytes[at] !== QUOTE) return -1;
  const end = skipUnescaped(bytes, at + 1) + 1;
  if (bytes[end - 1] !== QUOTE) return -1;
  return bytes[at + 1] === O && KEY_LIKE.test(bytes.toString('latin1', at, end)) ? -1 : end;
}
