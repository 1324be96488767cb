/** `--limit` and `--all` of the lists that are not searches. */
import { UsageError } from '../../service/errors.js';
import type { Input, OptionDescription } from '../command/option.js';
import { flagOption, integerOption } from './read.js';

const group = 'How many:';

/** The options of a list whose `--limit` is `limit` by default, undefined for all. */
export function limitOptions(limit: number | undefined): readonly OptionDescription[] {
  return [
    { group, flags: '--limit <n>', summary: `maximum number of items (default: ${limit ?? 'all'})` },
    ...(limit === undefined ? [] : [{ group, flags: '--all', summary: 'list all items' }]),
  ];
}

/** The most items wanted, undefined for all. Throws a UsageError. */
export function parseLimit({ options }: Input, defaultLimit: number | undefined): number | undefined {
  const limit = integerOption(options, 'limit', 1);
  const all = flagOption(options, 'all');
  if (all && limit !== undefined) throw new UsageError('--all and --limit cannot be used together');
  return all ? undefined : (limit ?? defaultLimit);
}
