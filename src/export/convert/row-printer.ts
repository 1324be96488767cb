/**
 * Prints rows as CSV and TSV in bytes. Copies text that is the same in JSON and in the file; all other goes through the
 * dialect and the rule for several values.
 */

import type { Dialect } from '../../records/cells/delimited.js';
import { beginsFormula, FORMULA_BYTES } from '../../records/cells/formula.js';
import { type Cell, cellPrinter, type MultiRule, markOf, withoutEmpty } from '../../records/cells/multi.js';
import type { Row } from '../../records/columns/row.js';
import { BACKSLASH, QUOTE } from '../../records/json/bytes.js';

/** What a byte of JSON text requires, in bits: quotes, an escape replaced, or conversion to text. */
const PLAIN = 0;
const QUOTED = 1;
const ESCAPE = 2;
const TEXT = 4;

/** One-character escapes that need no conversion to text (RFC 8259 section 7). */
const ESCAPES = { '"': '"', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const FIRST_SIZE = 1 << 16;

/** What is known of columns by their numbers. */
export interface ColumnKinds {
  /** Whether it can have several values. */
  readonly isList: (column: number) => boolean;
  /** Whether it has a line for each, under the rule `rows`. */
  readonly isSplit: (column: number) => boolean;
  /** What becomes of its values, which may hold HTML; nothing where there is none. */
  readonly plainOf?: ((column: number) => ((text: string) => string) | undefined) | undefined;
}

export class RowPrinter {
  readonly #dialect: Dialect;
  readonly #print: (cell: Cell, isList: boolean) => string;
  readonly #rule: MultiRule['rule'];
  readonly #isList: (column: number) => boolean;
  readonly #isSplit: ((column: number) => boolean) | undefined;
  readonly #plainOf: ColumnKinds['plainOf'];
  readonly #delimiter: number;
  readonly #lineEnd: Buffer;
  readonly #joint: Buffer | undefined;
  readonly #jointAsks: number;
  readonly #asks: Uint8Array;
  readonly #escapeAsks = new Uint8Array(256).fill(TEXT);
  /** Replacements in the file, by the character after a backslash. */
  readonly #escapes: (Buffer | undefined)[] = [];
  /** 1 for bytes that make a cell text when first in it. */
  readonly #starts: Uint8Array;
  #bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #length = 0;
  /** So far: cells that begin like formulas, and rows. */
  formulas = 0;
  rows = 0;

  constructor(dialect: Dialect, multi: MultiRule, { isList, isSplit, plainOf }: ColumnKinds) {
    this.#dialect = dialect;
    this.#print = cellPrinter(multi);
    this.#rule = multi.rule;
    this.#isList = isList;
    this.#isSplit = multi.rule === 'rows' ? isSplit : undefined;
    this.#plainOf = plainOf;
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#lineEnd = Buffer.from(dialect.lineEnd);
    const separator = 'separator' in multi ? multi.separator : '';
    const joint = inCell(dialect, separator);
    this.#joint = separator === '' || joint.text !== separator ? undefined : Buffer.from(separator);
    this.#jointAsks = joint.asks;
    this.#asks = asksOf(dialect, separator, plainOf ? '<&' : '');
    for (const [letter, character] of Object.entries(ESCAPES)) {
      if (separator !== '' && markOf(separator) === character) continue;
      const { text, asks } = inCell(dialect, character);
      this.#escapes[letter.charCodeAt(0)] = Buffer.from(text);
      this.#escapeAsks[letter.charCodeAt(0)] = asks | ESCAPE;
    }
    this.#starts = startsOf(`${dialect.starts}\\`);
  }

  add(row: Row): void {
    const height = this.#isSplit ? heightOf(row, this.#isSplit) : 1;
    for (let line = 0; line < height; line++) this.#line(row, line);
    this.rows += height;
  }

  /** The bytes of the rows since the last call. */
  take(): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return bytes;
  }

  #line(row: Row, line: number): void {
    const { width } = row;
    const start = this.#length;
    for (let column = 0; column < width; column++) {
      if (column > 0) this.#put(this.#delimiter);
      this.#cell(row, column, line);
    }
    if (this.#length === start) this.#text(this.#dialect.emptyLine);
    this.#reserve(this.#lineEnd.length);
    this.#copy(this.#lineEnd, 0, this.#lineEnd.length);
  }

  #cell(row: Row, column: number, line: number): void {
    const isSplit = this.#isSplit?.(column) ?? false;
    const text = row.texts[column];
    if (text !== undefined) {
      this.#printed(isSplit ? ([text].flat()[line] ?? '') : text, row, column);
      return;
    }
    let first = row.firsts[column] as number;
    let count = row.counts[column] as number;
    if (isSplit) {
      first += line;
      count = line < count ? 1 : 0;
    }
    if (count === 0) return;
    const isArray = this.#rule === 'json' && this.#isList(column);
    if (isArray || !this.#copied(row, first, count)) this.#printed(row.cellAt(first, count), row, column);
  }

  /** Returns false when the values must become text. */
  #copied({ bytes, values }: Row, first: number, count: number): boolean {
    const { starts, ends } = values;
    if (count > 1 && !this.#joint) return false;
    const start = starts[first] as number;
    if (this.#starts[bytes[start] as number] === 1) return false;
    let asks = count > 1 ? this.#jointAsks : PLAIN;
    let size = 2;
    for (let n = first; n < first + count; n++) {
      const from = starts[n] as number;
      const to = ends[n] as number;
      if (from === to) return false;
      asks |= this.#asked(bytes, from, to);
      size += to - from;
    }
    if (asks & TEXT) return false;
    this.#reserve(size + count * (this.#joint?.length ?? 0));
    if (asks & QUOTED) this.#bytes[this.#length++] = QUOTE;
    for (let n = first; n < first + count; n++) {
      if (n > first && this.#joint) this.#copy(this.#joint, 0, this.#joint.length);
      if (asks & ESCAPE) this.#copyEscaped(bytes, starts[n] as number, ends[n] as number);
      else this.#copy(bytes, starts[n] as number, ends[n] as number);
    }
    if (asks & QUOTED) this.#bytes[this.#length++] = QUOTE;
    return true;
  }

  #asked(bytes: Buffer, start: number, end: number): number {
    const byByte = this.#asks;
    let asks = PLAIN;
    for (let i = start; i < end; i++) {
      const asked = byByte[bytes[i] as number] as number;
      if (asked === ESCAPE) asks |= this.#escapeAsks[bytes[++i] as number] as number;
      else asks |= asked;
    }
    return asks;
  }

  #printed(found: Cell, row: Row, column: number): void {
    const plain = this.#plainOf?.(column);
    const cell = plain ? (typeof found === 'string' ? plain(found) : found.map(plain)) : found;
    const isJoined = this.#rule === 'join' || this.#rule === 'rows';
    const said = isJoined ? withoutEmpty(cell, countsBeside(row, column)) : cell;
    const text = this.#print(said, this.#isList(column));
    if (text === '') return;
    if (beginsFormula(text)) this.formulas++;
    this.#text(this.#dialect.cell(text));
  }

  #text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  #put(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  #copy(from: Uint8Array, start: number, end: number): void {
    const to = this.#bytes;
    let length = this.#length;
    for (let i = start; i < end; i++) to[length++] = from[i] as number;
    this.#length = length;
  }

  /** Replacements are never longer than their escapes. */
  #copyEscaped(from: Uint8Array, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const byte = from[i] as number;
      const written = byte === BACKSLASH ? this.#escapes[from[++i] as number] : undefined;
      if (written) this.#copy(written, 0, written.length);
      else this.#bytes[this.#length++] = byte;
    }
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** The numbers of values in the other cells. */
function* countsBeside(row: Row, column: number): Generator<number> {
  for (let other = 0; other < row.width; other++) if (other !== column) yield countOf(row, other);
}

