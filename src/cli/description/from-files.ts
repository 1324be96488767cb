/** `--from` on the command line: one file each time, and only for commands that files can answer. */
import { UsageError } from '../../service/errors.js';
import type { CommandDescription } from './command.js';
import { wordsOfOptions } from './option.js';

const FLAG = '--from';
const NAMED_LIKE_AN_EXPORT = /\.(ndjson|jsonl|json)(\.(gz|zst))?$/i;

/**
 * Throws a UsageError where the shell has replaced a pattern by several files: only the first of them belongs to `--from`, and
 * the others would be words of a search. Commands whose arguments are files take them.
 */
export function refuseExpandedPattern(
  argv: readonly string[],
  { arguments: taken = [] }: CommandDescription,
): void {
  if (taken.some(({ completes }) => completes === 'file')) return;
  const words = wordsOfOptions(argv);
  const next = words.find(
    (word, n) =>
      !word.startsWith('-') &&
      NAMED_LIKE_AN_EXPORT.test(word) &&
      (words[n - 2] === FLAG || words[n - 1]?.startsWith(`${FLAG}=`)),
  );
  if (next === undefined) return;
  throw new UsageError(
    `--from takes one file, and "${next}" follows it`,
    "quote a pattern (--from '*.ndjson'), or repeat --from for each file",
  );
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
export function assertReadsRecords({ name, endpoints = [] }: CommandDescription): void {
  const [first = ''] = endpoints;
  const unheld = NOT_IN_FILES[first] ?? NOT_IN_FILES[first.replace(/^.*\./, '')];
  if (unheld !== undefined)
    throw new UsageError(`files of records hold no ${unheld}`, 'ask the deployment, without --from');
  const isOfDeployments = ['doctor', 'status', 'sync'].includes(name);
  if (name !== 'verify' && (first === '' || isOfDeployments || first.startsWith('oauth.')))
    throw new UsageError(`--from cannot be used with "${name}"`, 'it is for commands that read records');
}
