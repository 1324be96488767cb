/** Finds the JSON objects of a text that comes in pieces: one per line, in an array, or one after the other. */
import { skipValue } from '../../records/json/skip-json.js';

export interface FoundObject {
  readonly bytes: Buffer;
  /** Of its first byte, from 1. */
  readonly line: number;
}

/** Text that is not a list of valid JSON objects; `line` is where it stops being one. */
export class NotObjects extends Error {
  readonly line: number;

  constructor(line: number) {
    super(`no valid JSON object in line ${line}`);
    this.line = line;
  }
}

const [LINE_FEED, OPEN] = [0x0a, 0x7b];
const BETWEEN = new Set(Buffer.from(' \t\r\n,[]'));
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** A longer object is refused: a response with all its records is not longer. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

export class ObjectFinder {
  #line = 1;
  #isFirst = true;
  #pieces: Buffer[] = [];
  #length = 0;
  /** An object that has no end yet is not looked at again before its length has doubled. */
  #minLength = 0;

  /** The objects that end in this piece. Throws a NotObjects. */
  next(piece: Buffer): FoundObject[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this.#length < this.#minLength ? [] : this.#find();
  }

  /** The last objects. Throws a NotObjects when the text ends within an object. */
  end(): FoundObject[] {
    const found = this.#find();
    if (this.#length > 0) throw new NotObjects(this.#line);
    return found;
  }

  #find(): FoundObject[] {
    const text = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    const found: FoundObject[] = [];
    let begin = this.#isFirst && text.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    for (;;) {
      begin = this.#skipBetween(text, begin);
      const end = begin < text.length ? skipValue(text, begin) : -1;
      if (end < 0) break;
      const bytes = text.subarray(begin, end);
      found.push({ bytes, line: this.#line });
      this.#line += countLineFeeds(bytes);
      begin = end;
    }
    this.#keep(text.subarray(begin));
    return found;
  }

  /** The beginning of the next object, or the end of the text. */
  #skipBetween(text: Buffer, from: number): number {
    let i = from;
    for (; BETWEEN.has(text[i] as number); i++) if (text[i] === LINE_FEED) this.#line++;
    if (i < text.length && text[i] !== OPEN) throw new NotObjects(this.#line);
    return i;
  }

  #keep(rest: Buffer): void {
    if (rest.length > MAX_OBJECT_BYTES) throw new NotObjects(this.#line);
    this.#isFirst = false;
    this.#pieces = [rest];
    this.#length = rest.length;
    this.#minLength = 2 * rest.length;
  }
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
