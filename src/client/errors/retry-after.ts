/** The Retry-After header: a number of seconds or a date (RFC 9110 section 10.2.3). */

/** If Retry-After is longer, the request fails without a retry, because users do not expect to wait that long. */
export const MAX_RETRY_AFTER_MS = 10 * 60 * 1000;

/** Returns the milliseconds from `now`; undefined if the header is absent or invalid. */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
