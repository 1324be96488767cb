/** What can go wrong, by kind. Every error that reaches a user is an `OpacError`; its kind alone decides the exit code. */

import type { ErrorCode } from './error-codes.js';
import { redactError, redactKnownSecrets } from './redact.js';

/** What went wrong, in the words of the exit codes. */
export type ErrorKind =
  /** A fault of the program or of the machine it runs on. */
  | 'internal'
  | 'usage'
  | 'not-found'
  | 'auth'
  | 'deployment'
  /** An export or download received less than it asked for, or could not write it. */
  | 'incomplete'
  | 'check'
  /** What was compared differs, and the user asked to be told so. */
  | 'different'
  /** Another run writes the file. */
  | 'locked'
  | 'interrupted';

export interface ErrorDetails {
  readonly hint?: string | undefined;
  readonly code?: ErrorCode | undefined;
  readonly resume?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** Holds no secret, nor do its causes: whatever the process knows as one is removed here (redact.ts). */
export class OpacError extends Error {
  readonly kind: ErrorKind;
  /** What to do next, in one sentence. */
  readonly hint: string | undefined;
  /** What a script acts on; the kind itself where nothing more is known. */
  readonly code: ErrorCode;
  /** The command that goes on with what was received. */
  readonly resume: string | undefined;
  /** The ids that were not found, where several were asked for. */
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

/** Wrong input of the user: nothing was sent for it. */
export class UsageError extends OpacError {
  constructor(message: string, hint?: string, code?: ErrorCode) {
    super('usage', message, { hint, code });
    this.name = 'UsageError';
  }
}
