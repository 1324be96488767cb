/**
 * Finds the records of a list answer in its bytes, without parsing them: where each begins and ends, its id, and the
 * total. Whatever is out of the ordinary makes it decline, and the parser decides; where it does not, the two agree.
 */

import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../client/errors/parse-json.js';
import { asObject } from '../../service/json.js';
import { KIND_WORDS, type Kind, RECORD_KINDS } from '../../service/kinds.js';
import { ID_KEYS } from '../../service/records/record.js';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  N,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  ZERO,
} from './bytes.js';
import { identityOf } from './identity.js';
import { skipSpace, skipString, skipValue } from './skip-json.js';

/** The list of an answer as places in its bytes. */
export interface ScannedList {
  /** Start of record n at 2n, its end at 2n + 1. */
  readonly spans: readonly number[];
  /** In step with the records, as `identityOf` gives them; undefined for a record without one. */
  readonly ids: readonly (string | undefined)[];
  readonly total: number;
  /** Whether line breaks stand between the parts of the answer, so that a record may span lines. */
  readonly lineBreaks: boolean;
}

/**
 * From the `{` of a record to the place behind its `}`, with its id put to the others; -1 to decline.
 */
export type ScanRecord = (bytes: Buffer, at: number, ids: (string | undefined)[]) => number;

/** The keys of the list and of the total. */
const LIST_KEYS: Readonly<Record<Kind, readonly Buffer[]>> = {
  objects: listKeys('objects'),
  persons: listKeys('persons'),
  venues: listKeys('venues'),
  records: listKeys('records'),
};

function listKeys(kind: Kind): readonly Buffer[] {
  return [KIND_WORDS[kind].listKey, KIND_WORDS[kind].totalKey].map((key) => Buffer.from(key));
}

/** Keys of a record that are read. */
const RECORD_KEYS = [...ID_KEYS, 'recordType'].map((key) => Buffer.from(key));
const RECORD_TYPE = ID_KEYS.length;

const NO_MATCH = -1;

/**
 * Scans the answer to a search of that kind. Gives undefined when the bytes are not right JSON, not UTF-8, not an object,
 * or spelt in a way that needs a parser: no list or no total under its name, one of them twice, an escape in a key of the answer. An odd
 * record alone is parsed for its id, so that how a record is passed on never depends on the page it came in. `scanRecord` is
 * called for each record, in order, also for those of a page that is declined in the end.
 */
export function scanList(
  bytes: Buffer,
  kind: Kind,
  scanRecord: ScanRecord = recordScanner(kind),
): ScannedList | undefined {
  if (!isUtf8(bytes)) return undefined;
  const keys = LIST_KEYS[kind];
  const spans: number[] = [];
  const ids: (string | undefined)[] = [];
  const seen = [false, false];
  let total: number | undefined;
  let i = skipSpace(bytes, 0);
  if (bytes[i] !== OPEN_OBJECT) return undefined;
  i = skipSpace(bytes, i + 1);
  for (;;) {
    const keyStart = i + 1;
    const keyEnd = skipString(bytes, i) - 1;
    if (keyEnd < 0) return undefined;
    const which = keyIndex(bytes, keyStart, keyEnd, keys);
    if (which === undefined) return undefined;
    i = skipSpace(bytes, keyEnd + 1);
    if (bytes[i] !== COLON) return undefined;
    i = skipSpace(bytes, i + 1);
    const valueStart = i;
    if (which !== NO_MATCH) {
      if (seen[which]) return undefined;
      seen[which] = true;
    }
    i = which === 0 ? scanRecords(bytes, i, scanRecord, spans, ids) : skipValue(bytes, i);
    if (i < 0) return undefined;
    if (which === 1) {
      total = plainInteger(bytes, valueStart, i);
      if (total === undefined) return undefined;
    }
    i = skipSpace(bytes, i);
    if (bytes[i] === CLOSE_OBJECT) {
      i++;
      break;
    }
    if (bytes[i] !== COMMA) return undefined;
    i = skipSpace(bytes, i + 1);
  }
  if (skipSpace(bytes, i) !== bytes.length) return undefined;
  // A string holds no raw line break (RFC 8259 section 7), so any that is left stands outside.
  if (!seen[0] || total === undefined) return undefined;
  return { spans, ids, total, lineBreaks: bytes.includes(0x0a) || bytes.includes(0x0d) };
}

