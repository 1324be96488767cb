/** Creates the errors for unknown commands and topics, with a suggestion. */
import type { Command } from 'commander';
import { UsageError } from '../../service/errors.js';
import { findClosestName, findClosestSpelling } from '../../service/suggest-name.js';
import { NOUNS } from '../nouns.js';
import { TOPICS } from './topics.js';

/** Creates the error for an unknown word after `command`. */
export function createUnknownCommandError(command: Command): UsageError {
  const [word = ''] = command.args;
  const prefix = command.parent ? `${command.name()} ` : '';
  const names = command.commands.map((each) => each.name());
  const near = findClosestSpelling(word, names);
  const isNoun = NOUNS.some(({ name }) => name === word);
  return new UsageError(
    `unknown command "${prefix}${word}"`,
    near ? `did you mean "opac ${prefix}${near}"?` : `see: opac ${isNoun ? `${word} ` : prefix}--help`,
  );
}

export function createUnknownTopicError(word: string): UsageError {
  const topics = [...TOPICS.keys()];
  const near = findClosestName(word, [...topics, ...NOUNS.map(({ name }) => name)]);
  return new UsageError(
    `unknown command or topic "${word}"`,
    near ? `did you mean "opac help ${near}"?` : `the topics are ${topics.join(', ')}`,
  );
}
