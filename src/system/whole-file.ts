/** Writes small files whole or not at all. */
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError } from './file-error.js';
import { openNew } from './open-new.js';
import { syncFolder } from './sync-folder.js';

/** Replaces a file atomically, also across a power cut. Throws an OpacError when the disk fails. */
export async function writeWhole(path: string, content: string): Promise<void> {
  const beside = `${path}.new`;
  try {
    await writeSynced(beside, content);
    await rename(beside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(beside).catch(() => undefined);
    throw fileError(error, 'write', path);
  }
}

/** Survives a power cut once it returns. */
export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const handle = await openNew(path);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
