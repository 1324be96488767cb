/** Reads JSON text that arrives in pieces: one record per line, an array, list responses, or records without separators. */
import { UsageError } from '../../service/errors.js';
import { CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../json/bytes.js';
import { IdentityScanner, type RecordIdentity } from '../json/id-scan.js';
import { sizeOfBom } from './encoding.js';
import { type ByteSource, MAX_ITEM_BYTES, MAX_ITEMS, readPieces } from './read-pieces.js';

export interface FoundRecord extends Omit<RecordIdentity, 'items' | 'isReadable'> {
  readonly bytes: Buffer;
  /** The position in the text; `end` is the position after the record. */
  readonly start: number;
  /** Counted from 1. */
  readonly line: number;
}

const LINE_FEED = 0x0a;
const SPACE = new Set(Buffer.from(' \t\r\n'));

export async function* readJson(pieces: ByteSource, path: string): AsyncGenerator<readonly FoundRecord[]> {
  const reader = new JsonRecordReader(path);
  yield* readPieces(pieces, (bytes, start, isLast) => reader.read(bytes, start, isLast));
}

class JsonRecordReader {
  readonly #path: string;
  readonly #scanner = new IdentityScanner();
  #line = 1;
  #isFirst = true;
  #isArray = false;
  #isClosed = false;
  /** The rest of a list response for the next call of `read`, which returns at most MAX_ITEMS records. */
  #list: { readonly records: Iterator<FoundRecord>; readonly length: number } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  read(bytes: Buffer, start: number, isLast: boolean) {
    const items: FoundRecord[] = [];
    let at = start === 0 ? sizeOfBom(bytes) : 0;
    for (;;) {
      at = this.#skipSeparators(bytes, at);
      if (at === bytes.length) break;
      if (bytes[at] !== OPEN_OBJECT) throw this.#createError('it is not a JSON object');
      const list = this.#list ?? this.#scan(bytes, at, start, isLast);
      if (!list) break;
      for (let next = list.records.next(); !next.done; next = list.records.next()) {
        items.push(next.value);
        if (items.length < MAX_ITEMS) continue;
        this.#list = list;
        return { items, end: at, isFull: true };
      }
      this.#list = undefined;
      this.#isFirst = false;
      this.#isClosed = false;
      this.#line += countLineFeeds(bytes, at, at + list.length);
      at += list.length;
    }
    if (isLast && this.#isArray && !this.#isClosed) throw createCutFileError(this.#path, this.#line);
    return { items, end: at };
  }

  /** Returns undefined if the bytes end within the record. */
  #scan(bytes: Buffer, at: number, start: number, isLast: boolean) {
    const found = this.#scanner.scan(bytes, at);
    if (!found && (isLast || bytes.length - at > MAX_ITEM_BYTES))
      throw this.#createParseError(bytes.subarray(at), isLast);
    return found && { records: this.#findRecords(bytes, at, start, found), length: found.end - at };
  }

  #skipSeparators(bytes: Buffer, from: number): number {
    for (let at = from; ; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === LINE_FEED) this.#line++;
      if (SPACE.has(byte)) continue;
      const isOpening = byte === OPEN_ARRAY && this.#isFirst && !this.#isArray;
      if (byte !== COMMA && byte !== CLOSE_ARRAY && !isOpening) return at;
      this.#isArray ||= isOpening;
      this.#isClosed = byte === CLOSE_ARRAY;
    }
  }

  *#findRecords(bytes: Buffer, at: number, start: number, found: RecordIdentity): Generator<FoundRecord> {
    if (found.id === '' && !found.items) throw this.#createError('it has no id');
    if (found.id !== '') return yield createFoundRecord(bytes, at, start, found, this.#line);
    let line = this.#line;
    let from = at;
    for (const position of found.items ?? []) {
      line += countLineFeeds(bytes, from, position);
      from = position;
      const record = this.#scanner.scan(bytes, position);
      if (!record || record.id === '') throw createInvalidRecordError(this.#path, line, 'it has no id');
      yield createFoundRecord(bytes, position, start, record, line);
    }
  }

  #createError(reason: string): UsageError {
    return createInvalidRecordError(this.#path, this.#line, reason);
  }

  /** If the invalid record is on the last line and does not end with `}`, returns the error for an incomplete file. */
  #createParseError(rest: Buffer, isLast: boolean): UsageError {
    const text = rest.toString('latin1').trimEnd();
    const isOneLine = !text.includes('\n');
    if (!isLast)
      return this.#createError(
        isOneLine ? 'it is larger than 64 MB' : 'its JSON is invalid or larger than 64 MB',
      );
    const isCut = isOneLine && !text.endsWith('}');
    return isCut ? createCutFileError(this.#path, this.#line) : this.#createError('its JSON is invalid');
  }
}

function createFoundRecord(
  bytes: Buffer,
  at: number,
  start: number,
  { id, kind, recordType, end }: RecordIdentity,
  line: number,
): FoundRecord {
  return { id, kind, recordType, bytes: bytes.subarray(at, end), start: start + at, end: start + end, line };
}

function countLineFeeds(bytes: Buffer, from: number, end: number): number {
  let count = 0;
  // Searching all bytes for each record would take quadratic time.
  const part = bytes.subarray(from, end);
  for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

const USE_EXPORT = 'use a file that opac exported as NDJSON or JSON';

export function createInvalidRecordError(path: string, line: number, reason: string): UsageError {
  const isTable = /\.(csv|tsv|xlsx|parquet)(\.(gz|zst))?$/i.test(path);
  const isReport = /\.(html?|md|svg)$/i.test(path);
  const other = isReport ? 'a report does not contain records; use the export' : USE_EXPORT;
  return new UsageError(
    `invalid record in "${path}", line ${line}: ${reason}`,
    isTable ? 'a table does not contain complete records; export them as .ndjson' : other,
  );
}

export function createCutFileError(path: string, line: number): UsageError {
  return new UsageError(
    `"${path}" is incomplete: it ends in line ${line}, within a record`,
    'export it again, or check it with: opac verify',
  );
}
