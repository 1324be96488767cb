/** Lets one run at a time write a target: a file beside it names the process. */
import { hostname } from 'node:os';
import { OpacError, UsageError } from '../service/errors.js';
import { tryParseJson } from '../service/parse-json.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';
import { errorCode } from './error-code.js';
import { fileError } from './file-error.js';
import { createLockFile, isAlive, removeLockFile, removeStaleLock } from './lock-file.js';
import { checkContent, SIZE } from './schema.js';
import * as v from './valibot.js';

export interface Lock {
  release(): Promise<void>;
}

export interface LockWait {
  readonly within?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((error: OpacError) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** What the error recommends first: `use --wait-lock, or `. */
  readonly advice?: string | undefined;
}

const BETWEEN_TRIES = 250;

/** The largest number of a process that any system gives is below 2^31. */
const HOLDER = v.object({ pid: v.pipe(SIZE, v.minValue(1), v.maxValue(2 ** 31 - 1)), host: v.string() });

/** The locks of this process. */
const held = new Set<string>();

/**
 * Takes over the lock of a dead process of this machine. Throws an OpacError: `locked` when another run holds it, `usage` for a
 * file that is no lock, `internal` when the folder cannot be written.
 */
export async function takeLock(path: string, target: string, waiting: LockWait = {}): Promise<Lock> {
  const { within = 0, signal, onWait, advice = '', clock = SYSTEM_CLOCK } = waiting;
  const end = clock.now() + within;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await tryLock(path, target, advice);
    } catch (error) {
      const left = end - clock.now();
      if (!(error instanceof OpacError) || error.kind !== 'locked' || left <= 0) throw error;
      if (isFirst) onWait?.(error);
      await clock.sleep(Math.min(BETWEEN_TRIES, left), signal);
    }
  }
}

async function tryLock(path: string, target: string, advice: string): Promise<Lock> {
  const content = JSON.stringify({ pid: process.pid, host: hostname() });
  try {
    while (!(await createLockFile(path, content))) await removeStale(path, target, advice);
  } catch (error) {
    throw fileError(error, 'write', target);
  }
  held.add(path);
  return {
    async release() {
      held.delete(path);
      await removeLockFile(path);
    },
  };
}

async function removeStale(path: string, target: string, advice: string): Promise<void> {
  let isStale = false;
  try {
    await removeStaleLock(path, (content) => {
      assertStale(content, path, target, advice);
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
function assertStale(content: string, path: string, target: string, advice: string): void {
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
