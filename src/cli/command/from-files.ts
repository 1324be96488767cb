/** `--from` on the command line: the words that are its files, and the commands that files can answer. */
import { UsageError } from '../../service/errors.js';
import type { CommandDescription } from './command.js';
import { wordsOfOptions } from './option.js';

const FLAG = '--from';
const NAMED_LIKE_AN_EXPORT = /\.(ndjson|jsonl|json)(\.(gz|zst))?$/i;

/** `--from a.ndjson b.ndjson` as `--from a.ndjson --from b.ndjson`: what follows and is named otherwise is no file of it. */
export function withEachFile(argv: readonly string[]): string[] {
  const options = wordsOfOptions(argv);
  const words: string[] = [];
  let isAmongFiles = false;
  for (const [index, word] of options.entries()) {
    const isFirst = options[index - 1] === FLAG;
    const isNext: boolean = isAmongFiles && !isFirst && NAMED_LIKE_AN_EXPORT.test(word);
    isAmongFiles = isFirst || isNext || word.startsWith(`${FLAG}=`);
    words.push(...(isNext ? [FLAG, word] : [word]));
  }
  return [...words, ...argv.slice(options.length)];
}

/** What files of records do not hold, by the part of an endpoint's id. */
const NOT_IN_FILES: Readonly<Record<string, string>> = {
  views: 'views',
  view: 'views',
  authorities: 'authority terms',
  'highlights.list': 'highlights',
  'highlights.get': 'highlights',
  'comments.list': 'comments',
  'colors.list': 'colours but those of their images',
};

/** Throws a UsageError for a command that does not read records, or reads what files of records do not hold. */
export function refuseWithoutRecords({ name, endpoints = [] }: CommandDescription): void {
  const [first = ''] = endpoints;
  const unheld = NOT_IN_FILES[first] ?? NOT_IN_FILES[first.replace(/^.*\./, '')];
  if (unheld !== undefined)
    throw new UsageError(`files of records hold no ${unheld}`, 'ask the deployment, without --from');
  const isOfDeployments = name === 'status' || name === 'sync';
  if (name !== 'verify' && (first === '' || isOfDeployments || first.startsWith('oauth.')))
    throw new UsageError(`--from cannot be used with "${name}"`, 'it is for commands that read records');
}
