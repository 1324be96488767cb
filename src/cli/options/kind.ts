/** The argument `kind` of commands such as `opac facets list`. */
import type { Parser } from '../description/option.js';
import { parseChoice } from './parse.js';

export function kindArgument<Kind extends string>(kinds: readonly Kind[]) {
  const parse: Parser<Kind> = (word) => parseKind(word, kinds);
  return { name: 'kind', summary: kinds.join(', '), required: true, choices: kinds, parse } as const;
}

/** Also accepts the singular. Throws a UsageError that suggests the nearest kind. */
export function parseKind<K extends string>(word: string, kinds: readonly K[]): K {
  return parseChoice(kinds.find((kind) => kind === `${word}s`) ?? word, kinds, `invalid kind "${word}"`);
}
