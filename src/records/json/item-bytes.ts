/** The JSON of parsed items as the service sent it: parsing changes the spelling of numbers and texts. */
import { isObject } from '../../service/json.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT } from './bytes.js';
import { compactJson } from './compact-json.js';
import { skipSpace, skipString, skipValue } from './skip-json.js';

interface Sent {
  readonly bytes: Buffer;
  readonly lineBreaks: boolean;
}

const SENT = new WeakMap<object, Sent>();

/** Levels of a response that may hold items: `facetsCollection` holds the list of facets. */
const MAX_LEVELS = 3;

const BOM = Buffer.from('\uFEFF');

/** Keeps the bytes of a response for its parts: `value` is what they were parsed to. */
export function keepBytes(value: unknown, bytes: Buffer): void {
  const start = bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  const lineBreaks = bytes.includes('\n') || bytes.includes('\r');
  keepPart(value, skipSpace(bytes, start), MAX_LEVELS);

  /** Returns the end of the part; -1 where the scanner declines. */
  function keepPart(part: unknown, at: number, levels: number): number {
    // An earlier one of equal keys may be of another type.
    const isSame =
      bytes[at] === (Array.isArray(part) ? OPEN_ARRAY : isObject(part) ? OPEN_OBJECT : undefined);
    const end = isSame && levels > 0 ? keepMembers(part as object, at, levels) : skipValue(bytes, at);
    if (isSame && isObject(part) && end >= 0) SENT.set(part, { bytes: bytes.subarray(at, end), lineBreaks });
    return end;
  }

  /** Of equal keys the last is parsed, and so kept. */
  function keepMembers(part: object, at: number, levels: number): number {
    const members = part as Readonly<Record<string, unknown>>;
    const isList = Array.isArray(part);
    const close = isList ? CLOSE_ARRAY : CLOSE_OBJECT;
    let i = skipSpace(bytes, at + 1);
    for (let n = 0; bytes[i] !== close; n++) {
      let key = String(n);
      if (!isList) {
        const end = skipString(bytes, i);
        key = parseJsonLossless(bytes.toString('utf8', i, end)) as string;
        i = skipSpace(bytes, skipSpace(bytes, end) + 1);
      }
      i = keepPart(Object.hasOwn(members, key) ? members[key] : undefined, i, isList ? 0 : levels - 1);
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] !== close) i = skipSpace(bytes, i + 1);
    }
    return i + 1;
  }
}

/** Keeps the bytes of one item, which are on one line. */
export function keepLine(item: object, bytes: Buffer): void {
  SENT.set(item, { bytes, lineBreaks: false });
}

/** An item as one line of JSON: in the service's own bytes where they were kept. */
export function jsonLine(item: unknown): string {
  const sent = typeof item === 'object' && item !== null ? SENT.get(item) : undefined;
  if (!sent) return JSON.stringify(item);
  return (sent.lineBreaks ? compactJson(sent.bytes) : sent.bytes).toString('utf8');
}
