/** Lists of deployments: the records under the key of the catalogue, or where else they can only be. */
import { asNumber, isObject, type Json, type JsonObject } from '../../service/json.js';

export interface ListKeys {
  readonly key: string;
  readonly total: string;
}

export interface ListResponse {
  readonly records: readonly Json[];
  readonly total: number | undefined;
}

const NOT_RECORDS = /^(errors?|messages?|warnings?)$/i;

/** Some services omit the key of an empty list, and past the first page the total (FIELD-NOTES.md "Requests"). */
export function readList(value: unknown, shape: ListKeys, offset = 0): ListResponse | undefined {
  if (Array.isArray(value)) return { records: value, total: undefined };
  if (!isObject(value)) return undefined;
  const total = readTotal(value, shape.total);
  const own = value[shape.key];
  if (Array.isArray(own)) return { records: own, total };
  if (own !== undefined && own !== null) return undefined;
  const [only, ...others] = Object.keys(value).filter(
    (key) => Array.isArray(value[key]) && !NOT_RECORDS.test(key),
  );
  if (only !== undefined && others.length === 0) return { records: value[only] as readonly Json[], total };
  const empty =
    others.length === 0 && (total !== undefined || (offset > 0 && Object.keys(value).length === 0));
  return empty ? { records: [], total } : undefined;
}

/** The same of records alone: undefined when something is in the list and none of it is a record. */
export function readRecords(value: unknown, shape: ListKeys, offset?: number) {
  const list = readList(value, shape, offset);
  const records = list?.records.filter(isObject) ?? [];
  return list && (records.length > 0 || list.records.length === 0) ? { ...list, records } : undefined;
}

function readTotal(value: JsonObject, name: string): number | undefined {
  const own = count(value[name]);
  if (own !== undefined) return own;
  const [only, ...others] = Object.keys(value).filter(
    (key) => /^total/i.test(key) && count(value[key]) !== undefined,
  );
  return only !== undefined && others.length === 0 ? count(value[only]) : undefined;
}

function count(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
