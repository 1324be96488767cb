/**
 * Where the records of a JSON file lie, without keeping it in memory: one record a line, an array, a list response, or records
 * one after the other over any number of lines.
 */
import { isUtf8 } from 'node:buffer';
import { UsageError } from '../../service/errors.js';
import { asObject, asText } from '../../service/json.js';
import { KIND_KEYS, KINDS, type Kind, kindOfRecordType, type RecordKind } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { readRecordId, readRecordKind } from '../../service/records/record.js';
import { CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../json/bytes.js';
import { IdScan } from '../json/id-scan.js';
import { createObjectParser, JsonReader, type ValueParser } from '../json/json-reader.js';
import { scanList } from '../json/scan-list.js';
import { skipSpace, skipValue } from '../json/skip-json.js';
import { type DecompressedFile, PIECE } from './decompressed-file.js';
import { sizeOfBom } from './encoding.js';

export interface RecordLocation {
  readonly id: string;
  /** Undefined where the record does not say. */
  readonly kind: RecordKind | undefined;
  /** Whether it says so by its `recordType`, as records of all kinds together do. */
  readonly isTyped: boolean;
  /** In the plain bytes of the file. */
  readonly start: number;
  readonly end: number;
}

/** `bytes` are those of the record. */
export type OnRecord = (place: RecordLocation, bytes: Buffer) => void;

/** Bytes; what goes on for longer is no record. */
const MAX_RECORD = 64 * PIECE;

/** Calls `take` for each record, in order. Throws a UsageError that names the line of what is no record. */
export async function forEachJsonRecord(file: DecompressedFile, take: OnRecord): Promise<void> {
  const scanner = new RecordLocator();
  let size = PIECE;
  let at = sizeOfBom(file.bytes(0, 3));
  let isArray = false;
  let isClosed = false;
  let records = 0;
  while (at < file.size) {
    const window = file.bytes(at, at + size);
    const isLast = at + window.length >= file.size;
    let i = 0;
    for (;;) {
      i = skipSpace(window, i);
      if (i >= window.length) break;
      const byte = window[i];
      if (byte === COMMA || byte === CLOSE_ARRAY || (byte === OPEN_ARRAY && !isArray && records === 0)) {
        isArray ||= byte === OPEN_ARRAY;
        isClosed = byte === CLOSE_ARRAY;
        i++;
        continue;
      }
      if (byte !== OPEN_OBJECT) throw createNotARecordError(file, at + i);
      const found = scanner.scan(window, i);
      if (!found) {
        if (isLast || size >= MAX_RECORD) throw createParseError(file, at + i, isLast);
        break;
      }
      const bytes = window.subarray(i, found.end);
      if (!isUtf8(bytes)) throw createNotARecordError(file, at + i, 'it is not UTF-8');
      if (found.id !== '') take({ ...found, start: at + i, end: at + found.end }, bytes);
      else if (records > 0 || !takeList(bytes, at + i, take))
        throw createNotARecordError(file, at + i, 'it has no id');
      records++;
      isClosed = false;
      i = found.end;
    }
    // A record that does not end in this window is read again with a larger one.
    size = i === 0 ? 2 * size : PIECE;
    at += i;
    await new Promise(setImmediate);
  }
  if (isArray && !isClosed) throw file.cutError(file.size);
}

/** Where one record ends and what it is called; undefined for bytes that hold no whole one. */
class RecordLocator {
  readonly #json = new JsonReader();
  readonly #id = new IdScan(this.#json);
  readonly #record = createObjectParser({
    ...this.#id.parts,
    ...Object.fromEntries(
      KINDS.map((kind): [string, ValueParser] => [KIND_KEYS[kind].fieldSetsKey, (at) => this.#json.skip(at)]),
    ),
  });

  scan(bytes: Buffer, at: number): Omit<RecordLocation, 'start'> | undefined {
    this.#json.setBytes(bytes);
    this.#id.clear();
    const end = this.#json.readMembers(at, this.#record);
    if (end >= 0) {
      const { id, recordType, kind } = this.#id;
      const type = bytes.toString('utf8', recordType.start, recordType.end);
      const text = bytes.toString('utf8', id.start, id.end);
      return { id: text, kind: kindOfRecordType(type) ?? kind, isTyped: type !== '', end };
    }
    const behind = skipValue(bytes, at);
    if (behind < 0) return undefined;
    const raw = asObject(parseJsonLossless(bytes.subarray(at, behind)));
    return {
      id: readRecordId(raw),
      kind: readRecordKind(raw),
      isTyped: asText(raw.recordType) !== '',
      end: behind,
    };
  }
}

/** The records of a whole response of the service, as `opac api` prints it. */
function takeList(bytes: Buffer, start: number, take: OnRecord): boolean {
  const scanner = new RecordLocator();
  const kind = KINDS.find((each: Kind) => bytes.includes(`"${KIND_KEYS[each].listKey}"`));
  const spans = kind && scanList(bytes, kind)?.spans;
  for (const [n, from] of (spans ?? []).entries()) {
    const found = n % 2 === 0 && scanner.scan(bytes, from);
    if (found)
      take({ ...found, start: start + from, end: start + found.end }, bytes.subarray(from, found.end));
  }
  return spans !== undefined;
}

function createNotARecordError(file: DecompressedFile, at: number, why = 'it is no JSON object'): UsageError {
  return new UsageError(
    `"${file.path}" is not an export: line ${file.lineNumberAt(at)} holds no record; ${why}`,
    'give NDJSON, JSON or CSV that opac exported',
  );
}

/** JSON.parse can tell text that ends too early from text that is wrong. */
function createParseError(file: DecompressedFile, at: number, isLast: boolean): UsageError {
  const bytes = file.bytes(at, at + MAX_RECORD);
  const line = bytes.indexOf(0x0a);
  const isCut = isLast && (line < 0 || line >= bytes.length - 1);
  return isCut ? file.cutError(at) : createNotARecordError(file, at, 'its JSON is not right');
}
