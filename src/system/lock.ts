/** Lets one run at a time write a target. A lock file names the process. Other locks can use the same files with other rules. */
import { randomBytes } from 'node:crypto';
import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { OpacError, UsageError } from '../service/errors.js';
import { tryParseJson } from '../service/parse-json.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';
import { errorCode, isMissing } from './error-code.js';
import { fileError } from './file-error.js';
import { readRegularFile } from './regular-file.js';
import { checkContent, SIZE } from './schema.js';
import * as v from './valibot.js';

export interface Lock {
  release(): Promise<void>;
}

export interface LockOptions {
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((error: OpacError) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** The first words of the hint: `use --wait-lock, or `. */
  readonly advice?: string | undefined;
}

const RETRY_INTERVAL_MS = 250;

/** On all systems a process id is below 2^31. */
const HOLDER = v.object({ pid: v.pipe(SIZE, v.minValue(1), v.maxValue(2 ** 31 - 1)), host: v.string() });

/** The locks that this process holds. */
const held = new Set<string>();

/**
 * Takes the lock, also from a dead process on this machine. Throws an OpacError: `locked` if another run holds it, `usage` if
 * the file is not a lock, `internal` if the folder is not writable.
 */
export async function acquireLock(path: string, target: string, waiting: LockOptions = {}): Promise<Lock> {
  const { timeout = 0, signal, onWait, advice = '', clock = SYSTEM_CLOCK } = waiting;
  const end = clock.now() + timeout;
  const content = JSON.stringify({ pid: process.pid, host: hostname() });
  for (let isFirst = true; ; isFirst = false) {
    try {
      while (!(await createLockFile(path, content))) await removeStale(path, target, advice);
      break;
    } catch (error) {
      const failure = fileError(error, 'write', target);
      const left = end - clock.now();
      if (failure.kind !== 'locked' || left <= 0) throw failure;
      if (isFirst) onWait?.(failure);
      await clock.sleep(Math.min(RETRY_INTERVAL_MS, left), signal);
    }
  }
  held.add(path);
  const release = () => {
    held.delete(path);
    return removeLockFile(path);
  };
  return { release };
}

async function removeStale(path: string, target: string, advice: string): Promise<void> {
  let isStale = false;
  try {
    await removeStaleLock(path, (content) => {
      assertOwnerIsDead(content, path, target, advice);
      isStale = true;
      return true;
    });
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
    const hint = `ask its owner to remove "${path}"`;
    if (isStale) throw fileError(error, 'remove the old lock', path, hint);
    throw new OpacError('locked', `another run is writing "${target}" (the lock belongs to another user)`, {
      hint: `${advice}${hint} if no such process exists`,
      cause: error,
    });
  }
}

/** Throws an OpacError of kind `locked` if the owner is alive, and a UsageError for a damaged lock, which no run will release. */
function assertOwnerIsDead(content: string, path: string, target: string, advice: string): void {
  const { pid, host } = checkContent(HOLDER, tryParseJson(content), () => {
    const hint = `remove it if no other run writes "${target}"`;
    return new UsageError(`cannot use the lock "${path}": it is damaged`, hint);
  });
  // In a restarted container this process may have the id of the dead process.
  const isDead = pid === process.pid ? !held.has(path) : !isAlive(pid);
  if (host === hostname() && isDead) return;
  throw new OpacError('locked', `another run is writing "${target}" (process ${pid} on ${host})`, {
    hint: `${advice}remove "${path}" if no such process exists`,
  });
}

/** Error codes of file systems without hard links (exFAT). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Creates the lock file; false if it already exists. Throws the error of the file system. */
export async function createLockFile(path: string, content: string, mode = 0o666): Promise<boolean> {
  const temporary = createTemporaryPath(path);
  let isWritten = false;
  try {
    // The file is synced, because a power cut must not leave a lock without content.
    await writeNewFile(temporary, content, mode);
    isWritten = true;
    // A hard link creates the lock together with its content.
    await link(temporary, path).catch((error) => {
      if (!NO_LINKS.has(errorCode(error) ?? '')) throw error;
      return writeNewFile(path, content, mode);
    });
    await removeAbandonedFiles(path);
    return true;
  } catch (error) {
    // A run on another machine removed the temporary file as abandoned.
    if (errorCode(error) === 'EEXIST' || (isWritten && isMissing(error))) return false;
    throw error;
  } finally {
    await removeTemporaryFile(temporary);
  }
}

/** Removes temporary files of processes that were killed while they took or removed the lock. */
async function removeAbandonedFiles(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const [, pid] = (name.startsWith(start) && /^(\d+)\.[\da-f]{12}$/.exec(name.slice(start.length))) || [];
    const temporary = join(dirname(path), name);
    // In a restarted container this process may have the id of the dead process.
    const isUsed = Number(pid) === process.pid ? activeTemporaryFiles.has(temporary) : isAlive(Number(pid));
    if (pid !== undefined && !isUsed) await removeLockFile(temporary);
  }
}

/** Ignores errors: a lock that stays behind is harmless, because its process will have ended. */
export async function removeLockFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

/** Removes a lock if `isStale`. Throws the errors of `isStale`, a NotRegularFileError, or the error of the file system. */
export async function removeStaleLock(
  path: string,
  isStale: (content: string) => boolean | Promise<boolean>,
): Promise<void> {
  const moved = createTemporaryPath(path);
  try {
    const content = await readRegularFile(path);
    if (!(await isStale(content))) return;
    // The lock is moved before it is removed. If another process replaced it in the meantime, its lock is restored.
    await rename(path, moved);
    const current = await readRegularFile(moved);
    if (current !== content) await createLockFile(path, current);
  } catch (error) {
    if (!isMissing(error)) throw error;
  } finally {
    await removeTemporaryFile(moved);
  }
}

/** Whether a process with that id runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    // Signal 0 only checks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Temporary files that this process uses now. */
const activeTemporaryFiles = new Set<string>();

function createTemporaryPath(path: string): string {
  const temporary = join(dirname(path), `${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}`);
  activeTemporaryFiles.add(temporary);
  return temporary;
}

async function removeTemporaryFile(path: string): Promise<void> {
  await removeLockFile(path);
  activeTemporaryFiles.delete(path);
}

async function writeNewFile(path: string, content: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
