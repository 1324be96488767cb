/** Folders and files that only their owner can read. */
import { chmod, lstat, stat } from 'node:fs/promises';
import { OpacError } from '../../service/errors.js';
import { errorCode } from '../../system/error-code.js';
import { makeFolder } from '../../system/folders.js';

const PERMISSIONS = 0o777;
const GROUP_AND_OTHERS = 0o077;
const STICKY = 0o1000;

/** Bytes of a file of profiles. */
const MAX_PROFILES_BYTES = 16 * 1024 * 1024;

export const currentUser = (): number | undefined => process.getuid?.();

/** What the file system says of a path, by `stat` or `lstat`; undefined where nothing is. */
async function statIfExists(path: string, read = stat) {
  return read(path).catch((error) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** Throws an OpacError for a folder or file of another user, who could read and replace what is written. */
export async function assertOwner(path: string, user: number | undefined): Promise<void> {
  const found = await statIfExists(path);
  if (user === undefined || !found || found.uid === user) return;
  throw new OpacError('internal', `cannot store credentials in "${path}": it belongs to another user`, {
    hint: 'run opac as its owner, or set OPAC_CONFIG_DIR to a folder of your own',
  });
}

/**
 * Throws an OpacError for a file that others can read or write, and for a link, which may lead to anybody's file. Windows has
 * other permissions.
 */
export async function assertPrivateFile(path: string): Promise<void> {
  const found = await statIfExists(path, lstat);
  if (process.platform === 'win32' || !found) return;
  const refuse = (fact: string, hint: string) =>
    new OpacError('internal', `cannot use "${path}": ${fact}`, { hint, code: 'permission-denied' });
  if (!found.isFile()) throw refuse('it is not a regular file', 'put the file itself there');
  if (found.size > MAX_PROFILES_BYTES) throw refuse('it is larger than 16 MB', 'put the file itself there');
  if (found.mode & GROUP_AND_OTHERS) throw refuse('others can read or change it', `run: chmod 600 "${path}"`);
}

/** A folder with the sticky bit (`/tmp`) is shared on purpose and protects its files by itself, so its mode stays. */
export async function makePrivateFolder(path: string, removed = 0o077): Promise<void> {
  await makeFolder(path, 0o700);
  const { mode } = await stat(path);
  if (process.platform === 'win32' || mode & STICKY || !(mode & removed)) return;
  await chmodWhereWritable(path, mode & PERMISSIONS & ~removed);
}

export async function makePrivateFile(path: string): Promise<void> {
  const found = await statIfExists(path);
  if (process.platform !== 'win32' && found && (found.mode & PERMISSIONS) !== 0o600)
    await chmodWhereWritable(path, 0o600);
}

/** A read-only file system (a mounted secret) keeps its modes; what it holds can still be read. */
async function chmodWhereWritable(path: string, mode: number): Promise<void> {
  await chmod(path, mode).catch((error) => {
    if (errorCode(error) !== 'EROFS') throw error;
  });
}
