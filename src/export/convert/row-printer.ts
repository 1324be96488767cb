/** Prints rows as CSV and TSV. Copies text that is the same in JSON and in the file, and converts other text. */
import type { Dialect } from '../../records/cells/dialect.js';
import { FORMULA_BYTES } from '../../records/cells/excel.js';
import { getEscapedCharacter, type MultiValueRule } from '../../records/cells/multi-value-rule.js';
import type { Row } from '../../records/columns/row.js';
import { BACKSLASH, QUOTE } from '../../records/json/bytes.js';
import { type ColumnTraits, RowTexts } from './row-texts.js';

/** Flags of a byte of JSON text. Without flags, the byte can be copied. */
const NO_FLAGS = 0;
/** The cell needs quotes. */
const QUOTED = 1;
/** The byte is the backslash of an escape. */
const ESCAPE = 2;
/** The value cannot be copied and must be decoded first. */
const MUST_DECODE = 4;

/** Escapes with one character after the backslash, which opac replaces without decoding the value (RFC 8259 section 7). */
const ESCAPES = { '"': '"', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const INITIAL_CAPACITY = 1 << 16;
const MAX_LENGTH = 1 << 22;

export class RowPrinter {
  readonly texts: RowTexts;
  readonly #dialect: Dialect;
  readonly #delimiter: number;
  readonly #lineEnd: Buffer;
  readonly #separator: Buffer | undefined;
  readonly #separatorFlags: number;
  readonly #flagsByByte: Uint8Array;
  readonly #escapeFlags = new Uint8Array(256).fill(MUST_DECODE);
  /** The bytes to write for an escape, by the character after the backslash. */
  readonly #escapes: (Buffer | undefined)[] = [];
  /** By byte: 1 if a value that begins with this byte cannot be copied. */
  readonly #unsafeFirstBytes: Uint8Array;
  #bytes = Buffer.allocUnsafeSlow(INITIAL_CAPACITY);
  #length = 0;

  constructor(dialect: Dialect, multi: MultiValueRule, traits: ColumnTraits) {
    this.texts = new RowTexts(multi, traits);
    this.#dialect = dialect;
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#lineEnd = Buffer.from(dialect.lineEnd);
    const separator = 'separator' in multi ? multi.separator : '';
    const encoded = encodeInCell(dialect, separator);
    const isUnsafe = [...dialect.unsafeCharacters].some((character) => separator.includes(character));
    const isCopied = separator !== '' && encoded.text === separator && !isUnsafe;
    this.#separator = isCopied ? Buffer.from(separator) : undefined;
    this.#separatorFlags = encoded.flags;
    const markup = traits.getTextConverter ? '<&' : '';
    this.#flagsByByte = createFlagTable(dialect, separator, `${markup}${dialect.unsafeCharacters}`);
    for (const [letter, character] of Object.entries(ESCAPES)) {
      if (dialect.unsafeCharacters.includes(character)) continue;
      if (separator !== '' && getEscapedCharacter(separator) === character) continue;
      const { text, flags } = encodeInCell(dialect, character);
      this.#escapes[letter.charCodeAt(0)] = Buffer.from(text);
      this.#escapeFlags[letter.charCodeAt(0)] = flags | ESCAPE;
    }
    this.#unsafeFirstBytes = createStartTable(`${dialect.unsafeFirstCharacters}\\`);
  }

  /** Yields some of the bytes early, because the rows of a record can be far larger than the record. */
  *add(row: Row): Generator<Buffer> {
    const lines = this.texts.countRows(row);
    for (let line = 0; line < lines; line++) {
      this.#writeLine(row, line);
      if (this.#length > MAX_LENGTH) yield this.take();
    }
  }

  /** Returns the bytes that were added since the last call, except bytes that `add` yielded. */
  take(): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return bytes;
  }

  #writeLine(row: Row, line: number): void {
    const { width } = row;
    const start = this.#length;
    for (let column = 0; column < width; column++) {
      if (column > 0) this.#writeByte(this.#delimiter);
      this.#writeCell(row, column, line);
    }
    if (this.#length === start) this.#writeText(this.#dialect.emptyLine);
    this.#reserve(this.#lineEnd.length);
    this.#copy(this.#lineEnd, 0, this.#lineEnd.length);
  }

  #writeCell(row: Row, column: number, line: number): void {
    if (row.texts[column] === undefined && !this.texts.isArray(column)) {
      let first = row.firsts[column] as number;
      let count = row.counts[column] as number;
      if (this.texts.hasRowPerValue(column)) {
        first += line;
        count = line < count ? 1 : 0;
      }
      if (count === 0 || this.#copyValues(row, first, count)) return;
    }
    const text = this.texts.format(row, column, line);
    if (text !== '') this.#writeText(this.#dialect.formatCell(text));
  }

  /** Returns false if the values cannot be copied. */
  #copyValues({ bytes, values }: Row, first: number, count: number): boolean {
    const { starts, ends } = values;
    if (count > 1 && !this.#separator) return false;
    const start = starts[first] as number;
    if (this.#unsafeFirstBytes[bytes[start] as number] === 1) return false;
    let flags = count > 1 ? this.#separatorFlags : NO_FLAGS;
    let size = 2;
    for (let n = first; n < first + count; n++) {
      const from = starts[n] as number;
      const to = ends[n] as number;
      if (from === to) return false;
      flags |= this.#collectFlags(bytes, from, to);
      size += to - from;
    }
    if (flags & MUST_DECODE) return false;
    this.#reserve(size + count * (this.#separator?.length ?? 0));
    if (flags & QUOTED) this.#bytes[this.#length++] = QUOTE;
    for (let n = first; n < first + count; n++) {
      if (n > first && this.#separator) this.#copy(this.#separator, 0, this.#separator.length);
      if (flags & ESCAPE) this.#copyEscaped(bytes, starts[n] as number, ends[n] as number);
      else this.#copy(bytes, starts[n] as number, ends[n] as number);
    }
    if (flags & QUOTED) this.#bytes[this.#length++] = QUOTE;
    return true;
  }

  #collectFlags(bytes: Buffer, start: number, end: number): number {
    const byByte = this.#flagsByByte;
    let flags = NO_FLAGS;
    for (let i = start; i < end; i++) {
      const flag = byByte[bytes[i] as number] as number;
      if (flag === ESCAPE) flags |= this.#escapeFlags[bytes[++i] as number] as number;
      else flags |= flag;
    }
    return flags;
  }

  #writeText(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  #writeByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  #copy(from: Uint8Array, start: number, end: number): void {
    const to = this.#bytes;
    let length = this.#length;
    for (let i = start; i < end; i++) to[length++] = from[i] as number;
    this.#length = length;
  }

  /** The replacement is never longer than the escape. */
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

function createFlagTable(dialect: Dialect, separator: string, unsafe: string): Uint8Array {
  const flags = new Uint8Array(256);
  flags[dialect.delimiter.charCodeAt(0)] = QUOTED;
  // Quotes, tabs and line breaks need no flags here, because JSON always escapes them.
  flags[BACKSLASH] = ESCAPE;
  if (separator !== '') flags[Buffer.from(getEscapedCharacter(separator))[0] as number] = MUST_DECODE;
  for (const byte of Buffer.from(unsafe)) flags[byte] = MUST_DECODE;
  return flags;
}

function encodeInCell(
  { formatCell }: Dialect,
  text: string,
): { readonly text: string; readonly flags: number } {
  const cell = formatCell(`x${text}`);
  return cell.startsWith('"')
    ? { text: cell.slice(2, -1), flags: QUOTED }
    : { text: cell.slice(1), flags: NO_FLAGS };
}

function createStartTable(characters: string): Uint8Array {
  const starts = new Uint8Array(256);
  for (const byte of FORMULA_BYTES) starts[byte] = 1;
  for (const character of characters) starts[character.charCodeAt(0)] = 1;
  return starts;
}
