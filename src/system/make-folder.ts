/** Folders with those above them: `mkdir` with `recursive` never returns below /proc on Node 20. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, exists } from './error-code.js';
import { syncFolder } from './sync-folder.js';

/** Makes the folder and those above it where they are missing, and lasting. Throws the error of the file system. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, mode);
    await syncFolder(dirname(path));
  } catch (error) {
    if (await isFolder(path)) return;
    const parent = dirname(path);
    if (errorCode(error) !== 'ENOENT' || (await exists(parent))) throw error;
    await makeFolder(parent, mode);
    await makeFolder(path, mode);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
