/** Compares the owners of files, because other users may create files with the names that opac uses. */
import { lstat } from 'node:fs/promises';

/**
 * Returns true if `path` belongs to root, or to the owner of `created`, a file that this run has just created. This owner can be
 * different from the user of the process, because some network file systems give all files to one user. Returns true if one of
 * the two files does not exist.
 */
export async function isOwnedLike(created: string, path: string): Promise<boolean> {
  const [own, found] = await Promise.all([created, path].map((each) => lstat(each).catch(() => undefined)));
  return !own || !found || found.uid === own.uid || found.uid === 0;
}
