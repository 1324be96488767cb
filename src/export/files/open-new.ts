/** Files of ours are made new: a file or a link that waits at their name is removed, and a link is never followed. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { errorCode } from '../../system/file-errors.js';

/** Whoever puts a file there again and again does not want us to write. */
const TRIES = 5;

/** Opens a file that was not there before, for writing. Throws the error of the file system. */
export async function openNew(path: string): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    try {
      // O_EXCL does not follow a link, not even a dangling one (POSIX, open).
      return await open(path, 'wx');
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || tries === TRIES) throw error;
      const there = await lstat(path);
      // A device or a pipe is not ours to remove; it is written to, but not waited for.
      if (!there.isFile() && !there.isSymbolicLink()) return open(path, AS_IT_IS);
      await unlink(path);
    }
  }
}

/** Windows has neither of the last two. */
const AS_IT_IS = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a file that an earlier run made, to go on with it. Throws the error of the file system, and for a link or a device. */
export async function openOurs(path: string): Promise<FileHandle> {
  // Windows has no O_NOFOLLOW.
  const handle = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error('it is not a regular file');
}
