/** Opens files of opac that another user may have replaced, for example with a link. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { errorCode } from './error-code.js';

/** Thrown if the path of a file of opac is a link, a device, a pipe, a folder, or a file that is too large. */
export class NotRegularFileError extends Error {
  constructor(path: string, reason = 'is not a regular file') {
    super(`"${path}" ${reason}`);
    this.name = 'NotRegularFileError';
  }
}

/** O_NOFOLLOW refuses links. O_NONBLOCK prevents waits for the other end of a pipe. Windows has neither flag. */
const NO_FOLLOW_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function openRegularFile(path: string, flags = constants.O_RDWR): Promise<FileHandle> {
  const handle = await open(path, flags | NO_FOLLOW_FLAGS).catch((error) =>
    Promise.reject(errorCode(error) === 'ELOOP' ? new NotRegularFileError(path) : error),
  );
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotRegularFileError(path);
}

/** Limit for files of opac that are read completely: about ten times the size of the largest checkpoints. */
const MAX_BYTES = 128 * 1024 * 1024;

export async function readRegularFile(path: string): Promise<string> {
  const handle = await openRegularFile(path, constants.O_RDONLY);
  try {
    if ((await handle.stat()).size > MAX_BYTES) throw new NotRegularFileError(path, 'is larger than 128 MB');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** If all these tries fail, another program creates the file again and again. */
const MAX_TRIES = 5;

/** Removes an existing file or link first. Opens an existing device. Throws a NotRegularFileError for a pipe or a socket. */
export async function openExclusively(path: string, mode?: number): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    try {
      // O_EXCL does not follow a link, not even a dangling one (POSIX, open).
      return await open(path, 'wx', mode);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || tries === MAX_TRIES) throw error;
      const existing = await lstat(path);
      // Another user could read from this pipe or socket.
      if (existing.isFIFO() || existing.isSocket()) throw new NotRegularFileError(path);
      // opac writes to a device, and does not remove it.
      if (!existing.isFile() && !existing.isSymbolicLink())
        return open(path, constants.O_WRONLY | NO_FOLLOW_FLAGS);
      await unlink(path);
    }
  }
}
