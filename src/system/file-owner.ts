/** Compares the owners of files, because other users may create files with the names that opac uses. */
import { lstat } from 'node:fs/promises';

/**
 * Returns true if root or the owner of `created` owns `path`, or if a file does not exist. opac has created `created`. Does not
 * compare with the user of the process, because on some network file systems one user owns all files.
 */
export async function isOwnedLike(created: string, path: string): Promise<boolean> {
  const [own, found] = await Promise.all([created, path].map((each) => lstat(each).catch(() => undefined)));
  return !own || !found || found.uid === own.uid || found.uid === 0;
}
