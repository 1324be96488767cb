/** Writes short texts, such as help, to standard output. */
import type { Writable } from 'node:stream';
import { type ErrorKind, OpacError } from '../../service/errors.js';
import { classifyFileError } from '../../system/file-error.js';

/** Waits until the text is written. Throws an OpacError if the disk is full or fails, and other errors unchanged. */
export async function print(text: string, stdout: Writable): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      // The stream passes an error to the callback, and also emits it as an event. Without a listener, the process would end.
      stdout.once('error', reject).write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw createOutputError(error, 'internal');
  }
}

/** Explains an error of standard output, such as a full disk. `nextStep` completes the hint. Returns other errors unchanged. */
export function createOutputError(error: unknown, kind: ErrorKind, nextStep?: string): unknown {
  const fault = classifyFileError(error);
  const isWriteError = error instanceof Error && 'syscall' in error && error.syscall === 'write';
  if (!fault || !isWriteError) return error;
  const hint = [fault.remedy, nextStep].filter(Boolean).join(', ');
  return new OpacError(kind, `cannot write to standard output: ${fault.reason}`, {
    hint,
    code: fault.code,
    cause: error,
  });
}
