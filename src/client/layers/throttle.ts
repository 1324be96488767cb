/** Keeps a client polite: how many requests at once, how many a second, and when to wait because the service says so. */

import { type Clock, SYSTEM_CLOCK } from '../clock.js';
import { DEFAULT_CONCURRENCY } from '../defaults.js';
import { isFirewall } from '../errors/firewall.js';
import { HttpError } from '../errors/http-error.js';
import { type Answer, pathAndQuery, type Request, type Send } from '../exchange.js';
import { redact } from '../redact.js';
import { AdaptiveLimit } from './adaptive-limit.js';
import { LONGEST_WAIT, retryAfter } from './retry-after.js';

/** Something a person, or the museum's IT, should know while the work goes on. */
export interface Notice {
  readonly kind: 'firewall' | 'busy';
  readonly at: Date;
  /** With its query. */
  readonly path: string;
  readonly message: string;
}

export interface ThrottleOptions {
  /** Most requests at once. Default 6. */
  readonly concurrency?: number | undefined;
  /** Most requests started in a second, retries included. Default no limit. */
  readonly rate?: number | undefined;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** Milliseconds of rest after a firewall's answer, doubled at each further one without a good answer between. */
const FIREWALL_REST = 2_000;
const LONGEST_FIREWALL_REST = 60_000;

const BUSY = new Set([429, 503]);

interface Waiting {
  readonly start: () => void;
}

/** Lets requests through as the options and the service's own answers allow, in the order in which they came. */
export function withThrottle(send: Send, options: ThrottleOptions = {}): Send {
  const { concurrency = DEFAULT_CONCURRENCY, rate, onNotice, clock = SYSTEM_CLOCK } = options;
  const gap = rate ? 1000 / rate : 0;
  const limit = new AdaptiveLimit(concurrency);
  const queue: Waiting[] = [];
  let active = 0;
  let pausedUntil = 0;
  let nextStart = 0;
  let challenges = 0;
  let alarm: AbortController | undefined;

  function admit(): void {
    alarm?.abort();
    while (active < limit.value) {
      const next = queue[0];
      if (!next) return;
      const now = clock.now();
      const opens = Math.max(pausedUntil, nextStart);
      if (opens > now) {
        wakeIn(opens - now);
        return;
      }
      nextStart = now + gap;
      active++;
      queue.shift();
      next.start();
    }
  }

  function wakeIn(milliseconds: number): void {
    alarm = new AbortController();
    clock.sleep(Math.ceil(milliseconds), alarm.signal).then(admit, () => {});
  }

  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal?.reason);
        admit();
      };
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.push(waiting);
      // Only the head of the queue can change what is being waited for.
      if (queue.length === 1) admit();
    });
  }

  function learn(request: Request, answer: Answer, generation: number): void {
    const now = clock.now();
    const firewall = isFirewall(answer);
    if (!firewall && !BUSY.has(answer.status)) {
      challenges = 0;
      limit.answered(answer.elapsed, generation);
      return;
    }
    // What was sent before the pause began says nothing new.
    const news = generation === limit.generation;
    limit.refused(generation);
    const asked = Math.min(retryAfter(answer.headers, now) ?? 0, LONGEST_WAIT);
    const rest = firewall && news ? Math.min(LONGEST_FIREWALL_REST, FIREWALL_REST * 2 ** challenges++) : 0;
    const pause = Math.max(asked, rest);
    if (pause > 0 && now + pause > pausedUntil) pausedUntil = now + pause;
    if (news && pause > 0) onNotice?.(notice(request, answer, { at: now, firewall, pause }));
  }

  return async (request) => {
    await turn(request.signal);
    const { generation } = limit;
    try {
      const answer = await send(request);
      learn(request, answer, generation);
      return answer;
    } catch (error) {
      if (error instanceof HttpError && error.retry === 'always') limit.refused(generation);
      throw error;
    } finally {
      active--;
      admit();
    }
  };
}

function notice(
  request: Request,
  { status }: Answer,
  { at, firewall, pause }: { readonly at: number; readonly firewall: boolean; readonly pause: number },
): Notice {
  const path = redact(pathAndQuery(request));
  const seconds = Math.ceil(pause / 1000);
  const date = new Date(at);
  const says = firewall
    ? `a web firewall in front of the service stopped ${request.method} ${path} with ${status} at ${date.toISOString()}`
    : `the service is busy (${status}) and asks for patience`;
  return {
    kind: firewall ? 'firewall' : 'busy',
    at: date,
    path,
    message: `${says}: going on in ${seconds} s`,
  };
}
