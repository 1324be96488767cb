/** Errors of standard output, such as a redirection to a full disk. */

import { type ErrorKind, OpacError } from '../../service/errors.js';
import { classifyFileError } from '../../system/file-error.js';

/** An error of writing to standard output with a readable message; any other error as it is. */
export function outputError(error: unknown, kind: ErrorKind, next?: string): unknown {
  const fault = classifyFileError(error);
  if (!fault || !isOfWriting(error)) return error;
  const hint = [fault.remedy, next].filter(Boolean).join(', ');
  return new OpacError(kind, `cannot write to standard output: ${fault.reason}`, {
    hint,
    code: fault.code,
    cause: error,
  });
}

function isOfWriting(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'write';
}
