/** The years of a date: from the attributes `earliest_date` and `latest_date`, or from the text. */
import { type DateRange, parseDateText } from './date-text.js';
import type { FieldValue } from './record.js';

export function readDateRange({ value, attributes }: FieldValue): DateRange | undefined {
  const from = readYear(attributes.get('earliest_date'));
  const to = readYear(attributes.get('latest_date'));
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  const text = parseDateText(value);
  if (from === undefined && to === undefined) return text;
  const range = { from: from ?? text?.from, to: to ?? text?.to };
  return hasOverlap(range, range) ? range : text;
}

/** Returns `unreadable` if opac cannot read the text, `different` if the attributes contain other years, otherwise `''`. */
export function findDateProblem({ value, attributes }: FieldValue): 'unreadable' | 'different' | '' {
  if (value === '') return '';
  const text = parseDateText(value);
  if (!text) return 'unreadable';
  const from = readYear(attributes.get('earliest_date'));
  const to = readYear(attributes.get('latest_date'));
  if (from === undefined || to === undefined) return '';
  return text.from === from && text.to === to ? '' : 'different';
}

/** Returns the year of `1846-01-01Z` or `1846`; undefined for other text. */
export function readYear(date = ''): number | undefined {
  const [, year] = /^(-?\d{1,6})(?:-\d\d-\d\d.*)?$/.exec(date.trim()) ?? [];
  return year === undefined ? undefined : Number(year);
}

export function hasOverlap(one: DateRange, other: DateRange): boolean {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = one;
  return from <= (other.to ?? Number.POSITIVE_INFINITY) && to >= (other.from ?? Number.NEGATIVE_INFINITY);
}

/** Unknown dates come last in both directions. */
export function compareDates(
  one: DateRange | undefined,
  other: DateRange | undefined,
  direction: 'asc' | 'desc' = 'asc',
): number {
  if (!one || !other) return Number(one === undefined) - Number(other === undefined);
  const sign = direction === 'desc' ? -1 : 1;
  const start = ({ from, to }: DateRange) => from ?? to ?? 0;
  const end = ({ from, to }: DateRange) => to ?? from ?? 0;
  return sign * (start(one) - start(other) || end(one) - end(other));
}
