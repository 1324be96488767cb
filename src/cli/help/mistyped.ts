/** Words that no command, verb or topic has: what was probably meant, and what took the place of what is gone. */
import { UsageError } from '../../service/errors.js';
import { closestName } from '../../service/nearest.js';
import type { CommandDescription } from '../command/command.js';
import type { Input } from '../command/option.js';
import { NOUNS } from '../nouns.js';
import { TOPICS } from './topics.js';

/** Commands of version 2 that people know by name, and what took their place (INTERFACE.md "Removed methods"). */
const REMOVED: Readonly<Record<string, string>> = {
  roles: 'roles were removed from the service; see: opac relationships',
  objectroles: 'roles were removed from the service; see: opac relationships',
  personroles: 'roles were removed from the service; see: opac relationships',
};

/** Verbs of records, for those who say first what is to be done: `opac export objects`. */
const VERBS: readonly string[] = ['list', 'get', 'count', 'export', 'fields'];

/** The error for a first word that is no command; `next` is the word behind it. */
export function unknownCommand(word: string, next?: string): UsageError {
  const nouns = NOUNS.map(({ name }) => name);
  const meant = VERBS.includes(word) ? turned(word, next, nouns) : closestName(word, [...nouns, 'help']);
  return new UsageError(
    `there is no command "${word}"`,
    REMOVED[word] ?? (meant ? `did you mean "opac ${meant}"?` : 'see: opac --help'),
  );
}

/** `export persons` → `persons export`; objects are meant where nothing else was named. */
function turned(verb: string, noun: string | undefined, nouns: readonly string[]): string {
  return `${(noun !== undefined && closestName(noun, nouns)) || 'objects'} ${verb}`;
}

/** `opac objects exprot` is a slip and not a search for "exprot". */
export function refuseMistypedVerb(noun: string, word: string, verbs: readonly CommandDescription[]): void {
  const names = verbs.map(({ name }) => name);
  const near = closestName(word, names);
  if (near !== undefined && near !== word) {
    const takesText = verbs.find(({ isDefault }) => isDefault)?.arguments?.[0]?.name === 'text';
    throw new UsageError(
      `there is no command "${noun} ${word}"`,
      `did you mean "opac ${noun} ${near}"?${takesText ? ` To search for the word: opac ${noun} list ${word}` : ''}`,
    );
  }
  // Most nouns have a `get`: where there is none, it is missed and not searched for.
  if (word === 'get' && near === undefined) {
    throw new UsageError(`there is no command "${noun} get"`, `there is ${names.join(', ')}`);
  }
}

/** `opac objects --limit 5 count` is no search for "count"; `first` is the word right behind the noun. */
export function refuseLateVerb(
  noun: string,
  first: string | undefined,
  word: string,
  verbs: readonly CommandDescription[],
): void {
  const isVerb = (name: string | undefined) => verbs.some((verb) => verb.name === name);
  if (!isVerb(word) || isVerb(first)) return;
  throw new UsageError(
    `"${word}" stands behind options of another command`,
    `write "opac ${noun} ${word}" first and the options after it`,
  );
}

/** Refuses an argument that the command does not take. */
export function refuseSurplus(
  { name, arguments: taken = [] }: CommandDescription,
  given: Input['arguments'],
): void {
  const surplus = taken.some(({ variadic }) => variadic) ? undefined : given[taken.length];
  if (surplus !== undefined) throw new UsageError(`"${name}" takes no argument "${surplus}"`);
}

/** The same for `opac help`. */
export function unknownTopic(word: string): UsageError {
  const near = closestName(word, [...TOPICS.keys(), ...NOUNS.map(({ name }) => name)]);
  return new UsageError(
    `there is no command and no topic "${word}"`,
    REMOVED[word] ??
      (near ? `did you mean "opac help ${near}"?` : `there is ${[...TOPICS.keys()].join(', ')}`),
  );
}
