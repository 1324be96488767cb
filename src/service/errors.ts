/**
 * What can go wrong, by kind. Every error that reaches a user is an `OpacError`; its kind alone decides the exit code.
 */

import { redactError, redactSecrets } from './redact.js';

export type ErrorKind =
  /** a fault of the program itself, or of the machine it runs on (a folder that is not there) */
  | 'internal'
  /** a bad option, a query that cannot be right */
  | 'usage'
  /** the service has no such record */
  | 'not-found'
  /** credentials missing, rejected or expired */
  | 'auth'
  /** the deployment failed, could not be reached, or sent what is not an answer */
  | 'deployment'
  /** an export or download ended without everything it was to get, whether the service failed or the disk */
  | 'incomplete'
  /** a check of a deployment found failures */
  | 'check'
  /** stopped by a signal */
  | 'interrupted';

/** Holds no secret, nor do its causes: whatever the process knows as one is removed here (redact.ts). */
export class OpacError extends Error {
  readonly kind: ErrorKind;
  /** What the person can do next: one sentence, shown after the message. */
  readonly hint: string | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    options: { hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(
      redactSecrets(message),
      options.cause === undefined ? undefined : { cause: redactError(options.cause) },
    );
    this.name = 'OpacError';
    this.kind = kind;
    this.hint = options.hint && redactSecrets(options.hint);
  }
}

/** A mistake in what was asked: a bad option, name or query. */
export class UsageError extends OpacError {
  constructor(message: string, hint?: string) {
    super('usage', message, { hint });
    this.name = 'UsageError';
  }
}
