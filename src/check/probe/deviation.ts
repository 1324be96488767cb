/** What a check may come back with: that a promise is not kept, or that it cannot be tried. */
import type { Exchange } from './exchange.js';

export interface Deviation {
  readonly expected: string;
  readonly received: string;
  /** The request that shows it. */
  readonly at?: Exchange | undefined;
  /** What this deviation amounts to, where that is not what the check says. */
  readonly verdict?: 'fail' | 'warn' | undefined;
}

export function deviation(
  expected: string,
  received: string | number,
  at?: Exchange,
  verdict?: Deviation['verdict'],
): Deviation {
  return { expected, received: String(received), at, verdict };
}

/** Thrown by a check that cannot be made here; the message is the reason: `no record has images`. */
export class NothingToTry extends Error {}

/** The same where there would be something to try, but another deviation or the limit of requests stands in the way. */
export class Blocked extends NothingToTry {}
