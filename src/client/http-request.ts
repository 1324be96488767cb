/** One request and its response: what every layer of the client wraps. */

export interface HttpRequest<T = unknown> {
  readonly method: 'GET' | 'POST';
  /** Below `{base_url}/api/v3`, percent-encoded, with a leading slash. */
  readonly path: string;
  /** The absolute address of what is not below `/api/v3`; the path then only names it in messages. */
  readonly url?: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `follow` (default) stays within the origin. */
  readonly redirect?: 'follow' | 'manual';
  readonly decode?: Decode<T> | undefined;
  /** In bytes, as received and again after decompression. Default 64 MB. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a 2xx response. Throws an HttpError when it is not what was requested; the retry layer may then ask again. */
export type Decode<T> = (response: HttpResponse, request: HttpRequest) => T;

/** A whole response: its body as bytes, decompressed; `elapsed` in milliseconds; header names in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly elapsed: number;
  readonly retries?: number;
}

export interface DecodedResponse<T> extends HttpResponse {
  readonly value?: T;
}

/** Sends a request. Each layer is made from the one below: transport < throttle < retry < session. */
export type Send = <T>(request: HttpRequest<T>) => Promise<DecodedResponse<T>>;

/** Percent-encoded. Spaces become `%20`, not `+`, which servers read differently (WHATWG URL, "urlencoded serializing"). */
export function pathAndQuery({ path, query = [] }: Pick<HttpRequest, 'path' | 'query'>): string {
  if (query.length === 0) return path;
  const pairs = query.map(([name, value]): [string, string] => [name, value]);
  const text = new URLSearchParams(pairs).toString().replaceAll('+', '%20');
  return `${path}${path.includes('?') ? '&' : '?'}${text}`;
}
