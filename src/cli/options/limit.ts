/** `--limit` and `--all` of lists. */
import type { OptionDescription } from '../description/option.js';
import { LIMIT_HEADING } from './groups.js';
import { integer } from './parse.js';

/** `limit` is the default of `--limit`. If it is undefined, the default is all items, and `--all` does not exist. */
export function limitOptions(limit?: number, what = 'items') {
  const limitOption = {
    group: LIMIT_HEADING,
    flags: '--limit <n>',
    summary: `maximum number of ${what}`,
    defaultText: limit ?? 'all',
    parse: integer(1),
  } as const satisfies OptionDescription;
  const allOption = {
    group: LIMIT_HEADING,
    flags: '--all',
    summary: `list all ${what}`,
    conflicts: ['--limit'],
  } as const satisfies OptionDescription;
  return limit === undefined ? [limitOption] : [limitOption, allOption];
}

/** Returns undefined for all items. */
export function resolveLimit(
  { limit, all }: { readonly limit: number | undefined; readonly all?: boolean },
  defaultLimit?: number,
): number | undefined {
  return all ? undefined : (limit ?? defaultLimit);
}
