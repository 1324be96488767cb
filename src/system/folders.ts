/** Makes folders, and makes the names in them durable. */
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, pathExists } from './error-code.js';

/**
 * Makes the folder and those above it where they are missing, and durable; `mkdir` with `recursive` never returns below /proc
 * on Node 20. Throws the error of the file system.
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
 * Makes the names in a folder durable: syncing a file keeps its bytes, not its name. Never throws: Windows and some network
 * file systems cannot do it, and most file systems keep names in order.
 */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
