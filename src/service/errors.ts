/** The errors of opac. The exit code depends only on the kind of an `OpacError`. */
import type { ErrorCode } from './error-codes.js';
import { redactError, redactKnownSecrets } from './redact.js';

/** The kind of an error. Each kind has its own exit code. */
export type ErrorKind =
  /** A bug in opac, or a problem on this machine. */
  | 'internal'
  | 'usage'
  | 'not-found'
  | 'auth'
  | 'deployment'
  /** An export or download did not receive or save everything. */
  | 'incomplete'
  | 'check'
  /** The compared records differ, and the user requested an exit code for this. */
  | 'different'
  | 'locked'
  | 'interrupted';

export interface ErrorDetails {
  readonly hint?: string | undefined;
  readonly code?: ErrorCode | undefined;
  readonly resume?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** An error for users. The constructor removes all known secrets from the texts and the causes. */
export class OpacError extends Error {
  readonly kind: ErrorKind;
  /** The next step for the user, in one sentence. */
  readonly hint: string | undefined;
  /** A stable code for scripts. Default: the kind. */
  readonly code: ErrorCode;
  /** The command that resumes the export. */
  readonly resume: string | undefined;
  /** The ids or values that were not found. */
  readonly ids: readonly string[] | undefined;

  constructor(kind: ErrorKind, message: string, options: ErrorDetails = {}) {
    super(
      redactKnownSecrets(message),
      options.cause === undefined ? undefined : { cause: redactError(options.cause) },
    );
    this.name = 'OpacError';
    this.kind = kind;
    this.hint = options.hint && redactKnownSecrets(options.hint);
    this.code = options.code ?? kind;
    this.resume = options.resume && redactKnownSecrets(options.resume);
    this.ids = options.ids?.map(redactKnownSecrets);
  }
}

/** Invalid input from the user. */
export class UsageError extends OpacError {
  constructor(message: string, hint?: string, code?: ErrorCode) {
    super('usage', message, { hint, code });
    this.name = 'UsageError';
  }
}
