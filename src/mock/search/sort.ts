/** Sorts records by a field: numbers before texts, records without a value last in either direction, ties by id. */
import { fieldValues, type Selection } from '../data/record-list.js';

export type Direction = 'asc' | 'desc';

export function sortedPositions(
  positions: readonly number[],
  records: Selection,
  field: string,
  direction: Direction,
): number[] {
  // Records with the same value are compared once: what is sorted are the values.
  const groups = new Map<Key | undefined, number[]>();
  for (const position of positions) {
    const [first] = fieldValues(records.at(position), field);
    const key = first === undefined ? undefined : comparable(first);
    const group = groups.get(key);
    if (group) group.push(position);
    else groups.set(key, [position]);
  }
  const sign = direction === 'desc' ? -1 : 1;
  const keys = [...groups.keys()]
    .filter((key) => key !== undefined)
    .sort((one, other) => sign * compare(one, other));
  return [...keys, undefined].flatMap((key) => byId(groups.get(key) ?? [], records));
}

function byId(positions: readonly number[], records: Selection): readonly number[] {
  if (positions.length < 2) return positions;
  return positions
    .map((position) => ({ position, id: comparable(records.at(position).id) }))
    .sort((one, other) => compare(one.id, other.id))
    .map(({ position }) => position);
}

type Key = number | string;

function comparable(text: string): Key {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.toLowerCase();
}

function compare(one: Key, other: Key): number {
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
