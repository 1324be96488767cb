/** `--limit` and `--all` of lists. */
import type { OptionDescription } from '../description/option.js';
import { LIMIT_HEADING } from './groups.js';
import { integer } from './parse.js';

/** The options of a list of `limit` items by default, undefined for all. */
export function limitOptions(limit?: number, what = 'items') {
  const most = {
    group: LIMIT_HEADING,
    flags: '--limit <n>',
    summary: `maximum number of ${what}`,
    defaultText: limit ?? 'all',
    parse: integer(1),
  } as const satisfies OptionDescription;
  const all = {
    group: LIMIT_HEADING,
    flags: '--all',
    summary: `list all ${what}`,
    conflicts: ['--limit'],
  } as const satisfies OptionDescription;
  return limit === undefined ? [most] : [most, all];
}

/** The most items wanted, undefined for all. */
export function limitOf(
  { limit, all }: { readonly limit: number | undefined; readonly all?: boolean },
  defaultLimit?: number,
): number | undefined {
  return all ? undefined : (limit ?? defaultLimit);
}
