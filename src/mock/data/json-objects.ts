/** Finds the JSON objects of a text in pieces: one a line, in an array, or one after the other. Nothing is parsed. */

export interface FoundObject {
  readonly bytes: Buffer;
  /** Where it begins, from 1. */
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

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c];
const [OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN, CLOSE] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** What may stand between objects. */
const BETWEEN = new Set([TAB, LINE_FEED, RETURN, SPACE, COMMA, OPEN_ARRAY, CLOSE_ARRAY]);

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
    let begin = 0;
    let i = this.#isFirst && piece.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    this.#isFirst = false;
    for (; i < piece.length; i++) {
      const byte = piece[i] as number;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#inString = false;
        else if (byte === LINE_FEED) throw this.#cutOff();
      } else if (byte === LINE_FEED) this.#line++;
      else if (byte === QUOTE && this.#depth > 0) this.#inString = true;
      else if (byte === OPEN) {
        if (this.#depth++ > 0) continue;
        begin = i;
        this.#lineOfBegin = this.#line;
      } else if (byte === CLOSE && this.#depth > 0) {
        if (--this.#depth > 0) continue;
        const rest = piece.subarray(begin, i + 1);
        const bytes = this.#begun.length === 0 ? rest : Buffer.concat([...this.#begun, rest]);
        found.push({ bytes, line: this.#lineOfBegin });
        this.#begun = [];
        begin = 0;
      } else if (this.#depth === 0 && !BETWEEN.has(byte)) throw new NotObjects(this.#line, 'no JSON object');
    }
    if (this.#depth > 0) this.#begun.push(piece.subarray(begin));
    return found;
  }

  /** Throws a NotObjects when the text ended within an object. */
  end(): void {
    if (this.#depth > 0) throw this.#cutOff();
  }

  #cutOff(): NotObjects {
    return new NotObjects(this.#lineOfBegin, 'the JSON object has no end');
  }
}
