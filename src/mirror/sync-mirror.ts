/** Brings a mirror to the state of its deployment: the one function that commands and programs call. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpacError } from '../service/errors.js';
import { fileError } from '../system/file-error.js';
import { makeFolder } from '../system/folders.js';
import { takeLock } from '../system/lock.js';
import { replaceFile } from '../system/replace-file.js';
import { finishCommit } from './commit.js';
import { runMirror } from './mirror-run.js';
import { assertSameSearch, type MirrorState, printState, readMirrorState, STATE_FILE } from './state.js';
import type { KindOutcome, SyncOptions } from './sync-options.js';

export interface SyncOutcome {
  readonly kinds: readonly KindOutcome[];
  /** The file of what changed; undefined when nothing did. */
  readonly changes: string | undefined;
  /** Why changes were not taken. */
  readonly undelivered: OpacError | undefined;
}

/**
 * Makes a mirror, or brings it up to date. Nothing that an earlier run read is reused. Throws an OpacError and leaves the mirror as
 * it was: `usage` for a folder of another deployment or version, `locked` for one that another run holds, `deployment` when
 * nothing was received, `incomplete` when not everything was, or the disk is full.
 */
export async function syncMirror(options: SyncOptions): Promise<SyncOutcome> {
  const { folder, keep, signal } = options;
  await makeFolder(folder).catch((error) => Promise.reject(fileError(error, 'write in', folder)));
  const lock = await takeLock(join(folder, '.lock'), folder, { signal });
  try {
    await finishCommit(folder, keep);
    const before = await readMirrorState(folder);
    if (before) assertSameSearch(folder, before, options);
    const { outcomes, state } = await runMirror(options, before);
    const undelivered = await deliverPending(state, options);
    return { kinds: outcomes, changes: state.changes && join(folder, state.changes), undelivered };
  } catch (error) {
    throw signal.aborted ? (signal.reason ?? error) : error;
  } finally {
    await lock.release();
  }
}

/** Oldest first, until one is not taken. Each is pending until the state on the disk says that it was taken. */
async function deliverPending(
  state: MirrorState,
  { folder, deliver, note, signal }: SyncOptions,
): Promise<OpacError | undefined> {
  if (!deliver) return undefined;
  const pending = [...(state.pending ?? [])];
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    signal.throwIfAborted();
    const file = join(folder, name);
    if (await isFile(file)) {
      const failure = await deliver(file);
      signal.throwIfAborted();
      if (failure) return failure;
    } else note(`"${file}" is gone, so it cannot be handed on`);
    await replaceFile(join(folder, STATE_FILE), printState({ ...state, pending }));
  }
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