function countOf(row: Row, column: number): number {
  const text = row.texts[column];
  return text === undefined ? (row.counts[column] as number) : [text].flat().length;
}

function heightOf(row: Row, isSplit: (column: number) => boolean): number {
  let height = 1;
  for (let column = 0; column < row.width; column++) {
    if (!isSplit(column)) continue;
    height = Math.max(height, countOf(row, column));
  }
  return height;
}

function asksOf(dialect: Dialect, separator: string, markup: string): Uint8Array {
  const asks = new Uint8Array(256);
  asks[dialect.delimiter.charCodeAt(0)] = QUOTED;
  // JSON text escapes every quote, tab and line break.
  asks[BACKSLASH] = ESCAPE;
  if (separator !== '') asks[Buffer.from(markOf(separator))[0] as number] = TEXT;
  for (const byte of Buffer.from(markup)) asks[byte] = TEXT;
  return asks;
}

function inCell({ cell }: Dialect, text: string): { readonly text: string; readonly asks: number } {
  const whole = cell(`x${text}`);
  return whole.startsWith('"')
    ? { text: whole.slice(2, -1), asks: QUOTED }
    : { text: whole.slice(1), asks: PLAIN };
}

function startsOf(characters: string): Uint8Array {
  const starts = new Uint8Array(256);
  for (const byte of FORMULA_BYTES) starts[byte] = 1;
  for (const character of characters) starts[character.charCodeAt(0)] = 1;
  return starts;
}
