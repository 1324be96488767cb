/** Checks the owner and the permissions of folders and files with credentials, and creates private folders. */
import { chmod, lstat, stat } from 'node:fs/promises';
import { OpacError } from '../../service/errors.js';
import { errorCode } from '../../system/error-code.js';
import { makeFolder } from '../../system/folders.js';

const PERMISSIONS = 0o777;
const GROUP_AND_OTHERS = 0o077;
const STICKY = 0o1000;

const MAX_PROFILES_BYTES = 16 * 1024 * 1024;

async function statIfExists(path: string, read = stat) {
  return read(path).catch((error) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** Throws an OpacError for a folder or file of another user, who could read and replace its contents. */
export async function assertOwner(path: string, user: number | undefined): Promise<void> {
  const [found, link] = [await statIfExists(path), await statIfExists(path, lstat)];
  // The owner of a link chooses where it leads.
  const isSafeLink = link?.uid === user || link?.uid === 0;
  if (user === undefined || !found || (found.uid === user && isSafeLink)) return;
  throw new OpacError('internal', `cannot store credentials in "${path}": it belongs to another user`, {
    hint: 'run opac as its owner, or set OPAC_CONFIG_DIR to a folder that you own',
  });
}

/** Throws an OpacError if other users can read or change the file, or for a link, a folder or a very large file. */
export async function assertPrivateFile(path: string): Promise<void> {
  const found = await statIfExists(path, lstat);
  if (process.platform === 'win32' || !found) return;
  const createError = (fact: string, hint: string) =>
    new OpacError('internal', `cannot use "${path}": ${fact}`, { hint, code: 'permission-denied' });
  if (!found.isFile()) throw createError('it is not a regular file', 'replace it with a regular file');
  if (found.size > MAX_PROFILES_BYTES)
    throw createError('it is larger than 16 MB', 'replace it with a valid profile file');
  if (found.mode & GROUP_AND_OTHERS)
    throw createError('other users can read or change it', `run: chmod 600 "${path}"`);
}

/**
 * Creates the folder. If the folder exists, removes the permission bits in `removed`. Does not change a folder with the sticky
 * bit, such as `/tmp`.
 */
export async function makePrivateFolder(path: string, removed = 0o077): Promise<void> {
  await makeFolder(path, 0o700);
  const { mode } = await stat(path);
  if (process.platform === 'win32' || mode & STICKY || !(mode & removed)) return;
  await chmod(path, mode & PERMISSIONS & ~removed).catch((error) => {
    // opac cannot change modes in a read-only file system, such as a mounted secret, but can read the files.
    if (errorCode(error) !== 'EROFS') throw error;
  });
}
