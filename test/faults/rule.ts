/** What each cell of the matrix must end with, derived from what the documents promise, not from what was seen. */
import { ERROR_CODES, type ErrorCode } from '../../src/service/error-codes.js';
import type { Family } from './families.js';
import type { FailureRow, Form } from './faults.js';

export interface Expected {
  readonly exit: number;
  /** Of the error; undefined where the command says what is missing in words of its own. */
  readonly code?: ErrorCode;
  /** The result is that of an undisturbed run. */
  readonly whole: boolean;
  /** An error of a request, which names the request. */
  readonly ofRequest: boolean;
}

/** The exit codes of DESIGN "Command surface"; what is not named is the deployment's fault. */
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

const DONE: Expected = { exit: 0, whole: true, ofRequest: false };

/** Commands that ask for more than one page, so that the first ones can come. */
export function hasMidway({ asks, line }: Family): boolean {
  return (asks === 'search' || asks === 'export') && line.includes('--page-size');
}

export function expectedOf(row: FailureRow, form: Form, family: Family): Expected {
  const { asks } = family;
  if (asks === 'offline') return DONE;
  // It prints what came, whatever it is, as long as it is JSON.
  if (family.name === 'api' && row.name === 'wrong shape') return { ...DONE, whole: false };
  // A redirect has no body that could be spoilt.
  if (family.on === 'oauth.authorize' && BODY.has(row.failure.kind)) return DONE;
  if (form === 'passing' && isSentAgain(row, family)) return DONE;
  if (asks === 'pictures') return { exit: INCOMPLETE, whole: false, ofRequest: false };
  const code = codeOf(row, form, family);
  // The checks begin with a question that has to be answered; nobody's query is at fault there.
  const exit = asks === 'check' && code === 'request-rejected' ? DEPLOYMENT : (EXITS[code] ?? DEPLOYMENT);
  const failed = { code, exit, whole: false, ofRequest: true };
  // Access that ends in the middle is the user's to mend; else records are missing and the run can go on.
  if (form === 'midway' && asks === 'export' && exit !== 4) return { ...failed, exit: INCOMPLETE };
  return failed;
}

/** What spoils the body alone. */
const BODY: ReadonlySet<string> = new Set([
  'cut-body',
  'stall',
  'drip',
  'truncated',
  'broken-coding',
] satisfies FailureRow['failure']['kind'][]);

function isSentAgain({ retried, failure }: FailureRow, { asks, on }: Family): boolean {
  // A code is for one use, so a token request is not sent again (INTERFACE.md "Authentication").
  if (retried === false || on === 'oauth.token') return false;
  // At the address of an image, or of a login, another thing with 200 is what is published there.
  const isOther = failure.kind === 'html' || (failure.kind === 'status' && failure.status === 200);
  return !(isOther && (asks === 'pictures' || on === 'oauth.authorize'));
}

function codeOf({ code, failure }: FailureRow, form: Form, { asks, searches, on }: Family): ErrorCode {
  // No record is asked for, so it is the path that is not there.
  if (code === 'not-found' && (searches || asks === 'login')) return 'no-interface';
  // INTERFACE.md "Errors": a parameter or credential that is not as expected is a bad request.
  if (asks === 'login' && code === 'request-rejected') return 'auth';
  if (on === 'oauth.token' && code === 'credentials-rejected') return 'auth';
  // A page of the deployment's own asks a person to sign in (FIELD-NOTES.md "PKCE").
  if (on === 'oauth.authorize' && ['html', 'redirect'].includes(failure.kind)) return 'auth';
  // FIELD-NOTES.md "Requests": a deployment may refuse deep offsets.
  if (code === 'request-rejected' && form === 'midway') return 'incomplete';
  return code;
}

/** The last words of the sentence: what to do; only a fault that a wait may cure is marked so. */
export function mayPass(code: ErrorCode): boolean {
  return ERROR_CODES[code].retry;
}
