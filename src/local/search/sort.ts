/** Sorts records by a field: numbers before texts, then records without a value in both directions. Ties are sorted by id. */
import { fieldValues, type StoredRecord } from '../record.js';

export type Direction = 'asc' | 'desc';

type Key = number | string;

export interface SortEntry {
  readonly position: number;
  readonly key: Key | undefined;
  readonly id: Key;
}

export function createSortEntry(record: StoredRecord, position: number, field: string): SortEntry {
  const [first] = fieldValues(record, field);
  return { position, key: first === undefined ? undefined : parseKey(first), id: parseKey(record.id) };
}

/** Sorts the entries in place and returns their positions. */
export function sortPositions(entries: SortEntry[], direction: Direction): Uint32Array {
  const sign = direction === 'desc' ? -1 : 1;
  entries.sort((one, other) => {
    if (one.key === undefined || other.key === undefined)
      return Number(one.key === undefined) - Number(other.key === undefined) || compare(one.id, other.id);
    return sign * compare(one.key, other.key) || compare(one.id, other.id);
  });
  return Uint32Array.from(entries, ({ position }) => position);
}

function parseKey(text: string): Key {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.toLowerCase();
}

function compare(one: Key, other: Key): number {
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
