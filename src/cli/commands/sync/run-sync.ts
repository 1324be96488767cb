/** Runs `opac sync`: brings the mirror up to date, says what changed, and hands it on. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { DEFAULT_PAGE_SIZE } from '../../../client/defaults.js';
import { isLessThanHalf } from '../../../export/verify/completeness.js';
import { syncMirror } from '../../../mirror/sync-mirror.js';
import type { KindOutcome } from '../../../mirror/sync-options.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount } from '../../../service/format-numbers.js';
import { RECORD_KINDS } from '../../../service/kinds.js';
import { findCompressionByName } from '../../../system/compression.js';
import { createDeploymentClient, openDeployment } from '../../connect.js';
import type { Context } from '../../context.js';
import { collectItems, type ValueResult } from '../../description/result.js';
import { count } from '../../output/terminal/numbers.js';
import { createExportProgress } from '../search/progress.js';
import { resolveSearch } from '../search/resolve-search.js';
import { searchPages } from '../search/search-pages.js';
import { queryOf, readingOnce, sourceOf } from './mirror-search.js';
import type { SyncInput } from './options.js';

export async function runSync(own: Context, input: SyncInput): Promise<ValueResult | undefined> {
  const { folder, kinds = RECORD_KINDS, ending, onChange, search: given, ...rules } = input;
  const context = readingOnce(own);
  const { globalOptions, signal, note } = context;
  findCompressionByName(ending);
  if (context.dryRunLog) {
    const paging = { limit: undefined, offset: 0, pageSize: DEFAULT_PAGE_SIZE };
    for (const kind of kinds) {
      const search = await resolveSearch(given, context, kind);
      await collectItems((await searchPages(context, kind, search, paging)).pages);
    }
    return undefined;
  }
  const deployment = await openDeployment(context);
  const client = createDeploymentClient(context, deployment);
  const progress = createExportProgress(context);
  const outcome = await syncMirror({
    ...rules,
    folder,
    kinds,
    isAnyKind: input.kinds === undefined,
    query: await queryOf(given, context),
    sourceOf: (kind, watched) => sourceOf(input, context, watched, kind),
    ending,
    client,
    deployment: globalOptions.mock ? 'the built-in museum' : client.baseUrl,
    signal,
    note,
    onProgress: (written, total) => progress.update(written, total),
    deliver: onChange === undefined ? undefined : (file) => runChangeCommand(onChange, file, context),
  }).finally(progress.done);
  for (const each of outcome.kinds) noteManyMissing(each, note);
  const { changes, undelivered } = outcome;
  return {
    kind: 'value',
    text: [...outcome.kinds.map(sentence), ...(changes ? [`changes: ${changes}`] : [])].join('\n'),
    json: null,
    failure: () => undelivered,
  };
}

/** A deployment that has lost half of its records has probably lost its way. */
function noteManyMissing({ kind, records, added, removed }: KindOutcome, note: Context['note']): void {
  const before = records - added + removed;
  if (isLessThanHalf(records, before))
    note(
      `warning: ${kind}: ${formatCount(records, 'record')}, where the mirror had ${count(before)}; those removed are in the file of changes`,
    );
}

function sentence({ kind, records, isFirst, added, removed, changed, missed }: KindOutcome): string {
  if (isFirst) return `${kind}: ${formatCount(records, 'record')}`;
  const unseen =
    missed > 0 ? `; ${count(missed)} of the changes were not shown by the field of --newest-first` : '';
  return `${kind}: ${count(added)} added, ${count(removed)} removed, ${count(changed)} changed, ${count(records)} in all${unseen}`;
}

/** Runs the command of `--on-change`. The file is an argument of the shell, so that nothing in its name is a command. */
async function runChangeCommand(
  command: string,
  changes: string,
  { environment, signal }: Context,
): Promise<OpacError | undefined> {
  const file = resolve(changes);
  const isWindows = process.platform === 'win32';
  const [shell, words] = isWindows ? [command, []] : ['/bin/sh', ['-c', command, 'opac', file]];
  const child = spawn(shell, words, {
    // Its output is no data of ours.
    stdio: ['ignore', 2, 2],
    env: { ...environment, OPAC_CHANGES: file },
    shell: isWindows,
    signal,
  });
  const ended = await new Promise<string | number | null>((done) => {
    child.once('error', ({ message }) => done(message));
    child.once('close', (code, by) => done(code ?? by));
  });
  if (ended === 0) return undefined;
  return new OpacError('internal', `the command of --on-change ended with ${ended}`, {
    hint: `the mirror is up to date; the next run with --on-change hands on "${changes}" again`,
  });
}
