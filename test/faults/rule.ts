/** The expected end of each cell of the fault matrix (matrix.ts), according to the documentation, not to earlier runs. */
import { ERROR_CODES, type ErrorCode } from '../../src/service/error-codes.js';
import type { Family } from './families.js';
import type { FailureRow, Form } from './faults.js';

export interface Expected {
  readonly exit: number;
  /** The code of the error; undefined if the command reports missing items in its own way. */
  readonly code?: ErrorCode;
  /** True if the result must be the same as without faults. */
  readonly isComplete: boolean;
  /** True if the error must name the request that failed. */
  readonly ofRequest: boolean;
}

/** Exit codes by error code (docs/errors.md). All other errors are failures of the deployment. */
const EXITS: Readonly<Partial<Record<ErrorCode, number>>> = {
  'request-rejected': 2,
  incomplete: 6,
  'not-found': 3,
  auth: 4,
  'credentials-rejected': 4,
  'access-denied': 4,
};
const DEPLOYMENT = 5;
const INCOMPLETE = 6;

const SUCCESS: Expected = { exit: 0, isComplete: true, ofRequest: false };

/** Returns true for commands that request several pages, so that the first pages can succeed. */
export function hasMidway({ type, line }: Family): boolean {
  return (type === 'search' || type === 'export') && line.includes('--page-size');
}

export function createExpectation(row: FailureRow, form: Form, family: Family): Expected {
  const { type } = family;
  if (type === 'offline') return SUCCESS;
  // `opac api` prints any response that is JSON.
  if (family.name === 'api' && row.name === 'wrong shape') return { ...SUCCESS, isComplete: false };
  // A redirect has no body that could be damaged.
  if (family.on === 'oauth.authorize' && BODY.has(row.failure.kind)) return SUCCESS;
  if (form === 'passing' && isRetried(row, family)) return SUCCESS;
  if (type === 'pictures') return { exit: INCOMPLETE, isComplete: false, ofRequest: false };
  const code = findCode(row, form, family);
  // `opac check` begins with a request that must succeed. If it is rejected, the query of the user is not the cause.
  const exit = type === 'check' && code === 'request-rejected' ? DEPLOYMENT : (EXITS[code] ?? DEPLOYMENT);
  const failed = { code, exit, isComplete: false, ofRequest: true };
  // Lost access (exit code 4) must be fixed by the user. After other failures midway, records are missing.
  if (form === 'midway' && type === 'export' && exit !== 4) return { ...failed, exit: INCOMPLETE };
  return failed;
}

/** Faults that damage only the body of a response. */
const BODY: ReadonlySet<string> = new Set([
  'cut-body',
  'stall',
  'drip',
  'truncated',
  'broken-coding',
] satisfies FailureRow['failure']['kind'][]);

function isRetried({ retried, failure }: FailureRow, { type, on }: Family): boolean {
  // An authorization code is for one use, so opac does not retry a token request (INTERFACE.md "Authentication").
  if (retried === false || on === 'oauth.token') return false;
  // If an image or a login responds with 200 and other content, opac does not retry.
  const isOther = failure.kind === 'html' || (failure.kind === 'status' && failure.status === 200);
  return !(isOther && (type === 'pictures' || on === 'oauth.authorize'));
}

function findCode({ code, failure }: FailureRow, form: Form, { type, searches, on }: Family): ErrorCode {
  // The request does not name a record, so 404 means that the path does not exist.
  if (code === 'not-found' && (searches || type === 'login')) return 'no-interface';
  // INTERFACE.md "Errors": the status of a wrong parameter or credential is 400.
  if (type === 'login' && code === 'request-rejected') return 'auth';
  if (on === 'oauth.token' && code === 'credentials-rejected') return 'auth';
  // The deployment shows its own page where a person must sign in (FIELD-NOTES.md "PKCE").
  if (on === 'oauth.authorize' && ['html', 'redirect'].includes(failure.kind)) return 'auth';
  // FIELD-NOTES.md "Requests": a deployment may refuse deep offsets.
  if (code === 'request-rejected' && form === 'midway') return 'incomplete';
  return code;
}

/** Returns true if the same command may succeed later. */
export function maySucceedLater(code: ErrorCode): boolean {
  return ERROR_CODES[code].retry;
}
