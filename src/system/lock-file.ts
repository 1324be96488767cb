/** Files that lock something between processes: who may take one away is for its user to say. */
import { randomBytes } from 'node:crypto';
import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, isMissing } from './error-code.js';
import { readOurs } from './our-file.js';

/** File systems without hard links (exFAT) refuse them with these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Makes the file with that content; false where there is one already. `mode`: who may read it. Throws the error of the file system. */
export async function createLockFile(path: string, content: string, mode = 0o666): Promise<boolean> {
  const beside = besides(path);
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
    await removeLeftOvers(path);
    return true;
  } catch (error) {
    // What was written is gone: a holder on another machine took it for left over.
    if (errorCode(error) === 'EEXIST' || (isWritten && isMissing(error))) return false;
    throw error;
  } finally {
    await removeBeside(beside);
  }
}

/** Removes what processes left beside the lock that were killed while they took or removed one. */
async function removeLeftOvers(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const [, pid] = (name.startsWith(start) && /^(\d+)\.[\da-f]{12}$/.exec(name.slice(start.length))) || [];
    const beside = join(dirname(path), name);
    // In a restarted container this process may have the number of the dead one.
    const isUsed = Number(pid) === process.pid ? ours.has(beside) : isAlive(Number(pid));
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
  const aside = besides(path);
  try {
    const content = await readOurs(path);
    if (!(await isStale(content))) return;
    // Moved away before it is removed: had another process replaced it meanwhile, that one's lock is put back.
    await rename(path, aside);
    const moved = await readOurs(aside);
    if (moved !== content) await createLockFile(path, moved);
  } catch (error) {
    if (!isMissing(error)) throw error;
  } finally {
    await removeBeside(aside);
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
const ours = new Set<string>();

function besides(path: string): string {
  const beside = join(dirname(path), `${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}`);
  ours.add(beside);
  return beside;
}

async function removeBeside(beside: string): Promise<void> {
  await removeLockFile(beside);
  ours.delete(beside);
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
