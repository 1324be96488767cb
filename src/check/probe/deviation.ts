/** What a check may come back with: that a promise is not kept, or that it cannot be tried. */
import type { EndpointId } from '../../service/endpoints/catalogue.js';

/** A request with its response, fit to be shown. */
export interface RecordedExchange {
  /** `''` for a path that is in no row of the catalogue. */
  readonly endpoint: EndpointId | '';
  /** Below `/api/v3`, with its query; for an image its whole address. */
  readonly path: string;
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly tries: number;
  /** What became of the tries before the last: `503`. */
  readonly earlier: readonly string[];
  readonly curl: string;
  readonly excerpt: string;
  /** Whether the bytes of the response are UTF-8, after those of another encoding that it declares were converted. */
  readonly isUtf8: boolean;
}

export interface Deviation {
  readonly expected: string;
  readonly received: string;
  /** The request that shows it. */
  readonly at?: RecordedExchange | undefined;
  /** What this deviation amounts to, where that is not what the check says. */
  readonly verdict?: 'fail' | 'warn' | undefined;
}

export function deviation(
  expected: string,
  received: string | number,
  at?: RecordedExchange,
  verdict?: Deviation['verdict'],
): Deviation {
  return { expected, received: String(received), at, verdict };
}

/** Thrown by a check that cannot be made here; the message is the reason: `no record has images`. */
export class CheckNotApplicable extends Error {}

/** The same where there would be something to try, but another deviation or the limit of requests stands in the way. */
export class CheckBlocked extends CheckNotApplicable {}
