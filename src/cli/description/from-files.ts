/** Checks the use of `--from`. */
import { OpacError, UsageError } from '../../service/errors.js';
import type { Context } from '../context.js';
import type { CommandDescription } from './command.js';
import { dropOperands } from './option.js';

const FLAG = '--from';
const NAMED_LIKE_AN_EXPORT = /\.(ndjson|jsonl|json)(\.(gz|zst))?$/i;

/** Throws a UsageError if the shell expanded a pattern, because all files after the first would become words of a search. */
export function refuseExpandedPattern(
  argv: readonly string[],
  { arguments: declared = [] }: CommandDescription,
): void {
  if (declared.some(({ completes }) => completes === 'file')) return;
  const words = dropOperands(argv);
  const next = words.find(
    (word, n) =>
      !word.startsWith('-') &&
      NAMED_LIKE_AN_EXPORT.test(word) &&
      (words[n - 2] === FLAG || words[n - 1]?.startsWith(`${FLAG}=`)),
  );
  if (next === undefined) return;
  throw new UsageError(
    `--from takes one file, but "${next}" follows the first`,
    "quote a pattern (--from '*.ndjson'), or repeat --from for each file",
  );
}

/** Returns an error if records are missing from the files of `--from`. Throws a UsageError if a file has changed. */
export async function findFileFailure({ globalOptions, files }: Context): Promise<OpacError | undefined> {
  if (globalOptions.from.length === 0) return undefined;
  const { incomplete, assertUnchanged } = await files();
  await assertUnchanged();
  if (incomplete.length === 0) return undefined;
  return new OpacError('incomplete', incomplete.join('; '), { hint: 'export the files again' });
}

/** Names of items that files do not contain. The keys are endpoint ids, or the last parts of endpoint ids. */
const NOT_IN_FILES: Readonly<Record<string, string>> = {
  views: 'views',
  view: 'views',
  authorities: 'authority terms',
  'highlights.list': 'highlights',
  'highlights.get': 'highlights',
  'comments.list': 'comments',
  'colors.list': 'the list of all colours',
};

/** Throws a UsageError if the command reads no records, or reads items that files do not contain, such as views. */
export function assertReadsRecords({ name, endpoints = [] }: CommandDescription): void {
  const [first = ''] = endpoints;
  const missing = NOT_IN_FILES[first] ?? NOT_IN_FILES[first.replace(/^.*\./, '')];
  if (missing !== undefined)
    throw new UsageError(`files of records do not contain ${missing}`, 'run the command without --from');
  const isOfDeployments = ['doctor', 'status', 'sync'].includes(name);
  if (name !== 'verify' && (first === '' || isOfDeployments || first.startsWith('oauth.')))
    throw new UsageError(`--from cannot be used with "${name}"`, 'it is for commands that read records');
}
