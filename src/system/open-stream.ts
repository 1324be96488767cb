/** Opens files, pipes and terminals that a user names. An AbortSignal can end the wait for a pipe. */
import { constants, createReadStream, createWriteStream, fstatSync, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { isatty, ReadStream } from 'node:tty';
import { errorCode } from './error-code.js';

interface InputOptions {
  readonly signal?: AbortSignal | undefined;
  readonly chunkBytes?: number;
}

/** Without O_NONBLOCK, opening a pipe without a writer blocks the process, which cannot even exit. Windows lacks this flag. */
const NON_BLOCKING_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Throws the error of the file system if opac cannot open the path. Reading from the stream throws all later errors. */
export function openInput(path: string, { signal, chunkBytes }: InputOptions = {}): Readable {
  const fd = openSync(path, NON_BLOCKING_FLAGS);
  const waiting = isatty(fd)
    ? new ReadStream(fd)
    : fstatSync(fd).isFIFO()
      ? new Socket({ fd, readable: true, writable: false })
      : undefined;
  const stream = waiting ?? createReadStream(path, { fd, highWaterMark: chunkBytes });
  // Without a listener, an error before the first read would end the process.
  stream.on('error', () => {});
  return signal ? addAbortSignal(signal, stream) : stream;
}

const RETRY_INTERVAL_MS = 50;

/** If the path is a pipe, waits for a reader. Throws the error of the file system, or an AbortError. */
export async function openOutput(path: string, signal: AbortSignal): Promise<Writable> {
  if (!(await stat(path)).isFIFO()) return createWriteStream(path);
  for (;;) {
    try {
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (error) {
      // The pipe does not have a reader yet (POSIX, open).
      if (errorCode(error) !== 'ENXIO') throw error;
      await wait(RETRY_INTERVAL_MS, undefined, { signal });
    }
  }
}
