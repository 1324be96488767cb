/** One request and its answer: what every layer of the client wraps. */

/** A request to the service, before anything is known about where it is or who asks. */
export interface Request<T = unknown> {
  readonly method: 'GET' | 'POST';
  /** Below `{base_url}/api/v3`, percent-encoded, with a leading slash. */
  readonly path: string;
  /** Query parameters in the order they are sent, not yet encoded. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `manual` gives a 3xx answer back as it is; `follow` (default) goes after it within the origin. */
  readonly redirect?: 'follow' | 'manual';
  readonly decode?: Decode<T> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes of a 2xx answer what was asked for; throws an HttpError when it is something else. The retry layer then asks again:
 * a page cut in the middle or a web page in its place may well be right next time.
 */
export type Decode<T> = (answer: Answer, request: Request) => T;

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

export interface DecodedAnswer<T> extends Answer {
  /** What `decode` made of it: set by the retry layer. */
  readonly value?: T;
}

/** Sends a request. Each layer is made from the one below: transport < throttle < retry < session. */
export type Send = <T>(request: Request<T>) => Promise<DecodedAnswer<T>>;

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
