/** Reads lists: the records under the key in the catalogue. If this key is missing, reads the only key that contains a list. */
import { OpacError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import { asNumber, isObject, type Json, type JsonObject } from '../../service/json.js';

export interface ListKeys {
  readonly key: string;
  readonly total: string;
}

export interface ListResponse {
  readonly records: readonly Json[];
  readonly total: number | undefined;
}

/** Far more items than in a page. A response of 64 MB can contain 20 million empty objects. */
const MAX_ITEMS = 250_000;

export function assertItemCount(count: number): void {
  if (count > MAX_ITEMS)
    throw new OpacError('deployment', `the response contains more than ${formatNumber(MAX_ITEMS)} items`, {
      code: 'unexpected-response',
    });
}

const NOT_RECORDS = /^(errors?|messages?|warnings?)$/i;

/** Some services omit the key of an empty list, and after the first page also the total (FIELD-NOTES.md "Requests"). */
export function readList(value: unknown, keys: ListKeys, offset = 0): ListResponse | undefined {
  if (Array.isArray(value)) return createList(value, undefined);
  if (!isObject(value)) return undefined;
  const total = readTotal(value, keys.total);
  const own = value[keys.key];
  if (Array.isArray(own)) return createList(own, total);
  if (own !== undefined && own !== null) return undefined;
  const [only, ...others] = Object.keys(value).filter(
    (key) => Array.isArray(value[key]) && !NOT_RECORDS.test(key),
  );
  if (only !== undefined && others.length === 0) return createList(value[only] as readonly Json[], total);
  const isEmpty =
    others.length === 0 && (total !== undefined || (offset > 0 && Object.keys(value).length === 0));
  return isEmpty ? { records: [], total } : undefined;
}

function createList(records: readonly Json[], total: number | undefined): ListResponse {
  assertItemCount(records.length);
  return { records, total };
}

/** Omits items that are not objects. Returns undefined if the value is not a list, or if it has items but no objects. */
export function readRecords(value: unknown, keys: ListKeys, offset?: number) {
  const list = readList(value, keys, offset);
  const records = list?.records.filter(isObject) ?? [];
  return list && (records.length > 0 || list.records.length === 0) ? { ...list, records } : undefined;
}

function readTotal(value: JsonObject, name: string): number | undefined {
  const own = readCount(value[name]);
  if (own !== undefined) return own;
  const [only, ...others] = Object.keys(value).filter(
    (key) => /^total/i.test(key) && readCount(value[key]) !== undefined,
  );
  return only !== undefined && others.length === 0 ? readCount(value[only]) : undefined;
}

function readCount(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
