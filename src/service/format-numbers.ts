/** Formats numbers for people. The format does not depend on the locale, so that outputs can be compared and searched. */

/** Created at first use, because creating it takes 15 ms. */
let grouped: Intl.NumberFormat | undefined;

/** Returns `1,873`, or `?` for a value that is not a finite number. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '?';
  grouped ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
  return grouped.format(value);
}

/** `1 record` or `5,109 records` */
export function formatCount(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

/** `record 3` or `records 201 to 230`, counted from 1. */
export function formatRecordRange(offset: number, count: number): string {
  const [first, last] = [formatNumber(offset + 1), formatNumber(offset + count)];
  return count === 1 ? `record ${first}` : `records ${first} to ${last}`;
}

const MAX_LISTED_NAMES = 20;

/** `a, b, c and 7 more` */
export function formatList(names: readonly string[], most = MAX_LISTED_NAMES): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
}