/** From the `[` of the list to the place behind its `]`; -1 to decline. */
function scanRecords(
  bytes: Buffer,
  at: number,
  scanRecord: ScanRecord,
  spans: number[],
  ids: (string | undefined)[],
): number {
  if (bytes[at] !== OPEN_ARRAY) return -1;
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === CLOSE_ARRAY) return i + 1;
  for (;;) {
    const start = i;
    const isRecord = bytes[i] === OPEN_OBJECT;
    i = isRecord ? scanRecord(bytes, i, ids) : skipValue(bytes, i);
    if (i < 0) return -1;
    if (isRecord) spans.push(start, i);
    i = skipSpace(bytes, i);
    if (bytes[i] === CLOSE_ARRAY) return i + 1;
    if (bytes[i] !== COMMA) return -1;
    i = skipSpace(bytes, i + 1);
  }
}

/** Takes nothing but the id of each record. */
export function recordScanner(kind: Kind): ScanRecord {
  return (bytes, at, ids) => scanRecord(bytes, at, kind, ids);
}

function scanRecord(bytes: Buffer, at: number, kind: Kind, ids: (string | undefined)[]): number {
  /** The best id so far, and its place in ID_KEYS. */
  let id = '';
  let rank = ID_KEYS.length;
  let recordType = '';
  let isOdd = false;
  /** One bit for each of RECORD_KEYS. */
  let seen = 0;
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === CLOSE_OBJECT) {
    ids.push(undefined);
    return i + 1;
  }
  for (;;) {
    const keyStart = i + 1;
    const keyEnd = skipString(bytes, i) - 1;
    if (keyEnd < 0) return -1;
    const which = keyIndex(bytes, keyStart, keyEnd, RECORD_KEYS);
    i = skipSpace(bytes, keyEnd + 1);
    if (bytes[i] !== COLON) return -1;
    i = skipSpace(bytes, i + 1);
    const valueStart = i;
    i = skipValue(bytes, i);
    if (i < 0) return -1;
    if (which !== NO_MATCH && !isOdd) {
      const text = which === undefined || seen & (1 << which) ? undefined : plainText(bytes, valueStart, i);
      if (which === undefined || text === undefined) isOdd = true;
      else {
        seen |= 1 << which;
        if (which === RECORD_TYPE) recordType = text;
        else if (text !== '' && which < rank) {
          id = text;
          rank = which;
        }
      }
    }
    i = skipSpace(bytes, i);
    if (bytes[i] === CLOSE_OBJECT) break;
    if (bytes[i] !== COMMA) return -1;
    i = skipSpace(bytes, i + 1);
  }
  if (isOdd) ids.push(identityOf(asObject(parseJson(bytes.subarray(at, i + 1))), kind));
  else if (id === '' || kind !== 'records') ids.push(id || undefined);
  else ids.push(`${recordType || (RECORD_KINDS.find((_, n) => seen & (1 << n)) ?? '')}:${id}`);
  return i + 1;
}

/** Which of `keys` stands between the places, NO_MATCH for none, undefined when an escape hides what it says. */
function keyIndex(bytes: Buffer, start: number, end: number, keys: readonly Buffer[]): number | undefined {
  const length = end - start;
  for (let which = 0; which < keys.length; which++) {
    const key = keys[which] as Buffer;
    if (key.length === length && key[0] === bytes[start] && bytes.compare(key, 0, length, start, end) === 0)
      return which;
  }
  for (let i = start; i < end; i++) if (bytes[i] === BACKSLASH) return undefined;
  return NO_MATCH;
}

/** A number without sign, fraction or exponent that is exact as a double; undefined for anything else. */
function plainInteger(bytes: Buffer, start: number, end: number): number | undefined {
  if (end - start > 15) return undefined;
  let number = 0;
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

/** The text of a value: text without escapes, a plain integer, `''` for null; undefined for what needs a parser. */
function plainText(bytes: Buffer, start: number, end: number): string | undefined {
  if (bytes[start] === QUOTE) {
    for (let i = start + 1; i < end - 1; i++) if (bytes[i] === BACKSLASH) return undefined;
    return bytes.toString('utf8', start + 1, end - 1);
  }
  if (end - start === 4 && bytes[start] === N) return '';
  return plainInteger(bytes, start, end) === undefined ? undefined : bytes.toString('latin1', start, end);
}
