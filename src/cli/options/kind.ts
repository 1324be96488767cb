/** The KIND argument of commands such as `opac facets`. */
import type { ArgumentDescription } from '../command/option.js';
import { parseChoice } from './read.js';

export function kindArgument(kinds: readonly string[]): ArgumentDescription {
  return { name: 'kind', summary: kinds.join(', '), required: true, choices: kinds };
}

/** Accepts the singular too. Throws a UsageError with the nearest kind. */
export function parseKind<K extends string>(word: string | undefined, kinds: readonly K[]): K {
  return parseChoice(
    kinds.find((kind) => kind === `${word}s`) ?? word ?? '',
    kinds,
    `invalid kind "${word}"`,
  );
}
