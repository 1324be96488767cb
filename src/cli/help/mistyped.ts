/** What was probably meant by a word that is not a command or a topic. */
import type { Command } from 'commander';
import { UsageError } from '../../service/errors.js';
import { closestName, closestSpelling } from '../../service/nearest.js';
import { shellWord } from '../command/shell-words.js';
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

/** The error for the word after `command` that is not one of its commands. */
export function unknownCommand(command: Command): UsageError {
  const [word = '', next = ''] = command.args;
  const near = closestSpelling(
    word,
    command.commands.map((each) => each.name()),
  );
  const noun = command.parent ? `${command.name()} ` : '';
  const nouns = NOUNS.map(({ name }) => name);
  const fact = `unknown command "${noun}${word}"`;
  if (noun === '' && VERBS.includes(word))
    return new UsageError(fact, `did you mean "opac ${closestName(next, nouns) ?? 'objects'} ${word}"?`);
  const removed = noun === '' ? REMOVED.get(word) : undefined;
  if (removed || near) return new UsageError(fact, removed ?? `did you mean "opac ${noun}${near}"?`);
  if (nouns.includes(word)) return new UsageError(fact, `see: opac ${word} --help`);
  const list = command.commands.find((verb) => noun !== '' && verb.name() === 'list');
  const end = command.args.findIndex((each) => each.startsWith('-'));
  const words = command.args
    .slice(0, end < 0 ? undefined : end)
    .map(shellWord)
    .join(' ');
  return list?.registeredArguments.length
    ? new UsageError(fact, `did you mean "opac ${noun}list ${words}"?`)
    : new UsageError(fact, `see: opac ${noun}--help`);
}

export function unknownTopic(word: string): UsageError {
  const near = closestName(word, [...TOPICS.keys(), ...NOUNS.map(({ name }) => name)]);
  return new UsageError(
    `unknown command or topic "${word}"`,
    REMOVED.get(word) ??
      (near ? `did you mean "opac help ${near}"?` : `the topics are ${[...TOPICS.keys()].join(', ')}`),
  );
}
