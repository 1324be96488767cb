/** What can go wrong, by kind. Every error that reaches a user is an `OpacError`; its kind alone decides the exit code. */

import { redactError, redactSecrets } from './redact.js';

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
  | 'interrupted';

/** Holds no secret, nor do its causes: whatever the process knows as one is removed here (redact.ts). */
export class OpacError extends Error {
  readonly kind: ErrorKind;
  /** What to do next, in one sentence. */
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

export class UsageError extends OpacError {
  constructor(message: string, hint?: string) {
    super('usage', message, { hint });
    this.name = 'UsageError';
  }
}
