/** Creates our files anew: removes a file or link in their place, and never follows a link. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { errorCode } from './error-code.js';

/** After that, somebody keeps putting a file there. */
const TRIES = 5;

/** Opens a new file for writing. Throws the error of the file system. */
export async function openNew(path: string): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    try {
      // O_EXCL does not follow a link, not even a dangling one (POSIX, open).
      return await open(path, 'wx');
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || tries === TRIES) throw error;
      const there = await lstat(path);
      // Devices and pipes are written to, not removed, and not waited for.
      if (!there.isFile() && !there.isSymbolicLink()) return open(path, AS_IT_IS);
      await unlink(path);
    }
  }
}

/** Windows has neither of the last two. */
const AS_IT_IS = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Throws when there is no file of so many bytes: another program took its place, or cut it, and it must not become the target. */
export async function assertWritten(path: string, bytes: number): Promise<void> {
  const there = await lstat(path);
  if (!there.isFile() || there.size !== bytes) throw new Error('another program changed it meanwhile');
}
