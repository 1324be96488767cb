/** Compares the owners of files: other users may plant files with the names that opac uses. */
import { lstat } from 'node:fs/promises';

/**
 * Whether the file belongs to root or to the owner of `created`, which this run has just created in the same folder. Some
 * network file systems give all files to one user. Returns true for a missing file.
 */
export async function isOwnedLike(created: string, path: string): Promise<boolean> {
  const [own, found] = await Promise.all([created, path].map((each) => lstat(each).catch(() => undefined)));
  return !own || !found || found.uid === own.uid || found.uid === 0;
}
