/** Creates and removes lock files. If the file system has hard links, a lock file is never empty. */
import { randomBytes } from 'node:crypto';
import { link, open, readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, isMissing } from './error-code.js';

/** File systems without hard links (exFAT) refuse them with these codes. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Returns false if the lock file exists, or another run deleted the temporary file of this run. Throws file system errors. */
export async function createLockFile(path: string, content: string, mode = 0o666): Promise<boolean> {
  const temporary = createTemporaryPath(path);
  let isWritten = false;
  try {
    await writeNew(temporary, content, mode);
    isWritten = true;
    // The temporary file is complete, so the lock file appears together with its content.
    await link(temporary, path).catch((error) => {
      if (!NO_LINKS.has(errorCode(error) ?? '')) throw error;
      return writeNew(path, content, mode);
    });
    await removeAbandonedFiles(path);
    return true;
  } catch (error) {
    // A run on another machine cannot see this process, so it may have deleted the temporary file.
    if (errorCode(error) === 'EEXIST' || (isWritten && isMissing(error))) return false;
    throw error;
  } finally {
    await removeTemporaryFile(temporary);
  }
}

/** Removes the temporary files of processes that were killed while they created a lock. */
async function removeAbandonedFiles(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const [, pid] = (name.startsWith(start) && /^(\d+)\.[\da-f]{12}$/.exec(name.slice(start.length))) || [];
    const temporary = join(dirname(path), name);
    // In a restarted container, this process may have the same process id as the killed process.
    const isUsed = Number(pid) === process.pid ? temporaryFiles.has(temporary) : isAlive(Number(pid));
    if (pid !== undefined && !isUsed) await removeLockFile(temporary);
  }
}

/** Never throws. If the lock file remains, no process updates its modification time, so the next run takes over the lock. */
export async function removeLockFile(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

export function isAlive(pid: number): boolean {
  try {
    // Signal 0 only checks whether the process exists (POSIX, kill).
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

const temporaryFiles = new Set<string>();

function createTemporaryPath(path: string): string {
  const temporary = join(dirname(path), `${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}`);
  temporaryFiles.add(temporary);
  return temporary;
}

async function removeTemporaryFile(temporary: string): Promise<void> {
  await removeLockFile(temporary);
  temporaryFiles.delete(temporary);
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
