/** A lock between processes for a change that takes milliseconds. */
import { acquireLock } from '../../system/lock.js';

const MAX_WAIT_MS = 20_000;

/** Runs the task under a lock. Throws an OpacError of kind `locked` if another process has the lock. */
export async function withLock<T>(path: string, task: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(path, 'the profiles', { timeout: MAX_WAIT_MS, mode: 0o600 });
  try {
    return await task();
  } finally {
    await lock.release();
  }
}
