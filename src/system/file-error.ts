/** Turns file system errors into plain messages. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ErrorCode } from '../service/error-codes.js';
import { OpacError, UsageError } from '../service/errors.js';
import { errorCode, isMissing } from './error-code.js';
import { NotRegularFileError } from './regular-file.js';

export interface FileProblem {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly remedy: string;
  /** Whether the disk caused the error, for example because it is full. */
  readonly isDiskProblem: boolean;
}

const CHECK_FOLDER = 'check that the folder exists';
const IS_FOLDER = ['no-such-file', 'it is a folder', 'move that folder away'] as const;
const DENIED = ['permission-denied', 'permission denied', 'make the folder writable'] as const;

const FAULTS: Readonly<Record<string, readonly [code: ErrorCode, reason: string, remedy: string]>> = {
  ENOSPC: ['disk-full', 'the disk is full', 'free some space'],
  EDQUOT: ['disk-full', 'the disk quota is used up', 'free some space'],
  EFBIG: ['disk-full', 'the file grew too large for the file system', 'allow larger files (ulimit -f)'],
  EROFS: ['disk-failed', 'the file system is read-only', 'make it writable'],
  EIO: ['disk-failed', 'the disk failed', 'check the disk'],
  EACCES: DENIED,
  EPERM: DENIED,
  ENOENT: ['no-such-file', 'the folder or file does not exist', CHECK_FOLDER],
  ENOTDIR: ['no-such-file', 'part of the path is not a folder', CHECK_FOLDER],
  EEXIST: ['no-such-file', 'a file with this name already exists', 'move it away'],
  EISDIR: IS_FOLDER,
  // `rm` of Node throws this code instead of EISDIR.
  ERR_FS_EISDIR: IS_FOLDER,
  ELOOP: ['no-such-file', 'the link leads back to itself', 'remove that link'],
  ENAMETOOLONG: ['no-such-file', 'the name is too long', 'choose a shorter name'],
  ENXIO: ['no-such-file', 'it is a socket or a missing device', 'name a file'],
  EMFILE: ['internal', 'too many files are open', 'allow more open files (ulimit -n)'],
};

export class FileError extends OpacError {
  readonly fault: FileProblem | undefined;

  constructor(message: string, options: { hint?: string | undefined; cause: unknown }) {
    super('internal', message, { ...options, code: classifyFileError(options.cause)?.code });
    this.fault = classifyFileError(options.cause);
  }
}

/** Returns an error such as `cannot write "out.csv.part": the disk is full`. Returns an OpacError unchanged. */
export function fileError(error: unknown, doing: string, path: string, hint?: string): OpacError {
  if (error instanceof OpacError) return error;
  if (error instanceof NotRegularFileError)
    return new UsageError(error.message, 'remove it, or choose another file');
  const isInMissingFolder = isMissing(error) && doing === 'write' && !existsSync(dirname(path));
  const reason = isInMissingFolder
    ? `the folder "${dirname(path)}" does not exist`
    : (classifyFileError(error)?.reason ?? (error instanceof Error ? error.message : String(error)));
  return new FileError(`cannot ${doing} "${path}": ${reason}`, { hint, cause: error });
}

export function inputError(error: unknown, path: string): OpacError {
  if (error instanceof OpacError) return error;
  if (isMissing(error)) return new UsageError(`file not found: "${path}"`, undefined, 'no-such-file');
  return new UsageError(fileError(error, 'read', path).message);
}

/** If the file is missing, or its content has changed, the kind of the error is `incomplete`. */
export function resumeError(error: unknown, path: string): OpacError {
  const failed = fileError(error, 'resume', path);
  const isLost = errorCode(error) === undefined || isMissing(error);
  if (!isLost || !(failed instanceof FileError)) return failed;
  const { message, code } = failed;
  return new OpacError('incomplete', message, { hint: 'start again with --force', code, cause: error });
}

export function classifyFileError(error: unknown): FileProblem | undefined {
  const [code, reason = '', remedy = ''] = FAULTS[errorCode(error) ?? ''] ?? [];
  return code && { code, reason, remedy, isDiskProblem: code.startsWith('disk-') };
}
