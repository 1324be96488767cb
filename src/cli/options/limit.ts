/** `--limit` and `--all` of lists. */
import { UsageError } from '../../service/errors.js';
import type { Input, OptionDescription } from '../command/option.js';
import { flagOption, integerOption } from './read.js';

export const HOW_MANY = 'How many:';

/** The options of a list whose `--limit` is `limit` by default, undefined for all. */
export function limitOptions(limit: number | undefined, what = 'items'): readonly OptionDescription[] {
  return [
    { group: HOW_MANY, flags: '--limit <n>', summary: `maximum number of ${what}`, default: limit ?? 'all' },
    ...(limit === undefined ? [] : [{ group: HOW_MANY, flags: '--all', summary: `list all ${what}` }]),
  ];
}

/** The most items wanted, undefined for all. Throws a UsageError. */
export function parseLimit({ options }: Input, defaultLimit: number | undefined): number | undefined {
  const limit = integerOption(options, 'limit', 1);
  const all = flagOption(options, 'all');
  if (all && limit !== undefined) throw new UsageError('--all and --limit cannot be used together');
  return all ? undefined : (limit ?? defaultLimit);
}
