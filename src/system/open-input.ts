/** Files that a user names as input, pipes and terminals among them: no thread waits in them, so that a signal ends the reading. */
import { constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';

interface InputOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of a piece of a regular file. */
  readonly chunkBytes?: number;
}

/** Windows has no O_NONBLOCK; without it, an open pipe that nobody writes to could not be left again, not even by an exit. */
const NON_BLOCKING_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The bytes of an input. Throws the error of the file system, and the stream those of reading. */
export function openInput(path: string, { signal, chunkBytes }: InputOptions = {}): Readable {
  const fd = openSync(path, NON_BLOCKING_FLAGS);
  const waits = isatty(fd)
    ? new ReadStream(fd)
    : fstatSync(fd).isFIFO()
      ? new Socket({ fd, readable: true, writable: false })
      : undefined;
  if (!waits) return createReadStream(path, { fd, signal, highWaterMark: chunkBytes });
  return signal ? addAbortSignal(signal, waits) : waits;
}
