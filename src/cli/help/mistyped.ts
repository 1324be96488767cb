/** Errors for words that are no command, verb or topic: they suggest what was probably meant. */
import { UsageError } from '../../service/errors.js';
import { closestName, didYouMean } from '../../service/nearest.js';
import type { CommandDescription } from '../command/command.js';
import type { Input } from '../command/option.js';
import { NOUNS } from '../nouns.js';
import { TOPICS } from './topics.js';

/** Commands of version 2, and what replaced them (INTERFACE.md "Removed methods"). */
const REMOVED = new Map(
  ['roles', 'objectroles', 'personroles'].map((word) => [
    word,
    'the service no longer has roles; see: opac relationships',
  ]),
);

/** Verbs of records, for `opac export objects`. */
const VERBS: readonly string[] = ['list', 'get', 'count', 'export', 'fields'];

export function unknownCommand(word: string, next?: string): UsageError {
  const nouns = NOUNS.map(({ name }) => name);
  const meant = VERBS.includes(word) ? nounFirst(word, next, nouns) : closestName(word, [...nouns, 'help']);
  return new UsageError(
    `unknown command "${word}"`,
    REMOVED.get(word) ?? (meant ? `did you mean "opac ${meant}"?` : 'see: opac --help'),
  );
}

/** `export persons` → `persons export`; without a noun `objects export`. */
function nounFirst(verb: string, noun: string | undefined, nouns: readonly string[]): string {
  return `${(noun !== undefined && closestName(noun, nouns)) || 'objects'} ${verb}`;
}

/** Refuses `opac objects exprot`, which would search for "exprot". */
export function refuseMistypedVerb(noun: string, word: string, verbs: readonly CommandDescription[]): void {
  const names = verbs.map(({ name }) => name);
  const near = closestName(word, names);
  if (near !== undefined && near !== word) {
    const takesText = verbs.find(({ isDefault }) => isDefault)?.arguments?.[0]?.name === 'text';
    throw new UsageError(
      `unknown command "${noun} ${word}"`,
      `did you mean "opac ${noun} ${near}"?${takesText ? ` To search for the word, run: opac ${noun} list ${word}` : ''}`,
    );
  }
  // Most nouns have a `get`, so it is no word to search for.
  if (word === 'get' && near === undefined) {
    throw new UsageError(`unknown command "${noun} get"`, `choose from ${names.join(', ')}`);
  }
}

/** What was meant by a noun after a kind: `opac objects images 20022`. */
const MEANT: Readonly<Record<string, (kind: string, id: string) => string>> = {
  open: (kind, id) => `open ${kind} ${id || '<id>'}`,
  images: (kind, id) => `images list --kind ${kind} --external-id ${id || '<id>'}`,
  relationships: (kind, id) => (id ? `relationships get ${kind} ${id}` : `relationships list ${kind}`),
  facets: (kind) => `facets list ${kind}`,
  views: (kind) => `views list ${kind}`,
  imagelabels: (_, id) => (id ? `imagelabels list --object ${id}` : 'imagelabels list'),
};

/** Refuses `opac objects open 20022`, which would search for these words. */
export function refuseOtherNoun(
  noun: string,
  [word = '', next = '']: Input['arguments'],
  { arguments: taken = [] }: CommandDescription,
): void {
  if (taken[0]?.name !== 'text' || NOUNS.every(({ name }) => name !== word)) return;
  const meant = MEANT[word]?.(noun, next) ?? `${word} --help`;
  throw new UsageError(
    `"${word}" is a command of its own`,
    `did you mean "opac ${meant}"? To search for the words, run: opac ${noun} -- ${[word, next].join(' ').trim()}`,
  );
}

function isHelpAsked(argv: readonly string[]): boolean {
  return argv.includes('--help') || argv.includes('-h');
}

/** Refuses `opac foo --help`, which would show the help of the program. */
export function refuseUnknownHelp(argv: readonly string[]): void {
  const [word = '-', next] = argv;
  const isKnown = word.startsWith('-') || word === 'help' || NOUNS.some(({ name }) => name === word);
  if (!isKnown && isHelpAsked(argv)) throw unknownCommand(word, next);
}

/** Refuses `opac images foo --help`, which would show the help of `opac images`. */
export function refuseHelpOfUnknown(
  noun: string,
  argv: readonly string[],
  verbs: readonly CommandDescription[],
): void {
  const [first, word = '-'] = argv;
  if (first !== noun || !isHelpAsked(argv) || word.startsWith('-')) return;
  const names = verbs.map(({ name }) => name);
  if (!names.includes(word))
    throw new UsageError(`unknown command "${noun} ${word}"`, didYouMean(word, names));
}

/** Refuses `opac objects --limit 5 count`, which would search for "count"; `first` is the word after the noun. */
export function refuseLateVerb(
  noun: string,
  first: string | undefined,
  word: string,
  verbs: readonly CommandDescription[],
): void {
  const isVerb = (name: string | undefined) => verbs.some((verb) => verb.name === name);
  if (!isVerb(word) || isVerb(first)) return;
  throw new UsageError(`"${word}" must come before the options`, `write: opac ${noun} ${word} [options]`);
}

export function refuseSurplus(
  { name, arguments: taken = [] }: CommandDescription,
  given: Input['arguments'],
): void {
  const surplus = taken.some(({ variadic }) => variadic) ? undefined : given[taken.length];
  if (surplus === undefined) return;
  const isOne = name === 'list' && taken.length === 1;
  throw new UsageError(
    `unexpected argument "${surplus}" for "${name}"`,
    isOne ? `did you mean "get ${given.join(' ')}"?` : undefined,
  );
}

export function unknownTopic(word: string): UsageError {
  const near = closestName(word, [...TOPICS.keys(), ...NOUNS.map(({ name }) => name)]);
  return new UsageError(
    `unknown command or topic "${word}"`,
    REMOVED.get(word) ??
      (near ? `did you mean "opac help ${near}"?` : `the topics are ${[...TOPICS.keys()].join(', ')}`),
  );
}
