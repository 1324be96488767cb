/** A lock between processes for what takes milliseconds: a lock of some age was left by a process that died. */
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { OpacError } from '../../service/errors.js';
import { createLockFile, isAlive, removeLockFile, removeStaleLock } from '../../system/lock.js';

const STALE_AFTER_MS = 10_000;
const MAX_WAIT_MS = 15_000;

/** Takes the lock of a process that died. Throws an OpacError of kind `internal` without the lock, or what the task throws. */
export async function withLock<T>(path: string, task: () => Promise<T>): Promise<T> {
  const mark = `${process.pid} ${randomBytes(6).toString('hex')}`;
  const started = performance.now();
  while (!(await createLockFile(path, mark, 0o600))) {
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

async function isStale(path: string, mark: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  if (Math.abs(Date.now() - mtimeMs) > STALE_AFTER_MS) return true;
  const holder = Number.parseInt(mark, 10);
  return holder > 0 && !isAlive(holder);
}
