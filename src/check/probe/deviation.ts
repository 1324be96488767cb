/** The results of a check: deviations, and the errors of a check that cannot run. */
import type { EndpointId } from '../../service/endpoints/catalogue.js';

/** A request and the start of its response, without secrets. The JSON report contains it in this form. */
export interface ReportedRequest {
  /** The path below `/api/v3` with the query, or the complete URL of an image. */
  readonly path: string;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly tries: number;
  /** A command that repeats the request, with variables instead of credentials. */
  readonly curl: string;
  readonly response: string;
}

export interface RecordedExchange {
  /** `''` for a path that is not in the catalogue. */
  readonly endpoint: EndpointId | '';
  /** The status or error of each earlier try, such as `503`. */
  readonly earlier: readonly string[];
  /** Whether the response is UTF-8, after conversion from the encoding that it declares. */
  readonly isUtf8: boolean;
  readonly request: ReportedRequest;
}

export interface Deviation {
  readonly expected: string;
  readonly received: string;
  /** The request that shows the deviation. */
  readonly at?: RecordedExchange | undefined;
  /** Default: the verdict of the check. */
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

/** The check cannot run on this deployment. The message is the reason: `no record has images`. */
export class CheckNotApplicable extends Error {}

/** The check cannot run because of another deviation or the limit of requests. */
export class CheckBlocked extends CheckNotApplicable {}
