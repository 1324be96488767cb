/** Keeps a client polite: how many requests at once, how many a second, and when to pause because the service says so. */

import { redact } from '../../service/redact.js';
import { type Clock, SYSTEM_CLOCK } from '../../system/clock.js';
import { DEFAULT_CONCURRENCY } from '../defaults.js';
import { isFirewall } from '../errors/firewall.js';
import { HttpError } from '../errors/http-error.js';
import { LONGEST_WAIT, retryAfter } from '../errors/retry-after.js';
import { type HttpResponse, pathAndQuery, type Request, type Send } from '../exchange.js';
import { RequestQueue } from './request-queue.js';

export interface Notice {
  readonly kind: 'firewall' | 'busy';
  readonly message: string;
}

export interface ThrottleOptions {
  /** Default DEFAULT_CONCURRENCY. */
  readonly concurrency?: number | undefined;
  /** Most requests started in a second, retries included. Default no limit. */
  readonly rate?: number | undefined;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** Milliseconds of the pause after a firewall's response, doubled for each further one in a row. */
const FIREWALL_PAUSE = 2_000;
const LONGEST_FIREWALL_PAUSE = 60_000;

const BUSY = new Set([429, 503]);

export function withThrottle(send: Send, options: ThrottleOptions = {}): Send {
  const { concurrency = DEFAULT_CONCURRENCY, rate, onNotice, clock = SYSTEM_CLOCK } = options;
  const queue = new RequestQueue({ clock, concurrency, rate });
  let blocks = 0;

  function learn(request: Request, response: HttpResponse, refusals: number): void {
    const firewall = isFirewall(response);
    if (!firewall && !BUSY.has(response.status)) {
      blocks = 0;
      queue.grow(refusals);
      return;
    }
    const isNew = queue.halve(refusals);
    // A longer one fails its request (retry.ts): to hold back the others would only make them fail later.
    const asked = retryAfter(response.headers, clock.now()) ?? 0;
    const requested = asked > LONGEST_WAIT ? 0 : asked;
    const own = firewall && isNew ? Math.min(LONGEST_FIREWALL_PAUSE, FIREWALL_PAUSE * 2 ** blocks++) : 0;
    const pause = Math.max(requested, own);
    if (pause === 0) return;
    queue.pause(pause);
    if (isNew) onNotice?.(notice(request, response, new Date(clock.now()), pause));
  }

  return async (request) => {
    await queue.turn(request.signal);
    const { refusals } = queue;
    try {
      const response = await send(request);
      learn(request, response, refusals);
      return response;
    } catch (error) {
      if (error instanceof HttpError && error.retry === 'always') queue.halve(refusals);
      throw error;
    } finally {
      queue.done();
    }
  };
}

function notice(request: Request, response: HttpResponse, at: Date, pause: number): Notice {
  const seconds = Math.ceil(pause / 1000);
  if (!isFirewall(response)) {
    return { kind: 'busy', message: `the service is busy (${response.status}); retrying in ${seconds} s` };
  }
  // With the time and path that the museum's IT needs to allow this client.
  const blocked = `${request.method} ${redact(pathAndQuery(request))} with ${response.status} at ${at.toISOString()}`;
  return { kind: 'firewall', message: `a web firewall blocked ${blocked}; retrying in ${seconds} s` };
}
