/** The error for a refused login, with the service's message and a hint for the likely cause. */
import { HttpError } from '../../client/errors/http-error.js';
import { readServiceMessage } from '../../client/errors/response-errors.js';
import type { HttpResponse } from '../../client/http-request.js';
import { OpacError } from '../../service/errors.js';
import { redactText } from '../../service/redact.js';

type Step = 'authorization' | 'exchange';

type OAuthErrorCause = 'challenge' | 'redirect' | 'secret' | 'client' | 'code' | 'unknown';

/** The first matching row counts. `codeChallenge` and `codeVerifier` come before `code`, because they contain its name. */
const CAUSES: readonly (readonly [pattern: RegExp, cause: OAuthErrorCause])[] = [
  [/challenge|verifier|pkce/i, 'challenge'],
  [/redirect/i, 'redirect'],
  [/secret|credential/i, 'secret'],
  [/client/i, 'client'],
  [/\bcode\b|expired|grant/i, 'code'],
];

const HINTS: Readonly<Record<Exclude<OAuthErrorCause, 'unknown'>, string>> = {
  challenge: 'try another form of challenge with --challenge: S256-padded, S256 or PLAIN',
  redirect: 'use the redirect URI exactly as registered with the API key, including a slash at the end',
  secret:
    'check that the client secret belongs to this client id; the service shows it when it creates the API key',
  client: 'check the client id and the client secret; the service creates both with the API key',
  code: 'log in again; a code is valid once and for a short time',
};

const HINTS_WITHOUT_REASON: Readonly<Record<Step, string>> = {
  authorization: 'check that the redirect URI is the registered one and that the client id is correct',
  exchange: 'check the client secret',
};

/** Without parameters, because they differ in every login. */
const REQUESTS = {
  authorization: { method: 'GET', path: '/oauth/authorize' },
  exchange: { method: 'POST', path: '/oauth/token' },
} as const satisfies Readonly<Record<Step, object>>;

const MAX_REASON_LENGTH = 300;

export class OAuthError extends OpacError {
  readonly step: Step;
  readonly reason: OAuthErrorCause;

  /** `response` is undefined if a redirect refuses the login. */
  constructor(step: Step, message: string | undefined, response?: HttpResponse) {
    const reason = (message && redactText(message))
      ?.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
      .slice(0, MAX_REASON_LENGTH);
    const cause = CAUSES.find(([pattern]) => pattern.test(reason ?? ''))?.[1] ?? 'unknown';
    const request = REQUESTS[step];
    const status = response ? ` (${response.status})` : '';
    const refused = `the service refused the ${step}${status}${reason ? `: "${reason}"` : ''}`;
    super('auth', response ? `${refused} (${request.method} ${request.path})` : refused, {
      hint: cause === 'unknown' ? HINTS_WITHOUT_REASON[step] : HINTS[cause],
      cause: response && new HttpError({ kind: 'auth', request, response, message: refused }),
    });
    this.name = 'OAuthError';
    this.step = step;
    this.reason = cause;
  }
}

export function readOAuthError(step: Step, response: HttpResponse): OAuthError {
  return new OAuthError(step, readServiceMessage(response), response);
}
