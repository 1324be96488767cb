/** Creates folders and makes the file names in them durable. */
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, pathExists } from './error-code.js';

/**
 * Creates the folder and missing parent folders, and makes them durable. Node 20 never returns from a recursive `mkdir` below
 * /proc. Throws the error of the file system.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, mode);
    await syncFolder(dirname(path));
  } catch (error) {
    const there = await stat(path).catch(() => undefined);
    if (there?.isDirectory()) return;
    const parent = dirname(path);
    if (errorCode(error) !== 'ENOENT' || (await pathExists(parent))) throw error;
    await makeFolder(parent, mode);
    await makeFolder(path, mode);
  }
}

/**
 * Makes the names in a folder durable, because syncing a file saves its bytes but not its name. Never throws: Windows and some
 * network file systems do not support this, and most file systems save names in order anyway.
 */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
