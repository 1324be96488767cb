/** Suggestions for a word that is not a command or a topic. */
import type { Command } from 'commander';
import { UsageError } from '../../service/errors.js';
import { findClosestName, findClosestSpelling } from '../../service/suggest-name.js';
import { NOUNS } from '../nouns.js';
import { TOPICS } from './topics.js';

/** The error for an unknown word after `command`. */
export function unknownCommand(command: Command): UsageError {
  const [word = ''] = command.args;
  const noun = command.parent ? `${command.name()} ` : '';
  const names = command.commands.map((each) => each.name());
  const near = findClosestSpelling(word, names);
  const isNoun = NOUNS.some(({ name }) => name === word);
  return new UsageError(
    `unknown command "${noun}${word}"`,
    near ? `did you mean "opac ${noun}${near}"?` : `see: opac ${isNoun ? `${word} ` : noun}--help`,
  );
}

export function unknownTopic(word: string): UsageError {
  const topics = [...TOPICS.keys()];
  const near = findClosestName(word, [...topics, ...NOUNS.map(({ name }) => name)]);
  return new UsageError(
    `unknown command or topic "${word}"`,
    near ? `did you mean "opac help ${near}"?` : `the topics are ${topics.join(', ')}`,
  );
}
