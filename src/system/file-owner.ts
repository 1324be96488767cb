/** Compares the owners of files: other users may plant files with the names that opac uses. */
import { lstat } from 'node:fs/promises';

/**
 * Whether a file has the same owner as a file that this run has just created in the same folder, or belongs to root. Some network
 * file systems give all files to one user, who need not be the user of this process. True for a missing file.
 */
export async function isOwnedLike(created: string, path: string): Promise<boolean> {
  const [own, found] = await Promise.all([created, path].map((each) => lstat(each).catch(() => undefined)));
  return !own || !found || found.uid === own.uid || found.uid === 0;
}
