/** Opens pipes and devices that a user names as output. Waiting does not block a thread, so a signal can end it. */
import { constants, createWriteStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from './error-code.js';

const RETRY_INTERVAL_MS = 50;

/** Opens an existing path; waits until a pipe has a reader. Throws the error of the file system, and an AbortError. */
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
