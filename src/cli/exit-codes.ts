/** Exit codes by the kind of an error (DESIGN "Command surface"). */
import { type ErrorKind, OpacError } from '../service/errors.js';

export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  usage: 2,
  'not-found': 3,
  auth: 4,
  deployment: 5,
  incomplete: 6,
  check: 7,
  interrupted: 130,
};

/** For `opac help exit-codes`. */
export const EXIT_CODE_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done'],
  [
    EXIT_CODES.internal,
    'internal error, or an error of this machine (a missing folder; for a list, a full disk)',
  ],
  [EXIT_CODES.usage, 'usage error: an invalid option or query'],
  [EXIT_CODES['not-found'], 'record not found'],
  [EXIT_CODES.auth, 'credentials missing, rejected or expired'],
  [EXIT_CODES.deployment, 'the deployment failed or could not be reached, after retries'],
  [EXIT_CODES.incomplete, 'an export is incomplete because of the service or the disk; it can be resumed'],
  [EXIT_CODES.check, 'a check of a deployment found failures'],
  [EXIT_CODES.interrupted, 'interrupted; an export can be resumed'],
];

export function exitCodeOf(error: unknown): number {
  return error instanceof OpacError ? EXIT_CODES[error.kind] : EXIT_CODES.internal;
}
