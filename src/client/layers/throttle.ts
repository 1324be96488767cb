/** Limits the concurrency and the rate. Reduces the concurrency if the service refuses requests or the connection fails. */
import { redactText } from '../../service/redact.js';
import { type Clock, SYSTEM_CLOCK } from '../../system/clock.js';
import { DEFAULT_CONCURRENCY } from '../defaults.js';
import { isFirewallResponse } from '../errors/firewall-response.js';
import { HttpError } from '../errors/http-error.js';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from '../errors/retry-after.js';
import { type HttpRequest, type HttpResponse, pathAndQuery, type Send } from '../http-request.js';
import { RequestQueue } from './request-queue.js';

export interface ThrottleNotice {
  readonly kind: 'firewall' | 'busy';
  readonly message: string;
}

export interface ThrottleOptions {
  /** Default DEFAULT_CONCURRENCY. */
  readonly concurrency?: number | undefined;
  /** Started requests per second, including retries. Default: no limit. */
  readonly rate?: number | undefined;
  readonly onNotice?: ((notice: ThrottleNotice) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** The first pause. Each further pause is twice as long. A request that is not refused resets the pause. */
const FIREWALL_PAUSE_MS = 2_000;
const MAX_FIREWALL_PAUSE_MS = 60_000;
/** A firewall may block a client for hours. Without this limit, a command would then pause before each of its requests. */
const MAX_FIREWALL_PAUSES = 8;

const BUSY_STATUSES = new Set([429, 503]);

export function withThrottle(send: Send, options: ThrottleOptions = {}): Send {
  const { concurrency = DEFAULT_CONCURRENCY, rate, onNotice, clock = SYSTEM_CLOCK } = options;
  const queue = new RequestQueue({ clock, concurrency, rate });
  let firewallPauses = 0;

  function adaptTo(request: HttpRequest, response: HttpResponse, halvings: number): void {
    const firewall = isFirewallResponse(response);
    if (!firewall && !BUSY_STATUSES.has(response.status)) {
      firewallPauses = 0;
      queue.grow(halvings);
      return;
    }
    const isFirstRefusal = queue.halve(halvings);
    // After a Retry-After above the maximum, opac does not retry (retry.ts) or pause, so that the other requests fail soon too.
    const retryAfter = parseRetryAfter(response.headers, clock.now()) ?? 0;
    const requested = retryAfter > MAX_RETRY_AFTER_MS ? 0 : retryAfter;
    const own =
      firewall && isFirstRefusal && firewallPauses < MAX_FIREWALL_PAUSES
        ? Math.min(MAX_FIREWALL_PAUSE_MS, FIREWALL_PAUSE_MS * 2 ** firewallPauses++)
        : 0;
    const pause = Math.max(requested, own);
    if (pause === 0) return;
    queue.pause(pause);
    if (isFirstRefusal) onNotice?.(createNotice(request, response, new Date(clock.now()), pause));
  }

  return async (request) => {
    await queue.acquire(request.signal);
    const { halvings } = queue;
    try {
      const response = await send(request);
      adaptTo(request, response, halvings);
      return response;
    } catch (error) {
      if (error instanceof HttpError && error.retry === 'always') queue.halve(halvings);
      throw error;
    } finally {
      queue.release();
    }
  };
}

function createNotice(request: HttpRequest, response: HttpResponse, at: Date, pause: number): ThrottleNotice {
  const seconds = Math.ceil(pause / 1000);
  if (!isFirewallResponse(response)) {
    return { kind: 'busy', message: `the service is busy (${response.status}); retrying in ${seconds} s` };
  }
  // To allow this client, the IT department of a museum needs the time and the path.
  const blocked = `${request.method} ${redactText(pathAndQuery(request))} with ${response.status} at ${at.toISOString()}`;
  return { kind: 'firewall', message: `a web firewall blocked ${blocked}; retrying in ${seconds} s` };
}
