/** Runs `opac sync` and the command of `--on-change`. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isLessThanHalf } from '../../../export/verify/completeness.js';
import { syncMirror } from '../../../mirror/sync-mirror.js';
import type { KindOutcome } from '../../../mirror/sync-options.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount } from '../../../service/format-numbers.js';
import { RECORD_KINDS } from '../../../service/kinds.js';
import { findCompressionByName } from '../../../system/compression.js';
import { createDeploymentClient, openDeployment } from '../../connect.js';
import type { Context } from '../../context.js';
import type { ValueResult } from '../../description/result.js';
import { withoutSecrets } from '../../options/environment.js';
import { count } from '../../output/terminal/numbers.js';
import { createReadProgress } from '../search/progress.js';
import { resolveSearch } from '../search/resolve-search.js';
import { requestPages } from '../search/search-pages.js';
import { cacheTexts, createMirrorQuery, createMirrorSource } from './mirror-search.js';
import type { SyncInput } from './options.js';
import { checkReport, writeReport } from './report.js';

export async function runSync(own: Context, input: SyncInput): Promise<ValueResult | undefined> {
  const { folder, kinds = RECORD_KINDS, ending, onChange, report, search: given, ...rules } = input;
  const context = cacheTexts(own);
  const { globalOptions, signal, note, warn } = context;
  if (ending) findCompressionByName(ending);
  if (context.dryRunLog) {
    for (const kind of kinds) await requestPages(context, kind, await resolveSearch(given, context, kind));
    return undefined;
  }
  if (report !== undefined) await checkReport(context, report);
  const deployment = await openDeployment(context);
  const client = createDeploymentClient(context, deployment);
  const progress = createReadProgress(context);
  const outcome = await syncMirror({
    ...rules,
    folder,
    kinds,
    skipsMissingKinds: input.kinds === undefined,
    query: await createMirrorQuery(given, context),
    sourceOf: (kind, watched) => createMirrorSource(input, context, watched, kind),
    ending,
    client,
    deployment: globalOptions.mock ? 'the built-in museum' : client.baseUrl,
    signal,
    note,
    warn,
    onLockWait: ({ message }) => note(`${message}; waiting for it`),
    onProgress: (written, total) => progress.update(written, total),
    deliver: onChange === undefined ? undefined : (file) => runChangeCommand(onChange, file, context),
  }).finally(progress.done);
  for (const each of outcome.kinds) warnManyMissing(each, warn);
  // The signal may be aborted because the command of --on-change was too slow. opac still writes the report.
  const reporting = signal.aborted ? { ...context, signal: new AbortController().signal } : context;
  if (report !== undefined) await writeReport(reporting, report, outcome);
  const { changes, undelivered } = outcome;
  const lines = [...outcome.kinds.map(formatOutcome), ...(changes ? [`changes: ${changes}`] : [])];
  return {
    kind: 'value',
    text: globalOptions.quiet ? '' : lines.join('\n'),
    json: { kinds: outcome.kinds.map((each) => ({ ...each })), changes: changes ?? null },
    failure: () => undelivered,
  };
}

/** Warns if the number of records has fallen by more than half, because the deployment then probably has a problem. */
function warnManyMissing({ kind, records, added, removed }: KindOutcome, warn: Context['note']): void {
  const before = records - added + removed;
  if (isLessThanHalf(records, before))
    warn(
      `${kind}: only ${formatCount(records, 'record')}; the mirror had ${count(before)}; the change log lists the removed records`,
    );
}

function formatOutcome({ kind, records, isFirst, added, removed, changed, missed }: KindOutcome): string {
  if (isFirst) return `${kind}: ${formatCount(records, 'record')}`;
  const unseen = missed > 0 ? `; ${formatCount(missed, 'edit')} did not change the --newest-first field` : '';
  return `${kind}: ${count(added)} added, ${count(removed)} removed, ${count(changed)} changed, ${count(records)} in total${unseen}`;
}

/** In milliseconds. */
const MAX_WAIT_AFTER_SIGTERM = 3000;

/** Ends the shell and all programs that it started. A program may ignore SIGTERM, so opac sends SIGKILL later. */
async function endGroup(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const end = Date.now() + MAX_WAIT_AFTER_SIGTERM;
  while (Date.now() < end && signalGroup(pid, 0)) await setTimeout(50);
  signalGroup(pid, 'SIGKILL');
}

/** Sends a signal to a process group; 0 sends nothing. Returns false if all programs of the group have ended (POSIX, kill). */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Passes the path as an argument or a variable, so that the shell never interprets the path. */
async function runChangeCommand(
  command: string,
  changes: string,
  { environment, signal }: Context,
): Promise<OpacError | undefined> {
  const file = resolve(changes);
  const isWindows = process.platform === 'win32';
  const [shell, words] = isWindows ? [command, []] : ['/bin/sh', ['-c', command, 'opac', file]];
  const child = spawn(shell, words, {
    // Standard output is reserved for the data of opac.
    stdio: ['ignore', 2, 2],
    env: { ...withoutSecrets(environment), OPAC_CHANGES: file },
    shell: isWindows,
    detached: !isWindows,
    ...(isWindows && { signal }),
  });
  let groupEnd: Promise<void> | undefined;
  const stopGroup = () => {
    if (child.pid !== undefined) groupEnd = endGroup(child.pid);
  };
  if (!isWindows && signal.aborted) stopGroup();
  else if (!isWindows) signal.addEventListener('abort', stopGroup);
  const ended = await new Promise<string | number | null>((done) => {
    child.once('error', ({ message }) => done(message));
    child.once('close', (code, by) => done(code ?? by));
  });
  signal.removeEventListener('abort', stopGroup);
  await groupEnd;
  if (ended === 0) return undefined;
  const isLate = signal.reason?.code === 'deadline';
  const problem = isLate ? 'did not end before --deadline' : `failed (${ended})`;
  return new OpacError('internal', `the --on-change command ${problem}`, {
    code: isLate ? 'deadline' : undefined,
    hint: `the mirror is up to date; to repeat the command for "${changes}", run opac sync with --on-change again`,
  });
}
