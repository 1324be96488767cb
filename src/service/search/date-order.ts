/** Sorts records by date. The service sorts dates as text: "c.1841" comes after "1935". */
import { compareDates } from '../records/date-range.js';
import type { DateRange } from '../records/date-text.js';
import type { CollectionRecord } from '../records/record.js';
import { areDates, readDateRanges } from './date-terms.js';

/** Uses the earliest date of each record. Unknown dates come last. If the field does not contain dates, keeps the order. */
export function sortByDate<R>(
  records: readonly { readonly record: CollectionRecord; readonly item: R }[],
  field: string,
  direction?: 'asc' | 'desc',
): readonly R[] {
  const isByDate = areDates(
    records.map(({ record }) => record),
    field,
  );
  const dated = records.map(({ record, item }) => ({ item, date: findFirst(readDateRanges(record, field)) }));
  if (isByDate) dated.sort((one, other) => compareDates(one.date, other.date, direction));
  return dated.map(({ item }) => item);
}

function findFirst(ranges: readonly DateRange[]): DateRange | undefined {
  return [...ranges].sort((one, other) => compareDates(one, other))[0];
}
