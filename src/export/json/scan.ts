/**
 * Finds the records of a list response in its bytes, without parsing them: where each begins and ends, its id, and the
 * total. Whatever is out of the ordinary makes it decline, and the parser decides; where it does not, the two agree.
 */
import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../client/errors/parse-json.js';
import { asObject } from '../../service/json.js';
import { KIND_WORDS, KINDS, type Kind } from '../../service/kinds.js';
import { identityOf } from '../../service/records/identity.js';
import { IdScan } from './id-scan.js';
import { JsonReader, type Part, shape } from './json-reader.js';
import { skipSpace, skipValue } from './skip-json.js';
import { Span } from './spans.js';

/** The list of a response as places in its bytes. */
export interface ScannedList {
  readonly spans: readonly number[];
  /** In step with the records, as `identityOf` gives them; undefined for a record without one. */
  readonly ids: readonly (string | undefined)[];
  readonly total: number;
  /** Whether line breaks stand between the parts of the response, so that a record may span lines. */
  readonly lineBreaks: boolean;
}

/** From the `{` of a record to the place behind its `}`, with its id put to the others; -1 to decline. */
export type ScanRecord = (bytes: Buffer, at: number, ids: (string | undefined)[]) => number;

/** Digits that a number holds exactly. */
const TOTAL = /^\d{1,15}$/;

/**
 * Scans the response to a search of that kind. Gives undefined when the bytes are not right JSON, not UTF-8, not an object,
 * or spelt in a way that needs a parser: no list or no total under its name, one of them twice, an escape in a key of the
 * response. `scanRecord` is called for each record, in order, also for those of a page that is declined in the end.
 */
export function scanList(
  bytes: Buffer,
  kind: Kind,
  scanRecord: ScanRecord = recordScanner(kind),
): ScannedList | undefined {
  if (!isUtf8(bytes)) return undefined;
  const spans: number[] = [];
  const ids: (string | undefined)[] = [];
  const json = new JsonReader();
  const total = new Span();
  let lists = 0;
  const takeRecord: Part = (at) => {
    if (!json.isObject(at)) return json.stepOver(at);
    const end = scanRecord(bytes, at, ids);
    spans.push(at, end);
    return end;
  };
  const list = shape({
    [KIND_WORDS[kind].listKey]: (at) => (lists++ === 0 && json.isArray(at) ? json.items(at, takeRecord) : -1),
    [KIND_WORDS[kind].totalKey]: (at) => (total.isEmpty && !json.isString(at) ? json.text(at, total) : -1),
  });
  json.over(bytes);
  const start = skipSpace(bytes, 0);
  const end = json.isObject(start) ? json.members(start, list) : -1;
  if (end < 0 || skipSpace(bytes, end) !== bytes.length) return undefined;
  const digits = bytes.toString('latin1', total.start, total.end);
  if (lists === 0 || !TOTAL.test(digits)) return undefined;
  // A string holds no raw line break (RFC 8259 section 7), so any that is left stands outside.
  return { spans, ids, total: Number(digits), lineBreaks: bytes.includes('\n') || bytes.includes('\r') };
}

/** Takes nothing but the id of each record; one that is out of the ordinary is parsed for it. */
export function recordScanner(kind: Kind): ScanRecord {
  const json = new JsonReader();
  const id = new IdScan(json);
  const stepOver: Part = (at) => json.stepOver(at);
  // Keys that JsonReader would leave to the parser when nobody asked for them.
  const kinds = kind === 'records' ? KINDS : [kind];
  const others = kinds.map((each): [string, Part] => [KIND_WORDS[each].fieldSetsKey, stepOver]);
  const record = shape({ ...id.parts, ...Object.fromEntries(others) });
  return (bytes, at, ids) => {
    json.over(bytes);
    id.clear();
    const end = json.members(at, record);
    if (end >= 0) {
      ids.push(id.identity(bytes, kind));
      return end;
    }
    const behind = skipValue(bytes, at);
    if (behind >= 0) ids.push(identityOf(asObject(parseJson(bytes.subarray(at, behind))), kind));
    return behind;
  };
}
