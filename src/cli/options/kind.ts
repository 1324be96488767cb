/** The KIND argument of the commands that are not under a noun of records. */
import type { ArgumentDescription } from '../command/option.js';
import { parseChoice } from './read.js';

/** The argument, for the help. */
export function kindArgument(kinds: readonly string[]): ArgumentDescription {
  return { name: 'kind', summary: kinds.join(', '), required: true, choices: kinds };
}

/** The kind that was named, its singular taken too. Throws a UsageError with the nearest one. */
export function parseKind<K extends string>(word: string | undefined, kinds: readonly K[]): K {
  return parseChoice(kinds.find((kind) => kind === `${word}s`) ?? word ?? '', kinds, 'kind of record');
}
