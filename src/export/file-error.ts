/** Errors of the file system in a person's words. */
import { OpacError } from '../service/errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file grew too large for the file system',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'the folder or file does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EIO: 'the disk failed',
  EMFILE: 'too many files are open',
};

/**
 * The error for something that failed on a file: `cannot write "out.csv.part": the disk is full`. An OpacError is given
 * back as it is.
 */
export function fileError(error: unknown, doing: string, path: string, hint?: string): OpacError {
  if (error instanceof OpacError) return error;
  const code = errorCode(error);
  const reason = (code && REASONS[code]) ?? (error instanceof Error ? error.message : String(error));
  return new OpacError('internal', `cannot ${doing} "${path}": ${reason}`, { hint, cause: error });
}

/** `ENOENT` and its like, undefined for another error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
