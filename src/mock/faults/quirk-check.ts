/** Quirks written by hand, on a command line: checked here, because nothing else stands between them and the server. */
import { UsageError } from '../../service/errors.js';
import { didYouMean } from '../../service/nearest.js';
import type { Quirks } from './quirks.js';

interface Kind {
  /** What a value must be, in words. */
  readonly must: string;
  readonly holds: (value: unknown) => boolean;
}

const COUNT: Kind = { must: 'a number', holds: (value) => typeof value === 'number' };
const FLAG: Kind = { must: 'true or false', holds: (value) => typeof value === 'boolean' };

/** Those that one word can say. */
const KINDS: Readonly<Record<Exclude<keyof Quirks, 'insertDuring' | 'deleteDuring'>, Kind>> = {
  ignoresOffset: FLAG,
  repeats: COUNT,
  endsEarlyAt: COUNT,
  overfills: COUNT,
  underfills: COUNT,
  shuffles: FLAG,
  endKey: { must: 'absent or empty', holds: (value) => value === 'absent' || value === 'empty' },
};

/** The quirks that `value` describes. Throws a UsageError for one there is none of, and for a value that it does not take. */
export function checkQuirks(value: Readonly<Record<string, unknown>>): Quirks {
  for (const [name, setting] of Object.entries(value)) {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name as keyof typeof KINDS] : undefined;
    if (kind === undefined)
      throw new UsageError(`there is no quirk "${name}"`, didYouMean(name, Object.keys(KINDS)));
    if (!kind.holds(setting)) throw new UsageError(`the quirk ${name} takes ${kind.must}, not "${setting}"`);
  }
  return value as Quirks;
}
