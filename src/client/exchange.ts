/** One request and its answer: what every layer of the client wraps. */

/** A request to the service, before anything is known about where it is or who asks. */
export interface Request {
  readonly method: 'GET' | 'POST';
  /** Below `{base_url}/api/v3`, percent-encoded, with a leading slash. */
  readonly path: string;
  /** Query parameters in the order they are sent, not yet encoded. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `manual` gives a 3xx answer back as it is; `follow` (default) goes after it within the origin. */
  readonly redirect?: 'follow' | 'manual';
  /**
   * Reads a 2xx answer as far as is needed to know that it is what was asked for, and throws an HttpError when it is not.
   * The retry layer then asks again: a page cut in the middle or a web page in its place may well be right next time.
   */
  readonly check?: ((answer: Answer, request: Request) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came back, its body read to the end and decompressed. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** From the request to the last byte of the body, in milliseconds. */
  readonly elapsed: number;
  /** How often the request had been sent before; absent when no retry layer was passed. */
  readonly retries?: number;
}

/** Sends a request. Each layer is made from the one below: transport < throttle < retry < session. */
export type Send = (request: Request) => Promise<Answer>;

/**
 * The path with its query, percent-encoded: what stands after `{base_url}/api/v3`. Spaces become `%20`, which every server
 * reads alike, not `+`; a lone surrogate becomes U+FFFD (WHATWG URL, "application/x-www-form-urlencoded serializing").
 */
export function pathAndQuery({ path, query = [] }: Pick<Request, 'path' | 'query'>): string {
  if (query.length === 0) return path;
  const pairs = query.map(([name, value]): [string, string] => [name, value]);
  const text = new URLSearchParams(pairs).toString().replaceAll('+', '%20');
  return `${path}${path.includes('?') ? '&' : '?'}${text}`;
}
