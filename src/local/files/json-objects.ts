/** Finds the JSON objects of a text in pieces: one a line, in an array, or one after the other. Nothing is parsed. */

export interface FoundObject {
  readonly bytes: Buffer;
  /** Of its first byte, from 1. */
  readonly line: number;
}

/** Text that is no list of JSON objects; `line` is where it stops being one. */
export class NotObjects extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const [LINE_FEED, QUOTE, BACKSLASH, OPEN, CLOSE] = [0x0a, 0x22, 0x5c, 0x7b, 0x7d];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** 1 for a byte that is passed over: in a string, within an object, and between objects. */
const IN_STRING = bytesWithout('"\\\n');
const IN_OBJECT = bytesWithout('"{}\n');
const BETWEEN = new Uint8Array(256);
for (const byte of Buffer.from(' \t\r,[]')) BETWEEN[byte] = 1;

function bytesWithout(special: string): Uint8Array {
  const table = new Uint8Array(256).fill(1);
  for (const byte of Buffer.from(special)) table[byte] = 0;
  return table;
}

export class ObjectFinder {
  #line = 1;
  #lineOfBegin = 1;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isFirst = true;
  /** The pieces of an object that began before this one. */
  #begun: Buffer[] = [];

  /** The objects that end in this piece. Throws a NotObjects. */
  next(piece: Buffer): FoundObject[] {
    const found: FoundObject[] = [];
    const { length } = piece;
    // Locals, as this looks at every byte.
    let depth = this.#depth;
    let inString = this.#inString;
    let begin = 0;
    let i = this.#isFirst && piece.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : Number(this.#isEscaped);
    this.#isFirst = false;
    while (i < length) {
      const passed = inString ? IN_STRING : depth > 0 ? IN_OBJECT : BETWEEN;
      while (i < length && passed[piece[i] as number] === 1) i++;
      if (i >= length) break;
      const byte = piece[i++];
      if (byte === QUOTE && depth > 0) inString = !inString;
      else if (byte === BACKSLASH && inString) i++;
      else if (byte === LINE_FEED) {
        if (inString) throw this.#cutOff();
        this.#line++;
      } else if (byte === OPEN) {
        if (depth++ > 0) continue;
        begin = i - 1;
        this.#lineOfBegin = this.#line;
      } else if (byte === CLOSE && depth > 0) {
        if (--depth > 0) continue;
        found.push({
          bytes: this.#whole(piece.subarray(begin, i)),
          line: this.#lineOfBegin,
        });
        begin = 0;
      } else throw new NotObjects(this.#line, 'no JSON object');
    }
    if (depth > 0) this.#begun.push(piece.subarray(begin));
    this.#depth = depth;
    this.#inString = inString;
    this.#isEscaped = i > length;
    return found;
  }

  /** Throws a NotObjects when the text ended within an object. */
  end(): void {
    if (this.#depth > 0) throw this.#cutOff();
  }

  #whole(end: Buffer): Buffer {
    if (this.#begun.length === 0) return end;
    const bytes = Buffer.concat([...this.#begun, end]);
    this.#begun = [];
    return bytes;
  }

  #cutOff(): NotObjects {
    return new NotObjects(this.#lineOfBegin, 'the JSON object has no end');
  }
}
