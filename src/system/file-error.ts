/** Errors of the file system in plain words. */
import type { ErrorCode } from '../service/error-codes.js';
import { OpacError, UsageError } from '../service/errors.js';
import { errorCode, isMissing } from './error-code.js';
import { NotRegularError } from './our-file.js';

export interface Fault {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly remedy?: string;
  /** The disk is at fault, not the path: it may recover. */
  readonly isOfDisk?: true;
}

const FOLDER: Fault = { code: 'no-such-file', reason: 'it is a folder', remedy: 'move that folder away' };

const FAULTS: Readonly<Record<string, Fault>> = {
  ENOSPC: { code: 'disk-full', reason: 'the disk is full', remedy: 'free some space', isOfDisk: true },
  EDQUOT: {
    code: 'disk-full',
    reason: 'the disk quota is used up',
    remedy: 'free some space',
    isOfDisk: true,
  },
  EFBIG: {
    code: 'disk-full',
    reason: 'the file grew too large for the file system',
    remedy: 'allow larger files (ulimit -f)',
    isOfDisk: true,
  },
  EROFS: {
    code: 'disk-failed',
    reason: 'the file system is read-only',
    remedy: 'make it writable',
    isOfDisk: true,
  },
  EIO: {
    code: 'disk-failed',
    reason: 'the disk failed',
    remedy: 'have the disk looked after',
    isOfDisk: true,
  },
  EACCES: { code: 'permission-denied', reason: 'permission denied', remedy: 'make the folder writable' },
  EPERM: { code: 'permission-denied', reason: 'permission denied', remedy: 'make the folder writable' },
  ENOENT: {
    code: 'no-such-file',
    reason: 'the folder or file does not exist',
    remedy: 'see that the folder is there',
  },
  ENOTDIR: {
    code: 'no-such-file',
    reason: 'a part of the path is not a folder',
    remedy: 'see that the folder is there',
  },
  EEXIST: {
    code: 'no-such-file',
    reason: 'something else is there already',
    remedy: 'move it away',
  },
  EISDIR: FOLDER,
  // What Node says in its own removing of files.
  ERR_FS_EISDIR: FOLDER,
  ELOOP: { code: 'no-such-file', reason: 'the link leads back to itself', remedy: 'remove that link' },
  ENAMETOOLONG: { code: 'no-such-file', reason: 'the name is too long', remedy: 'choose a shorter name' },
  ENXIO: { code: 'no-such-file', reason: 'it is a socket or a missing device', remedy: 'name a file' },
  EMFILE: {
    code: 'internal',
    reason: 'too many files are open',
    remedy: 'allow more open files (ulimit -n)',
  },
};

/** Of kind `internal` until an export adds what is kept (run-errors.ts). */
export class FileError extends OpacError {
  readonly fault: Fault | undefined;

  constructor(message: string, options: { hint?: string | undefined; cause: unknown }) {
    super('internal', message, { ...options, code: faultOf(options.cause)?.code });
    this.fault = faultOf(options.cause);
  }
}

/** `cannot write "out.csv.part": the disk is full`. Returns an OpacError unchanged. */
export function fileError(error: unknown, doing: string, path: string, hint?: string): OpacError {
  if (error instanceof OpacError) return error;
  if (error instanceof NotRegularError)
    return new UsageError(error.message, 'remove it, or choose another file');
  const reason = faultOf(error)?.reason ?? (error instanceof Error ? error.message : String(error));
  return new FileError(`cannot ${doing} "${path}": ${reason}`, { hint, cause: error });
}

/** Of a file that the user named as input. Returns an OpacError unchanged. */
export function inputError(error: unknown, path: string): OpacError {
  if (error instanceof OpacError) return error;
  if (isMissing(error)) return new UsageError(`file not found: "${path}"`, undefined, 'no-such-file');
  return new UsageError(fileError(error, 'read', path).message);
}

/** For a file of an earlier run: of kind `incomplete`, with a hint at a new start, when it is gone or damaged. */
export function resumeError(error: unknown, path: string): OpacError {
  const failed = fileError(error, 'resume', path);
  const isLost = errorCode(error) === undefined || isMissing(error);
  if (!isLost || !(failed instanceof FileError)) return failed;
  const { message, code } = failed;
  return new OpacError('incomplete', message, { hint: 'start again with --force', code, cause: error });
}

export function faultOf(error: unknown): Fault | undefined {
  return FAULTS[errorCode(error) ?? ''];
}
