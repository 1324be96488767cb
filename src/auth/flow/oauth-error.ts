/** The error for a refused login, with the service's message and a hint for the likely cause. */
import { HttpError } from '../../client/errors/http-error.js';
import { readServiceMessage } from '../../client/errors/response-errors.js';
import type { HttpResponse } from '../../client/http-request.js';
import { OpacError } from '../../service/errors.js';
import { redactText } from '../../service/redact.js';

type Step = 'authorization' | 'exchange';

type OAuthErrorCategory = 'challenge' | 'redirect' | 'secret' | 'client' | 'code' | 'unknown';

/** The first matching row counts. "invalid code verifier" is about the challenge, so `challenge` comes before `code`. */
const CATEGORY_PATTERNS: readonly (readonly [pattern: RegExp, category: OAuthErrorCategory])[] = [
  [/challenge|verifier|pkce/i, 'challenge'],
  [/redirect/i, 'redirect'],
  [/secret|credential/i, 'secret'],
  [/client/i, 'client'],
  [/\bcode\b|expired|grant/i, 'code'],
];

const HINTS: Readonly<Record<Exclude<OAuthErrorCategory, 'unknown'>, string>> = {
  challenge: 'try another form of challenge with --challenge: S256-padded, S256 or PLAIN',
  redirect:
    'use the redirect URI exactly as it is registered with the API key; a slash at the end makes a difference',
  secret:
    'check that the client secret belongs to this client id; the service shows the secret when it creates the API key',
  client: 'check the client id and the client secret; the service creates both with the API key',
  code: 'log in again; a code is valid once and for a short time',
};

const HINTS_FOR_UNKNOWN_CAUSE: Readonly<Record<Step, string>> = {
  authorization:
    'check that the redirect URI is registered with the API key, and that the client id is correct',
  exchange: 'check the client secret',
};

const REFUSED: Readonly<Record<Step, string>> = {
  authorization: 'the authorization',
  exchange: 'to exchange the code for a token',
};

/** The requests in error messages. They have no parameters, because parameters differ in every login. */
const REQUESTS = {
  authorization: { method: 'GET', path: '/oauth/authorize' },
  exchange: { method: 'POST', path: '/oauth/token' },
} as const satisfies Readonly<Record<Step, object>>;

const MAX_TEXT_LENGTH = 300;

export class OAuthError extends OpacError {
  readonly step: Step;
  readonly category: OAuthErrorCategory;

  /** `response` is undefined if the service reports the refusal in a redirect. */
  constructor(step: Step, message: string | undefined, response?: HttpResponse) {
    const text = (message && redactText(message))
      ?.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
      .slice(0, MAX_TEXT_LENGTH);
    const category = CATEGORY_PATTERNS.find(([pattern]) => pattern.test(text ?? ''))?.[1] ?? 'unknown';
    const request = REQUESTS[step];
    const status = response ? ` (${response.status})` : '';
    const refused = `the service refused ${REFUSED[step]}${status}${text ? `: "${text}"` : ''}`;
    super('auth', response ? `${refused} (${request.method} ${request.path})` : refused, {
      hint: category === 'unknown' ? HINTS_FOR_UNKNOWN_CAUSE[step] : HINTS[category],
      cause: response && new HttpError({ kind: 'auth', request, response, message: refused }),
    });
    this.name = 'OAuthError';
    this.step = step;
    this.category = category;
  }
}

export function readOAuthError(step: Step, response: HttpResponse): OAuthError {
  return new OAuthError(step, readServiceMessage(response), response);
}
