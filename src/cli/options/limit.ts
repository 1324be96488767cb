/** `--limit` and `--all` of the lists that are not searches. */
import { UsageError } from '../../service/errors.js';
import type { Input, OptionDescription } from '../command/option.js';
import { flagOption, integerOption } from './read.js';

/** The two options, with the default said. */
export function limitOptions(limit: number | undefined): readonly OptionDescription[] {
  const group = 'How many:';
  return [
    { group, flags: '--limit <n>', summary: `items at most; default: ${limit ?? 'all'}` },
    ...(limit === undefined ? [] : [{ group, flags: '--all', summary: 'every one' }]),
  ];
}

/** The most items wanted, undefined for all. Throws a UsageError. */
export function parseLimit({ options }: Input, limit: number | undefined): number | undefined {
  const asked = integerOption(options, 'limit', 1);
  if (flagOption(options, 'all') && asked !== undefined)
    throw new UsageError('--all and --limit contradict each other');
  return flagOption(options, 'all') ? undefined : (asked ?? limit);
}
