/** Retries requests with exponential backoff and full jitter, and obeys Retry-After. */
import { redactText } from '../../service/redact.js';
import { type Clock, SYSTEM_CLOCK } from '../../system/clock.js';
import { DEFAULT_RETRIES } from '../defaults.js';
import { isFirewallResponse } from '../errors/firewall-response.js';
import { HttpError, type RetryPolicy } from '../errors/http-error.js';
import { isWindowRefusal } from '../errors/response-errors.js';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from '../errors/retry-after.js';
import { type DecodedResponse, type HttpRequest, pathAndQuery, type Send } from '../http-request.js';

export interface RetryOptions {
  /** Default DEFAULT_RETRIES. */
  readonly retries?: number | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

export interface RetryEvent {
  readonly message: string;
  readonly retry: number;
  readonly retries: number;
  readonly wait: number;
  /** The sum of all waits of this request, including this wait, in milliseconds. */
  readonly waited: number;
}

const INITIAL_WAIT_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** Contains 403, because some busy deployments reject a valid key for a short time (FIELD-NOTES.md "Errors"). */
const RETRY_BY_STATUS: ReadonlyMap<number, RetryPolicy> = new Map([
  [403, 'once-reached'],
  ...[408, 425, 429, 500, 502, 503, 504].map((status) => [status, 'always'] as const),
]);

/** Returns a `send` that retries only GET requests. A Retry-After above MAX_RETRY_AFTER_MS ends the retries. */
export function withRetry(send: Send, options: RetryOptions = {}): Send {
  const { retries = DEFAULT_RETRIES, onRetry, clock = SYSTEM_CLOCK, random = Math.random } = options;
  let reached = false;

  return async (request) => {
    let waited = 0;
    for (let attempt = 0; ; attempt++) {
      const outcome = await sendOnce(send, request);
      reached ||= outcome.succeeded;
      const retryAfter = (outcome.response && parseRetryAfter(outcome.response.headers, clock.now())) ?? 0;
      const canRetry =
        request.method === 'GET' &&
        attempt < retries &&
        (outcome.retry === 'always' || (outcome.retry === 'once-reached' && reached)) &&
        retryAfter <= MAX_RETRY_AFTER_MS;
      if (!canRetry) return finish(outcome, attempt);
      const backOff = random() * Math.min(MAX_BACKOFF_MS, INITIAL_WAIT_MS * 2 ** attempt);
      const wait = Math.max(retryAfter, backOff);
      waited += wait;
      onRetry?.({ message: formatFailure(request, outcome), retry: attempt + 1, retries, wait, waited });
      await clock.sleep(wait, request.signal);
    }
  };
}

type Outcome<T> = { readonly retry: RetryPolicy; readonly succeeded: boolean } & (
  | { readonly response: DecodedResponse<T>; readonly failed?: undefined }
  | { readonly response: DecodedResponse<T> | undefined; readonly failed: { readonly error: unknown } }
);

async function sendOnce<T>(send: Send, request: HttpRequest<T>): Promise<Outcome<T>> {
  let response: DecodedResponse<T> | undefined;
  try {
    response = await send(request);
    if (isFirewallResponse(response)) return { response, retry: 'always', succeeded: false };
    const succeeded = response.status < 300;
    if (succeeded && request.decode) response = { ...response, value: request.decode(response, request) };
    const retry = isWindowRefusal(response) ? 'never' : RETRY_BY_STATUS.get(response.status);
    return { response, retry: retry ?? 'never', succeeded };
  } catch (error) {
    request.signal?.throwIfAborted();
    const retry = error instanceof HttpError ? error.retry : 'never';
    return { response, retry, succeeded: false, failed: { error } };
  }
}

function formatFailure(request: HttpRequest, { response, failed }: Outcome<unknown>): string {
  if (failed?.error instanceof Error) return failed.error.message;
  return `${request.method} ${redactText(pathAndQuery(request))} returned ${response?.status}`;
}

function finish<T>({ response, failed }: Outcome<T>, retries: number): DecodedResponse<T> {
  if (!failed) return { ...response, retries };
  if (failed.error instanceof HttpError) failed.error.retries = retries;
  throw failed.error;
}
