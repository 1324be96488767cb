/** Lets one run at a time write a target: a file beside it names the process. Others may lock by such files with their own rules. */
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
  /** What the error recommends first: `use --wait-lock, or `. */
  readonly advice?: string | undefined;
}

const RETRY_INTERVAL_MS = 250;

/** The largest number of a process that any system gives is below 2^31. */
const HOLDER = v.object({ pid: v.pipe(SIZE, v.minValue(1), v.maxValue(2 ** 31 - 1)), host: v.string() });

/** The locks of this process. */
const held = new Set<string>();

/**
 * Takes over the lock of a dead process of this machine. Throws an OpacError: `locked` when another run holds it, `usage` for a
 * file that is no lock, `internal` when the folder cannot be written.
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
    const hint = `have its owner remove "${path}"`;
    if (isStale) throw fileError(error, 'remove the old lock', path, hint);
    throw new OpacError('locked', `another run is writing "${target}" (its lock is another user's)`, {
      hint: `${advice}${hint} if no such process exists`,
      cause: error,
    });
  }
}

/** Throws a UsageError for what no run of opac writes: waiting for its end would be in vain. */
function assertOwnerIsDead(content: string, path: string, target: string, advice: string): void {
  const { pid, host } = checkContent(HOLDER, tryParseJson(content), () => {
    const hint = `remove it if no other run writes "${target}"`;
    return new UsageError(`cannot use the lock "${path}": it is damaged`, hint);
  });
  // In a restarted container this process may have the number of the dead one.
  const isDead = pid === process.pid ? !held.has(path) : !isAlive(pid);
  if (host === hostname() && isDead) return;
  throw new OpacError('locked', `another run is writing "${target}" (process ${pid} on ${host})`, {
    hint: `${advice}remove "${path}" if no such process exists`,
  });
}

/** File systems without hard links (exFAT) refuse them with these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Makes the file with that content; false where there is one already. `mode`: who may read it. Throws the error of the file system. */
export async function createLockFile(path: string, content: string, mode = 0o666): Promise<boolean> {
  const beside = createTemporaryPath(path);
  let isWritten = false;
  try {
    // Synced, as a power cut must not leave a lock without its content.
    await writeNew(beside, content, mode);
    isWritten = true;
    // A link appears with its content or not at all.
    await link(beside, path).catch((error) => {
      if (!NO_LINKS.has(errorCode(error) ?? '')) throw error;
      return writeNew(path, content, mode);
    });
    await removeAbandonedFiles(path);
    return true;
  } catch (error) {
    // What was written is gone: a holder on another machine took it for left over.
    if (errorCode(error) === 'EEXIST' || (isWritten && isMissing(error))) return false;
    throw error;
  } finally {
    await removeTemporaryFile(beside);
  }
}

/** Removes what processes left beside the lock that were killed while they took or removed one. */
async function removeAbandonedFiles(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const [, pid] = (name.startsWith(start) && /^(\d+)\.[\da-f]{12}$/.exec(name.slice(start.length))) || [];
    const beside = join(dirname(path), name);
    // In a restarted container this process may have the number of the dead one.
    const isUsed = Number(pid) === process.pid ? activeTemporaryFiles.has(beside) : isAlive(Number(pid));
    if (pid !== undefined && !isUsed) await removeLockFile(beside);
  }
}

/** What a disk keeps against our will does no harm: the process that it names will be gone. */
export async function removeLockFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

/** Removes a lock of which `isStale` says so. Throws what that throws, a NotRegularError, or the error of the file system. */
export async function removeStaleLock(
  path: string,
  isStale: (content: string) => boolean | Promise<boolean>,
): Promise<void> {
  const aside = createTemporaryPath(path);
  try {
    const content = await readRegularFile(path);
    if (!(await isStale(content))) return;
    // Moved away before it is removed: had another process replaced it meanwhile, that one's lock is put back.
    await rename(path, aside);
    const moved = await readRegularFile(aside);
    if (moved !== content) await createLockFile(path, moved);
  } catch (error) {
    if (!isMissing(error)) throw error;
  } finally {
    await removeTemporaryFile(aside);
  }
}

/** Whether a process of that number runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Files beside locks that are in use now. */
const activeTemporaryFiles = new Set<string>();

function createTemporaryPath(path: string): string {
  const beside = join(dirname(path), `${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}`);
  activeTemporaryFiles.add(beside);
  return beside;
}

async function removeTemporaryFile(beside: string): Promise<void> {
  await removeLockFile(beside);
  activeTemporaryFiles.delete(beside);
}

async function writeNew(path: string, content: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
