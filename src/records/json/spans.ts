/** Positions of texts in a buffer, so that opac need not create a string for each text. */
import { parseJsonLossless } from '../../service/parse-json.js';
import { BACKSLASH } from './bytes.js';

/** The position of a text without its quotes. The text may be empty. */
export class Span {
  start = 0;
  end = 0;

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  clear(): void {
    this.end = this.start;
  }

  set(span: Span): void {
    this.start = span.start;
    this.end = span.end;
  }
}

export class Spans {
  length = 0;
  starts = new Int32Array(INITIAL_CAPACITY);
  ends = new Int32Array(INITIAL_CAPACITY);

  add({ start, end }: Span): void {
    if (this.length === this.starts.length) this.#grow();
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.length++;
  }

  addAll({ starts, ends, length }: Spans): void {
    for (let n = 0; n < length; n++) {
      if (this.length === this.starts.length) this.#grow();
      this.starts[this.length] = starts[n] as number;
      this.ends[this.length] = ends[n] as number;
      this.length++;
    }
  }

  #grow(): void {
    this.starts = larger(this.starts);
    this.ends = larger(this.ends);
  }
}

/** The texts of all lists are in a separate `Spans`: list `n` has `counts[n]` texts from index `firsts[n]`. */
export class NamedLists {
  readonly names = new Spans();
  firsts = new Int32Array(INITIAL_CAPACITY);
  counts = new Int32Array(INITIAL_CAPACITY);

  get length(): number {
    return this.names.length;
  }

  add(name: Span, first: number, count: number): void {
    const { length } = this.names;
    if (length === this.firsts.length) {
      this.firsts = larger(this.firsts);
      this.counts = larger(this.counts);
    }
    this.firsts[length] = first;
    this.counts[length] = count;
    this.names.add(name);
  }

  clear(): void {
    this.names.length = 0;
  }
}

const INITIAL_CAPACITY = 64;

function larger(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

export function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === BACKSLASH) return true;
  return false;
}

export function textAt(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? (parseJsonLossless(`"${text}"`) as string) : text;
}
