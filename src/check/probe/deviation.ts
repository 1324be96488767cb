/** The results of a check: deviations from its promise, and the errors of a check that cannot run. */
import type { EndpointId } from '../../service/endpoints/catalogue.js';

/** A request and the start of its response, without secrets. The JSON report contains it in this form. */
export interface ReportedRequest {
  /** The path below `/api/v3` with the query, or the complete URL of an image. */
  readonly path: string;
  readonly status: number | null;
  /** The time of the last try; for an image, the time of all tries. */
  readonly milliseconds: number;
  readonly tries: number;
  /** A command that repeats the request, with variables instead of credentials. */
  readonly curl: string;
  /** The start of the response; for an image, its size and type; the error message if no response or no valid image arrived. */
  readonly response: string;
}

export interface RecordedExchange {
  /** `''` for an image, and for a request with a path instead of an endpoint (`Probe.requestPath`). */
  readonly endpoint: EndpointId | '';
  /** The status or error of each earlier try, such as `503`. */
  readonly earlier: readonly string[];
  /** False if the response has bytes that are invalid in its charset. */
  readonly isUtf8: boolean;
  readonly request: ReportedRequest;
}

export interface Deviation {
  readonly expected: string;
  readonly received: string;
  /** The request that shows the deviation. */
  readonly at?: RecordedExchange | undefined;
  /** Default: `warn` if the check has a `warning`, otherwise `fail`. */
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

/** Thrown if a check cannot run on this deployment. The message is the reason, such as `no record has images`. */
export class CheckNotApplicable extends Error {}

/** Thrown if a check cannot run because another check did not pass, or because the run reached its limit of requests. */
export class CheckBlocked extends CheckNotApplicable {}
