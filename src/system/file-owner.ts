/** Compares the owners of files, because other users may create files with the names that opac uses. */
import { lstat } from 'node:fs/promises';

/**
 * `created`: a file that opac created. Returns true if `path` belongs to root or to the owner of `created`, or if one of the
 * files does not exist.
 * Does not compare with the user of the process, because on some network file systems one user owns all files.
 */
export async function isOwnedLike(created: string, path: string): Promise<boolean> {
  const [own, found] = await Promise.all([created, path].map((each) => lstat(each).catch(() => undefined)));
  return !own || !found || found.uid === own.uid || found.uid === 0;
}
