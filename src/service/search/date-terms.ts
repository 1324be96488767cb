/** Searches by date: `--where production_date=1840..1850`. */
import { UsageError } from '../errors.js';
import { parseColumn } from '../records/columns.js';
import { readDateRange, readYear } from '../records/date-range.js';
import { type DateRange, parseDateText } from '../records/date-text.js';
import { type CollectionRecord, getFieldValues } from '../records/record.js';

const YEAR = /^-?\d{1,6}$/;
const PERIOD = /^(?:(?:early|mid|late)[ -])?(?:\d{1,3}0s|\d{1,2}(?:st|nd|rd|th) century)(?: bce?)?$/i;
const OPEN = /^(before|after) (\d{3,4})$/i;

/** Reads `1840..1850`, `1840..`, `..1850`, `1840s` or `after 1840`. `before` and `after` exclude their year. */
export function parseRangeTerm(text: string): DateRange | undefined {
  const trimmed = text.trim();
  if (PERIOD.test(trimmed)) return parseDateText(trimmed);
  const [, word, year] = OPEN.exec(trimmed) ?? [];
  if (word) return /before/i.test(word) ? { to: Number(year) - 1 } : { from: Number(year) + 1 };
  const [first = '', last, more] = trimmed.split('..').map((end) => end.trim());
  if (last === undefined || more !== undefined) return undefined;
  const [start, end] = [parseEnd(first), parseEnd(last)];
  if ((first !== '' && !start) || (last !== '' && !end)) return undefined;
  const range = { from: start?.from, to: end?.to };
  const { from = range.to, to = range.from } = range;
  return from !== undefined && to !== undefined && from <= to ? range : undefined;
}

function parseEnd(text: string): DateRange | undefined {
  if (YEAR.test(text)) return { from: readYear(text), to: readYear(text) };
  return PERIOD.test(text) ? parseDateText(text) : undefined;
}

export function createRangeError(text: string): UsageError {
  return new UsageError(`"${text}" is not a range of years`, 'write 1840..1850, ..1850 or 1840..');
}

/** Returns `1840..1850` for `1840-1850`, `1840-50` or `1840 to 1850`. */
export function suggestYearRange(text: string): string | undefined {
  const [, first = '', end = ''] =
    /^\s*(?:c\.?\s*)?(\d{3,4})\s*(?:-|–|\/|to|and|\.)+\s*(\d{1,4})\s*$/.exec(text) ?? [];
  const last = `${first.slice(0, -end.length)}${end}`;
  return end !== '' && last.length === first.length && Number(first) <= Number(last)
    ? `${first}..${last}`
    : undefined;
}

/** Returns `1840` for `1840` and `c. 1840` if the name of the field contains "date". Otherwise returns undefined. */
export function readSingleYear({ field, value }: { field: string; value: string }): string | undefined {
  if (!/date/i.test(field)) return undefined;
  return /^\s*(?:(?:c|ca|circa|about|around)\b\.?\s*)?(\d{4})\s*$/i.exec(value)?.[1];
}

/** Returns true for years with `..`. Returns false for a period such as `1840s`, which may also be part of a title. */
export function isYearRange(text: string): boolean {
  return text.includes('..') && /^[\d\s.-]*$/.test(text);
}

/** Returns true for a range of years, and for other text with `..` and a digit, which may be a mistyped range. */
export function looksLikeRange(text: string): boolean {
  return isYearRange(text) || (text.includes('..') && /\d/.test(text));
}

export function readDateRanges(record: CollectionRecord, column: string): readonly DateRange[] {
  const { field, values } = parseColumn(column);
  const own = field !== undefined && (column === field || column === `field.${field}`);
  const ranges = own ? getFieldValues(record, field).map(readDateRange) : values(record).map(parseDateText);
  return ranges.filter((range) => range !== undefined);
}

/** Returns true if opac can read dates in at least half of the records with digits in the column; undefined if unclear. */
export function areDates(records: readonly CollectionRecord[], column: string): boolean | undefined {
  const { values } = parseColumn(column);
  const filled = records.filter((record) => values(record).length > 0);
  const withDigits = filled.filter((record) => values(record).some((text) => /\d/.test(text)));
  // If all records have the same text without digits, the text is probably a placeholder, such as "date not known".
  if (withDigits.length === 0) return new Set(filled.flatMap(values)).size > 1 ? false : undefined;
  const dates = withDigits.filter((record) => readDateRanges(record, column).length > 0);
  return dates.length * 2 >= withDigits.length;
}
