/** Dates in values of the service. */

export const MS_PER_DAY = 86_400_000;

/** Days since 1970-01-01 of a date of ISO 8601, as the service has them (`1861-01-01Z`); undefined for any other text. */
export function parseDay(text: string): number | undefined {
  const [, year, month, day] = /^(-?\d{4,6})-(\d\d)-(\d\d)Z?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // 30 February would be a day of March.
  return date.getUTCMonth() === Number(month) - 1 ? date.getTime() / MS_PER_DAY : undefined;
}
