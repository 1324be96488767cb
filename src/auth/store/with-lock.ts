/** A lock between processes for tasks of milliseconds. An old lock was left by a process that died. */
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { OpacError } from '../../service/errors.js';
import { createLockFile, isAlive, removeLockFile, removeStaleLock } from '../../system/lock.js';

const STALE_AFTER_MS = 10_000;
const MAX_WAIT_MS = 15_000;

/** Runs a task under the lock. Throws an OpacError of kind `internal` if another process holds the lock for too long. */
export async function withLock<T>(path: string, task: () => Promise<T>): Promise<T> {
  const content = `${process.pid} ${randomBytes(6).toString('hex')}`;
  const started = performance.now();
  while (!(await createLockFile(path, content, 0o600))) {
    await removeStaleLock(path, (other) => isStale(path, other));
    if (performance.now() - started > MAX_WAIT_MS) {
      throw new OpacError('internal', `another opac holds the lock "${path}"`, {
        hint: 'when no other opac is running, delete that file',
      });
    }
    await wait(5 + Math.random() * 20);
  }
  try {
    return await task();
  } finally {
    await removeLockFile(path);
  }
}

async function isStale(path: string, content: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  if (Math.abs(Date.now() - mtimeMs) > STALE_AFTER_MS) return true;
  const holder = Number.parseInt(content, 10);
  return holder > 0 && !isAlive(holder);
}
