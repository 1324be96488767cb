/** Walks over JSON in bytes, and takes texts from it as places. What needs a parser makes it decline, with -1 for a place. */
import { skipSpace, skipString, skipValue } from './skip-json.js';
import { hasEscape, type Span } from './spans.js';

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const ZERO = 0x30;
const O = 0x6f;
/** How `null`, `true` and `false` begin. */
const N = 0x6e;
const T = 0x74;
const F = 0x66;

/** From where a value begins to the place behind it; -1 to decline. */
export type Part = (at: number) => number;

/** Keys of an object, in their quotes, and what takes the value under each. */
export interface Shape {
  readonly keys: readonly Buffer[];
  readonly parts: readonly Part[];
}

export function shape(parts: Readonly<Record<string, Part>>): Shape {
  return { keys: Object.keys(parts).map((key) => Buffer.from(`"${key}"`)), parts: Object.values(parts) };
}

/** A key that src/service/record.ts may read as that of field sets, fields or attributes: each kind has its own. */
const KEY_LIKE = /^"opac.*Field(?:s|Sets|Attributes)"$/s;

export class JsonWalk {
  bytes: Buffer = Buffer.alloc(0);

  isObject(at: number): boolean {
    return this.bytes[at] === OPEN_OBJECT;
  }

  skip(at: number): number {
    return skipValue(this.bytes, at);
  }

  /** Takes the members of an object, the last of two with one key last; steps over anything else. */
  members(at: number, { keys, parts }: Shape): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_OBJECT) return skipValue(bytes, at);
    let i = skipSpace(bytes, at + 1);
    if (bytes[i] === CLOSE_OBJECT) return i + 1;
    for (;;) {
      const which = keyAt(bytes, i, keys);
      i = which < 0 ? skipOtherKey(bytes, i) : i + (keys[which] as Buffer).length;
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] !== COLON) return -1;
      i = skipSpace(bytes, i + 1);
      i = which < 0 ? skipValue(bytes, i) : (parts[which] as Part)(i);
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] === CLOSE_OBJECT) return i + 1;
      if (bytes[i] !== COMMA) return -1;
      i = skipSpace(bytes, i + 1);
    }
  }

  /** Takes each value of an array; steps over anything else. */
  items(at: number, item: Part): number {
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

  /** Takes what asText of src/service/json.ts would print as it stands here; an empty text for null. */
  text(at: number, into: Span): number {
    const { bytes } = this;
    const first = bytes[at];
    if (first === QUOTE) {
      const end = skipString(bytes, at);
      into.start = at + 1;
      into.end = end - 1;
      return end;
    }
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) return -1;
    const end = skipValue(bytes, at);
    into.start = at;
    into.end = first === N ? at : end;
    if (end < 0 || first === N || first === T || first === F) return end;
    return isPrintedAlike(bytes.toString('latin1', at, end)) ? end : -1;
  }

  /** The same for text that is compared or printed as it stands: declines escapes as well. */
  plainText(at: number, into: Span): number {
    const end = this.text(at, into);
    return end >= 0 && hasEscape(this.bytes, into.start, into.end) ? -1 : end;
  }

  /** The number that a text of up to nine digits is, 0 for an empty one; -1 for any other. */
  numberIn({ start, end }: Span): number {
    if (end - start > 9) return -1;
    let number = 0;
    for (let i = start; i < end; i++) {
      const digit = (this.bytes[i] as number) - ZERO;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  }

  /** Whether a text stands for these bytes and no others. */
  spells({ start, end }: Span, word: Uint8Array): boolean {
    return end - start === word.length && begins(this.bytes, start, word);
  }
}

function isPrintedAlike(number: string): boolean {
  return Math.abs(Number(number)) < 2 ** 53 && String(Number(number)) === number;
}

/** Which of `keys` stands at that place, -1 for none. */
function keyAt(bytes: Uint8Array, at: number, keys: readonly Uint8Array[]): number {
  for (let which = 0; which < keys.length; which++) {
    if (begins(bytes, at, keys[which] as Uint8Array)) return which;
  }
  return -1;
}

function begins(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

/** The place behind a key that nobody asks for; -1 for one that an escape hides, or that may be asked for after all. */
function skipOtherKey(bytes: Buffer, at: number): number {
  const end = skipString(bytes, at);
  if (end < 0 || hasEscape(bytes, at, end)) return -1;
  return bytes[at + 1] === O && KEY_LIKE.test(bytes.toString('latin1', at, end)) ? -1 : end;
}
