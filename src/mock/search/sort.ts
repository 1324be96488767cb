/** Sorts records by a field: numbers before texts, records without a value last in either direction, ties by id. */
import { fieldValues, type Selection } from '../data/record-list.js';

export type Direction = 'asc' | 'desc';

export function sortedPositions(
  positions: readonly number[],
  records: Selection,
  field: string,
  direction: Direction,
): number[] {
  const sign = direction === 'desc' ? -1 : 1;
  return positions
    .map((position) => {
      const record = records.at(position);
      const first = fieldValues(record, field)[0];
      const key = first === undefined ? undefined : comparable(first);
      return { position, key, id: comparable(record.id) };
    })
    .sort((one, other) => {
      if (one.key === undefined || other.key === undefined) {
        return Number(one.key === undefined) - Number(other.key === undefined) || compare(one.id, other.id);
      }
      return sign * compare(one.key, other.key) || compare(one.id, other.id);
    })
    .map(({ position }) => position);
}

function comparable(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.toLowerCase();
}

function compare(one: number | string, other: number | string): number {
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
