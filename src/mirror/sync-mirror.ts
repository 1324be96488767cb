/** Updates a mirror, for commands and for the library. */
import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../client/client.js';
import { InvalidUtf8Counter } from '../records/json/invalid-utf8.js';
import { OpacError } from '../service/errors.js';
import { VERSION } from '../service/version.js';
import { FileError, fileError } from '../system/file-error.js';
import { makeFolder } from '../system/folders.js';
import { acquireLock, type Lock } from '../system/lock.js';
import { replaceFile } from '../system/replace-file.js';
import { ChangeLog } from './change-log.js';
import {
  CHANGES,
  clearStagingFolder,
  commit,
  finishCommit,
  formatTimeForFileName,
  getStagingFolder,
} from './commit.js';
import { type KindResult, runKind, UNCHANGED_HINT } from './kind-run.js';
import {
  assertSameSettings,
  CHANGES_FOLDER,
  MIRROR_FORMAT,
  type MirrorState,
  readMirrorState,
  STATE_FILE,
  serializeState,
} from './mirror-state.js';
import {
  type KindOutcome,
  type ResolvedSyncOptions,
  SNAPSHOT_EXTENSIONS,
  type SyncOptions,
} from './sync-options.js';

/** The result of a run: counts by kind, and the change log. */
export interface SyncOutcome {
  readonly kinds: readonly KindOutcome[];
  /** The path of the change log; undefined if nothing changed. */
  readonly changes: string | undefined;
  /** The error of `deliver`, if it failed. */
  readonly undelivered: OpacError | undefined;
}

/**
 * Updates a mirror. If reading the records fails, the mirror stays unchanged. Throws an OpacError, for example of these kinds:
 * - `usage`: the mirror has other settings or is from a newer version of opac
 * - `locked`: another run is updating the mirror
 * - `deployment`: the deployment fails before its first valid response
 * - `incomplete`: records are missing, the disk fails, or the deployment fails after its first valid response
 */
export async function syncMirror(options: SyncOptions): Promise<SyncOutcome> {
  const { folder, keep, waitLock: timeout, note, onLockWait: onWait } = options;
  await makeFolder(folder).catch((error) =>
    Promise.reject(createRunError(fileError(error, 'write in', folder), false)),
  );
  const lock = await acquireLock(join(folder, '.lock'), folder, {
    timeout,
    signal: options.signal,
    onWait,
    onTakeover: note,
    advice: 'use --wait-lock 5m, or ',
  }).catch((error) => Promise.reject(createRunError(error, false)));
  const signal = AbortSignal.any([lock.lost, options.signal]);
  try {
    await finishCommit(folder, keep);
    const before = await readMirrorState(folder);
    const run = { ...options, signal, ending: options.ending ?? before?.ending ?? SNAPSHOT_EXTENSIONS[0] };
    if (before) assertSameSettings(folder, before, run);
    const { kinds, state } = await updateMirror(run, before, lock);
    const undelivered = await deliverPending(state, run, lock);
    return { kinds, changes: state.changes && join(folder, state.changes), undelivered };
  } catch (error) {
    if (error instanceof OpacError && error.kind === 'interrupted') throw error;
    throw signal.aborted ? (signal.reason ?? error) : createRunError(error, false);
  } finally {
    await lock.release();
  }
}

async function updateMirror(options: ResolvedSyncOptions, before: MirrorState | undefined, lock: Lock) {
  const { folder, keep } = options;
  // File names contain this time, so it must be later than the time of the last run, even if the clock was set back.
  const last = before ? Date.parse(before.updated) || 0 : 0;
  const updated = new Date(Math.max(Date.now(), last + 1)).toISOString();
  let hasResponse = false;
  const fetch = async (...request: Parameters<Client['fetch']>) => {
    const response = await options.client.fetch(...request);
    hasResponse = true;
    return response;
  };
  const client = { ...options.client, fetch: fetch as Client['fetch'] };
  const changeLog = new ChangeLog(join(getStagingFolder(folder), CHANGES));
  try {
    const results = await readKinds({ ...options, client }, before, changeLog);
    const kinds = results.map(({ outcome }) => outcome);
    const name = join(CHANGES_FOLDER, `${formatTimeForFileName(updated)}.ndjson`);
    const changes = changeLog.isEmpty ? undefined : name;
    const state = createState(options, before, { updated, changes }, results);
    lock.assertHeld();
    await commit(folder, state, keep);
    return { kinds, state };
  } catch (error) {
    // If another run took over the lock, the staging folder belongs to that run.
    lock.assertHeld();
    await clearStagingFolder(folder).catch(() => undefined);
    const { reason } = options.signal;
    if (reason instanceof OpacError && reason.kind === 'interrupted')
      throw new OpacError('interrupted', reason.message, { hint: UNCHANGED_HINT, cause: error });
    throw createRunError(error, hasResponse);
  }
}

