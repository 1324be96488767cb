/** Parses dates in values of the service. */

export const MS_PER_DAY = 86_400_000;

/** Returns the days from 1970-01-01 to an ISO 8601 date of the service (`1861-01-01Z`); undefined for any other text. */
export function parseDay(text: string): number | undefined {
  const [, year, month, day] = /^(-?\d{4,6})-(\d\d)-(\d\d)Z?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // Date turns 30 February into a day of March.
  return date.getUTCMonth() === Number(month) - 1 ? date.getTime() / MS_PER_DAY : undefined;
}
