/** Orders records by a field: numbers before texts, records without a value last in either direction, ties by id. */
import { fieldValues, type StoredRecord } from '../data/record-list.js';

export type Direction = 'asc' | 'desc';

/** The positions in the order of a field's first value. */
export function sortedPositions(
  positions: readonly number[],
  entryAt: (position: number) => StoredRecord,
  field: string,
  direction: Direction,
): number[] {
  const sign = direction === 'desc' ? -1 : 1;
  return positions
    .map((position) => {
      const entry = entryAt(position);
      const first = fieldValues(entry, field)[0];
      const key = first === undefined ? undefined : comparable(first);
      return { position, key, id: comparable(entry.id) };
    })
    .sort((one, other) => {
      if (one.key === undefined || other.key === undefined) {
        return Number(one.key === undefined) - Number(other.key === undefined) || compare(one.id, other.id);
      }
      return sign * compare(one.key, other.key) || compare(one.id, other.id);
    })
    .map(({ position }) => position);
}

/** A text that is a number sorts as one. */
function comparable(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.toLowerCase();
}

function compare(one: number | string, other: number | string): number {
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
