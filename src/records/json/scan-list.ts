/**
 * Finds the records, ids and total of a list response in its bytes without parsing. Declines unusual spellings, which the
 * parser then reads; otherwise the two agree.
 */
import { isUtf8 } from 'node:buffer';
import { asObject } from '../../service/json.js';
import { KIND_KEYS, KINDS, type Kind } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { readRecordKey } from '../../service/records/record-key.js';
import { IdScan } from './id-scan.js';
import { createObjectParser, JsonReader, type ValueParser } from './json-reader.js';
import { skipSpace, skipValue } from './skip-json.js';
import { Span } from './spans.js';

export interface ScannedList {
  readonly spans: readonly number[];
  readonly ids: readonly (string | undefined)[];
  readonly total: number;
  /** Whether there is whitespace with line breaks, so that a record may span lines. */
  readonly lineBreaks: boolean;
}

/** Takes the start of a record, adds its id to `ids` and returns its end; -1 to decline. */
type ScanRecord = (bytes: Buffer, at: number, ids: (string | undefined)[]) => number;

/** At most as many digits as a number holds exactly. */
const TOTAL = /^\d{1,15}$/;

/**
 * Returns undefined for invalid JSON or UTF-8, and for what needs a parser: no list or total under its name, one of them
 * twice, an escaped key.
 */
export function scanList(bytes: Buffer, kind: Kind): ScannedList | undefined {
  if (!isUtf8(bytes)) return undefined;
  const scanRecord = recordScanner(kind);
  const spans: number[] = [];
  const ids: (string | undefined)[] = [];
  const json = new JsonReader();
  const total = new Span();
  let lists = 0;
  const takeRecord: ValueParser = (at) => {
    if (!json.isObject(at)) return json.skip(at);
    const end = scanRecord(bytes, at, ids);
    spans.push(at, end);
    return end;
  };
  const list = createObjectParser({
    [KIND_KEYS[kind].listKey]: (at) =>
      lists++ === 0 && json.isArray(at) ? json.readItems(at, takeRecord) : -1,
    [KIND_KEYS[kind].totalKey]: (at) => (total.isEmpty && !json.isString(at) ? json.readText(at, total) : -1),
  });
  json.setBytes(bytes);
  const start = skipSpace(bytes, 0);
  const end = json.isObject(start) ? json.readMembers(start, list) : -1;
  if (end < 0 || skipSpace(bytes, end) !== bytes.length) return undefined;
  const digits = bytes.toString('latin1', total.start, total.end);
  if (lists === 0 || !TOTAL.test(digits)) return undefined;
  // Strings hold no raw line breaks (RFC 8259 section 7).
  return { spans, ids, total: Number(digits), lineBreaks: bytes.includes('\n') || bytes.includes('\r') };
}

/** Reads only the ids, by the parser where the scan declines. */
export function recordScanner(kind: Kind): ScanRecord {
  const json = new JsonReader();
  const id = new IdScan(json);
  const stepOver: ValueParser = (at) => json.skip(at);
  // Without these, JsonReader would leave such keys to the parser.
  const kinds = kind === 'records' ? KINDS : [kind];
  const others = kinds.map((each): [string, ValueParser] => [KIND_KEYS[each].fieldSetsKey, stepOver]);
  const record = createObjectParser({ ...id.parts, ...Object.fromEntries(others) });
  return (bytes, at, ids) => {
    json.setBytes(bytes);
    id.clear();
    const end = json.readMembers(at, record);
    if (end >= 0) {
      ids.push(id.identity(bytes, kind));
      return end;
    }
    const behind = skipValue(bytes, at);
    if (behind >= 0) ids.push(readRecordKey(asObject(parseJsonLossless(bytes.subarray(at, behind))), kind));
    return behind;
  };
}
