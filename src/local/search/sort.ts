/**
 * Sorts records by a field, and equal values by id. Records without a value come last in both directions. If most values are
 * dates, sorts by date, and records without a date come last.
 */
import { compareDates, readDateRange } from '../../service/records/date-range.js';
import type { DateRange } from '../../service/records/date-text.js';
import { fieldValues, type StoredRecord } from '../record.js';

export type Direction = 'asc' | 'desc';

type Key = number | string;

export interface SortEntry {
  readonly position: number;
  readonly key: Key | undefined;
  readonly date: DateRange | undefined;
  readonly id: Key;
}

export function createSortEntry(record: StoredRecord, position: number, field: string): SortEntry {
  const [first] = fieldValues(record, field);
  const key = first === undefined ? undefined : parseKey(first);
  return { position, key, date: findFirstDate(record, field), id: parseKey(record.id) };
}

function findFirstDate({ parsed }: StoredRecord, field: string): DateRange | undefined {
  const ranges = (parsed.fields.get(field) ?? []).map(({ value, attributes = [] }) =>
    readDateRange({ value, attributes: new Map(attributes.map((each) => [each.key, each.value])) }),
  );
  return ranges.filter((range) => range !== undefined).sort((one, other) => compareDates(one, other))[0];
}

/** Sorts the entries in place, and returns their positions. */
export function sortPositions(entries: SortEntry[], direction: Direction): Uint32Array {
  const sign = direction === 'desc' ? -1 : 1;
  const isByDate = areMostDates(entries);
  const compareKeys = (one: SortEntry, other: SortEntry) =>
    one.key === undefined || other.key === undefined
      ? Number(one.key === undefined) - Number(other.key === undefined)
      : sign * compare(one.key, other.key);
  entries.sort(
    (one, other) =>
      (isByDate && compareDates(one.date, other.date, direction)) ||
      compareKeys(one, other) ||
      compare(one.id, other.id),
  );
  return Uint32Array.from(entries, ({ position }) => position);
}

/** Returns true if at least half of the values with digits are dates. `areDates` (date-terms.ts) has a similar rule. */
function areMostDates(entries: readonly SortEntry[]): boolean {
  const withDigits = entries.filter(({ key }) => /\d/.test(String(key ?? '')));
  return withDigits.length > 0 && entries.filter(({ date }) => date).length * 2 >= withDigits.length;
}

function parseKey(text: string): Key {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.toLowerCase();
}

function compare(one: Key, other: Key): number {
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
