/** Files of ours that others may have replaced: regular files only, opened at once and never through a link. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { errorCode } from './error-code.js';

/** Something else is at the path of a file of ours: a link, a device, a pipe, a folder, or what we never write. */
export class NotRegularFileError extends Error {
  constructor(path: string, is = 'is not a regular file') {
    super(`"${path}" ${is}`);
    this.name = 'NotRegularError';
  }
}

/** Windows has neither, so a link is followed there. O_NONBLOCK: nobody waits for the other end of a pipe. */
const NO_FOLLOW_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a file to write to it and read it, or with the flags given. Throws a NotRegularError, or the error of the file system. */
export async function openRegularFile(path: string, flags = constants.O_RDWR): Promise<FileHandle> {
  const handle = await open(path, flags | NO_FOLLOW_FLAGS).catch((error) =>
    Promise.reject(errorCode(error) === 'ELOOP' ? new NotRegularFileError(path) : error),
  );
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotRegularFileError(path);
}

/** Bytes: ten times the checkpoint of the largest exports. */
const MAX_BYTES = 128 * 1024 * 1024;

/** The text of a file; throws as `openOurs` does, and for one that is too large. */
export async function readRegularFile(path: string): Promise<string> {
  const handle = await openRegularFile(path, constants.O_RDONLY);
  try {
    if ((await handle.stat()).size > MAX_BYTES) throw new NotRegularFileError(path, 'is larger than 128 MB');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** After that, somebody keeps putting a file there. */
const MAX_TRIES = 5;

/** Creates a file, in place of a file or link at that path. Throws the error of the file system. */
export async function openExclusively(path: string, mode?: number): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    try {
      // O_EXCL does not follow a link, not even a dangling one (POSIX, open).
      return await open(path, 'wx', mode);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || tries === MAX_TRIES) throw error;
      const there = await lstat(path);
      // Devices and pipes are written to, not removed.
      if (!there.isFile() && !there.isSymbolicLink()) return open(path, constants.O_WRONLY | NO_FOLLOW_FLAGS);
      await unlink(path);
    }
  }
}
