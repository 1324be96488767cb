/** Positions of texts in bytes, as numbers to avoid allocation. */
import { parseJsonLossless } from '../../service/parse-json.js';
import { BACKSLASH } from './bytes.js';

/** A text without its quotes. It may be empty. */
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
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  add({ start, end }: Span): void {
    this.addPosition(start, end);
  }

  addPosition(start: number, end: number): void {
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.length++;
  }
}

/** Named lists: list `n` has `counts[n]` texts, which begin at `firsts[n]` of other spans. */
export class NamedLists {
  readonly names = new Spans();
  readonly firsts: number[] = [];
  readonly counts: number[] = [];

  get length(): number {
    return this.names.length;
  }

  add(name: Span, first: number, count: number): void {
    this.firsts[this.length] = first;
    this.counts[this.length] = count;
    this.names.add(name);
  }

  clear(): void {
    this.names.length = 0;
  }
}

export function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === BACKSLASH) return true;
  return false;
}

export function textAt(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? (parseJsonLossless(`"${text}"`) as string) : text;
}
