/** Errors for unexpected responses: kind, message and hint by status and content. */
import type { ErrorCode } from '../../service/error-codes.js';
import type { ErrorKind } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import { isObject } from '../../service/json.js';
import { KIND_KEYS, KINDS } from '../../service/kinds.js';
import { tryParseJson } from '../../service/parse-json.js';
import { redactText } from '../../service/redact.js';
import type { HttpRequest, HttpResponse } from '../http-request.js';
import { isFirewallResponse, isHtmlResponse } from './firewall-response.js';
import { HttpError } from './http-error.js';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry-after.js';

export interface ErrorContext {
  readonly baseUrl: string;
  readonly credentialsHint?: string | undefined;
  readonly expiredHint?: string | undefined;
}

interface Rule {
  readonly when: (response: HttpResponse, request: HttpRequest, context: ErrorContext) => boolean;
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: (context: ErrorContext, response: HttpResponse) => string;
}

export const checkBaseUrl = ({ baseUrl }: ErrorContext) => `check that ${baseUrl} is the right base URL`;
const logIn = ({ credentialsHint }: ErrorContext) => credentialsHint ?? 'log in with "opac login"';
const tryLater = () => 'try again later, or send fewer requests with --concurrency 1 or --rate 1';

/** Paths that exist in every deployment. */
const REQUIRED_PATHS: ReadonlySet<string> = new Set([
  ...KINDS.map((kind) => `/${KIND_KEYS[kind].segment}`),
  '/oauth/authorize',
  '/oauth/token',
]);

const RULES: readonly Rule[] = [
  {
    when: isFirewallResponse,
    kind: 'deployment',
    code: 'firewall',
    message: 'a web firewall blocked the request',
    hint: () => 'wait and try again with --rate 1, or ask the museum to allow your IP address',
  },
  {
    when: ({ status }, _, { expiredHint }) => status === 401 && expiredHint !== undefined,
    kind: 'auth',
    code: 'token-expired',
    message: 'your login has expired',
    hint: ({ expiredHint = '' }) => expiredHint,
  },
  {
    when: ({ status }) => status === 401,
    kind: 'auth',
    code: 'credentials-rejected',
    message: 'the service requires valid credentials',
    hint: logIn,
  },
  {
    when: ({ status }) => status === 403,
    kind: 'auth',
    code: 'access-denied',
    message: 'the service denied access',
    hint: logIn,
  },
  {
    when: (response, { path }) =>
      response.status === 404 && (isHtmlResponse(response) || REQUIRED_PATHS.has(path)),
    kind: 'deployment',
    code: 'no-interface',
    message: 'the API was not found at this URL',
    hint: checkBaseUrl,
  },
  {
    when: ({ status }) => status === 404,
    kind: 'not-found',
    code: 'not-found',
    message: 'not found',
  },
  {
    when: (response) => (response.status === 400 || response.status === 422) && !isHtmlResponse(response),
    kind: 'usage',
    code: 'request-rejected',
    message: 'the service rejected the request',
    hint: () => 'check the query and the options',
  },
  {
    when: ({ status }) => status === 414 || status === 431,
    kind: 'usage',
    code: 'request-rejected',
    message: 'the request is too long',
    hint: () => 'search for fewer words or ids',
  },
  {
    when: ({ status }) => status === 429 || status === 503,
    kind: 'deployment',
    code: 'busy',
    message: 'the service is busy',
    hint: (_, { headers }) => {
      const retryAfter = parseRetryAfter(headers, Date.now()) ?? 0;
      return retryAfter > MAX_RETRY_AFTER_MS
        ? `the service asks clients to wait ${formatMinutes(retryAfter)}`
        : tryLater();
    },
  },
  {
    when: (response) => response.status >= 500 && isWindowRefusal(response),
    kind: 'deployment',
    code: 'window-refused',
    message: 'the service refused a large offset',
    hint: () => 'split the search into smaller searches',
  },
  {
    when: ({ status }) => status >= 500,
    kind: 'deployment',
    code: 'service-failed',
    message: 'the service failed',
    hint: tryLater,
  },
];

function formatMinutes(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  return minutes > 24 * 60 ? 'more than a day' : `${formatNumber(minutes)} min`;
}

/** Returns true if a search engine refused a large offset. A retry does not help. */
export function isWindowRefusal({ status, bytes }: HttpResponse): boolean {
  return (
    status >= 400 && /result window is too large|max_result_window/i.test(bytes.toString('utf8', 0, 4096))
  );
}

const DEFAULT_RULE: Omit<Rule, 'when'> = {
  kind: 'deployment',
  code: 'unexpected-response',
  message: 'the server sent an unexpected response',
  hint: checkBaseUrl,
};

export function createStatusError(
  request: HttpRequest,
  response: HttpResponse,
  context: ErrorContext,
): HttpError | undefined {
  if (response.status >= 200 && response.status < 300 && !isFirewallResponse(response)) return undefined;
  const { kind, code, hint, ...rule } =
    RULES.find(({ when }) => when(response, request, context)) ?? DEFAULT_RULE;
  const serviceMessage = readServiceMessage(response);
  const message = `${rule.message} (${response.status})`;
  return new HttpError({
    kind,
    code,
    request,
    response,
    message: serviceMessage ? `${message}: "${serviceMessage}"` : message,
    hint: hint?.(context, response),
    serviceMessage,
  });
}

const MAX_MESSAGE_CHARACTERS = 300;

/** Returns the value of `message` or `error` in a JSON response, as one short, printable line. */
export function readServiceMessage(response: HttpResponse): string | undefined {
  const value = tryParseJson(response.bytes.subarray(0, 65_536));
  const message = isObject(value) ? (value.message ?? value.error) : undefined;
  if (typeof message !== 'string') return undefined;
  // Redacts the complete text first, because the cut could leave half of a secret.
  const line = redactText(message)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_MESSAGE_CHARACTERS
    ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…`
    : line || undefined;
}
