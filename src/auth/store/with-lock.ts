/** A lock between processes: a file made only where there is none (O_EXCL). */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { OpacError } from '../../service/errors.js';

/** What is done under the lock takes milliseconds, so a lock of this age was left behind by a process that died. */
const STALE_AFTER = 10_000;
const GIVE_UP_AFTER = 15_000;

async function take(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(mark).finally(() => file.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the process that left the mark is known to be gone, or the lock is too old to be meant. */
async function isStale(path: string, mark: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  if (Math.abs(Date.now() - mtimeMs) > STALE_AFTER) return true;
  const holder = Number.parseInt(mark, 10);
  if (!(holder > 0)) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Takes a stale lock away. When another process was quicker and it is no longer the stale one, it is put back. */
async function clearStale(path: string): Promise<void> {
  try {
    const mark = await readFile(path, 'utf8');
    if (!(await isStale(path, mark))) return;
    const aside = `${path}.${randomBytes(6).toString('hex')}`;
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== mark) await link(aside, path);
    await unlink(aside);
  } catch (error) {
    // Gone already, or taken anew: the next try will tell.
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Takes the lock of a process that died. Throws an OpacError of kind `internal` without the lock, or what the task throws. */
export async function withLock<T>(path: string, task: () => Promise<T>): Promise<T> {
  const mark = `${process.pid} ${randomBytes(6).toString('hex')}`;
  const started = performance.now();
  while (!(await take(path, mark))) {
    await clearStale(path);
    if (performance.now() - started > GIVE_UP_AFTER) {
      throw new OpacError('internal', `another opac holds the lock "${path}"`, {
        hint: 'when no other opac is running, delete that file',
      });
    }
    await wait(5 + Math.random() * 20);
  }
  try {
    return await task();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}
