/** Creates folders, and makes the names in folders durable: they then survive a power cut. */
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, pathExists } from './error-code.js';

/** Also creates missing parents. Does not use `recursive` of `mkdir`, which never ends for a path in /proc on Node 20. */
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

/** Syncing a file does not save its name. Never throws: Windows and some network file systems cannot sync a folder. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
