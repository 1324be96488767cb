/** Keeps the original JSON of parsed items, because JSON.stringify may write numbers and texts in another way. */
import { isObject } from '../../service/json.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT } from './bytes.js';
import { compactJson } from './compact-json.js';
import { skipSpace, skipString, skipValue } from './skip-json.js';

interface OriginalJson {
  readonly bytes: Buffer;
  readonly lineBreaks: boolean;
}

const ORIGINALS = new WeakMap<object, OriginalJson>();

/** The depth of items in a response, as in `facetsCollection.facets[0]`. */
const MAX_LEVELS = 3;

const BOM = Buffer.from('\uFEFF');

/** Stores the original JSON of the objects in `value`, which is the parsed form of `bytes`. */
export function keepBytes(value: unknown, bytes: Buffer): void {
  const start = bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  const lineBreaks = bytes.includes('\n') || bytes.includes('\r');
  keepPart(value, skipSpace(bytes, start), MAX_LEVELS);

  function keepPart(part: unknown, at: number, levels: number): number {
    // If a key occurs twice, `part` is its last value, and these bytes may be an earlier value of another type.
    const isSameType =
      bytes[at] === (Array.isArray(part) ? OPEN_ARRAY : isObject(part) ? OPEN_OBJECT : undefined);
    const end = isSameType && levels > 0 ? keepMembers(part as object, at, levels) : skipValue(bytes, at);
    if (isSameType && isObject(part) && end >= 0)
      ORIGINALS.set(part, { bytes: bytes.subarray(at, end), lineBreaks });
    return end;
  }

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

/** Stores the original JSON of an item, which must be one line. */
export function keepLine(item: object, bytes: Buffer): void {
  ORIGINALS.set(item, { bytes, lineBreaks: false });
}

/** Returns one line of JSON: the original JSON of the item if `keepBytes` or `keepLine` stored it. */
export function jsonLine(item: unknown): string {
  const original = typeof item === 'object' && item !== null ? ORIGINALS.get(item) : undefined;
  if (!original) return JSON.stringify(item);
  return (original.lineBreaks ? compactJson(original.bytes) : original.bytes).toString('utf8');
}
