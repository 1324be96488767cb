/** Opens input files, pipes and terminals. Reading does not block a thread, so a signal can end it. */
import { constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';

interface InputOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes per piece of a regular file. */
  readonly chunkBytes?: number;
}

/** Without O_NONBLOCK, opening a pipe without a writer blocks the process and even its exit. Windows does not have this flag. */
const NON_BLOCKING_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Throws the error of the file system. The stream throws read errors. */
export function openInput(path: string, { signal, chunkBytes }: InputOptions = {}): Readable {
  const fd = openSync(path, NON_BLOCKING_FLAGS);
  const waiting = isatty(fd)
    ? new ReadStream(fd)
    : fstatSync(fd).isFIFO()
      ? new Socket({ fd, readable: true, writable: false })
      : undefined;
  if (!waiting) return createReadStream(path, { fd, signal, highWaterMark: chunkBytes });
  return signal ? addAbortSignal(signal, waiting) : waiting;
}