async function readKinds(
  sync: ResolvedSyncOptions,
  before: MirrorState | undefined,
  changeLog: ChangeLog,
): Promise<readonly KindResult[]> {
  const { folder, client, signal, ending } = sync;
  const staging = getStagingFolder(folder);
  const temporary = join(staging, '.temporary');
  await clearStagingFolder(folder);
  await mkdir(temporary, { recursive: true }).catch((error) =>
    Promise.reject(fileError(error, 'write in', staging)),
  );
  const isFull = isFullRun(sync, before);
  const results: KindResult[] = [];
  try {
    for (const kind of sync.kinds) {
      const source = await sync.sourceOf(kind, client);
      const reading = { kind, source, notUtf8: new InvalidUtf8Counter(kind), signal };
      const known = isFull ? undefined : before?.kinds[kind];
      const [current, target] = [join(folder, `${kind}.${ending}`), join(staging, `${kind}.${ending}`)];
      const result = await runKind({ sync, reading, known, current, target, temporary, changeLog });
      if (result) results.push(result);
      if (before && result && lostSnapshot([result], before))
        sync.warn(`"${current}" is missing, so opac cannot find the changes`);
    }
    await changeLog.sync();
  } finally {
    await changeLog.close();
  }
  await rm(temporary, { recursive: true, force: true });
  return results;
}

function isFullRun(
  { newestFirst, fullEvery }: ResolvedSyncOptions,
  before: MirrorState | undefined,
): boolean {
  return newestFirst === undefined || !before || before.sinceFull + 1 >= fullEvery;
}

function createState(
  options: ResolvedSyncOptions,
  before: MirrorState | undefined,
  { updated, changes }: Pick<MirrorState, 'updated' | 'changes'>,
  results: readonly KindResult[],
): MirrorState {
  const { deployment, query, ending, deliver } = options;
  // After the first run with `deliver`, runs without `deliver` also add their change logs to `pending`.
  const keepsPending = deliver !== undefined || before?.pending !== undefined;
  const pending = [...(before?.pending ?? []), ...(changes ? [changes] : [])];
  const isUnchanged = !changes && (!before || (before.unchangedSince && !lostSnapshot(results, before)));
  const kinds = Object.fromEntries(results.map(({ outcome, state }) => [outcome.kind, state]));
  return {
    format: MIRROR_FORMAT,
    tool: `opac ${VERSION}`,
    deployment,
    query,
    ending,
    runs: (before?.runs ?? 0) + 1,
    sinceFull: isFullRun(options, before) ? 0 : (before?.sinceFull ?? 0) + 1,
    updated,
    changes,
    ...(keepsPending && { pending }),
    ...(isUnchanged && { unchangedSince: before?.unchangedSince ?? updated }),
    kinds: { ...before?.kinds, ...kinds },
  };
}

function lostSnapshot(results: readonly KindResult[], before: MirrorState): boolean {
  return results.some(({ outcome }) => outcome.isFirst && before.kinds[outcome.kind] !== undefined);
}

function createRunError(error: unknown, hasResponse: boolean): unknown {
  const fault = error instanceof FileError ? error.fault : undefined;
  const isOfDeployment = error instanceof OpacError && error.kind === 'deployment' && hasResponse;
  if (!(error instanceof OpacError) || !(fault?.isDiskProblem || isOfDeployment)) return error;
  const hint = fault ? `${fault.remedy}; ${UNCHANGED_HINT}` : UNCHANGED_HINT;
  return new OpacError('incomplete', error.message, { hint, code: error.code, cause: error });
}

/** Calls `deliver` for each pending change log, the oldest first, until a call fails. Saves the state after each success. */
async function deliverPending(
  state: MirrorState,
  { folder, deliver, note, signal }: ResolvedSyncOptions,
  lock: Lock,
): Promise<OpacError | undefined> {
  if (!deliver) return undefined;
  const pending = [...(state.pending ?? [])];
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    signal.throwIfAborted();
    const file = join(folder, name);
    const isFile = await lstat(file).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) {
      const failure = await deliver(file);
      // If the deadline stopped `deliver`, returns `failure`. The reason of the signal would say that the deployment failed.
      if (failure?.code !== 'deadline') signal.throwIfAborted();
      if (failure) return failure;
    } else note(`"${file}" is missing or not a file, so opac skips it`);
    lock.assertHeld();
    await replaceFile(join(folder, STATE_FILE), serializeState({ ...state, pending }));
  }
  return undefined;
}
