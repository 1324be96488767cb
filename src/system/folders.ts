/** Creates folders and makes the file names in them durable. */
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, pathExists } from './error-code.js';

/** Also makes the names of new folders durable. Node 20 never returns from a recursive `mkdir` below /proc. */
export async function makeFolder(path: string, mode = 0o777, isRetry = false): Promise<void> {
  try {
    await mkdir(path, mode);
    await syncFolder(dirname(path));
  } catch (error) {
    const there = await stat(path).catch(() => undefined);
    if (there?.isDirectory()) return;
    const parent = dirname(path);
    if (errorCode(error) !== 'ENOENT' || isRetry) throw error;
    // Another task may have created the parent in the meantime.
    if (!(await pathExists(parent))) await makeFolder(parent, mode);
    await makeFolder(path, mode, true);
  }
}

/** Makes names durable, because syncing a file does not. Never throws: Windows and some network file systems cannot do it. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
