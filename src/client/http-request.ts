/** A request and its response, as every layer of the client sees them. */

export interface HttpRequest<T = unknown> {
  readonly method: 'GET' | 'POST';
  /** Below `{base_url}/api/v3`, percent-encoded, with a leading slash. */
  readonly path: string;
  /** The absolute URL of a file that is not below `/api/v3`. If `url` is present, only messages use `path`. */
  readonly url?: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `follow` (default): follows redirects within the origin, and throws for other redirects. `manual`: returns the redirect. */
  readonly redirect?: 'follow' | 'manual';
  readonly decode?: Decode<T> | undefined;
  /** Default MAX_BODY. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the value of a 2xx response. Throws an HttpError for an unexpected body; the client may then retry. */
export type Decode<T> = (response: HttpResponse, request: HttpRequest) => T;

/** The body is decompressed, `elapsed` is in milliseconds, and header names are in lower case. */
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

/** Each layer wraps the layer below. The layers, from the lowest: transport, throttle, retry, session. */
export type Send = <T>(request: HttpRequest<T>) => Promise<DecodedResponse<T>>;

/** Returns the path with the encoded query. Spaces become `%20`, because some servers do not read `+` as a space. */
export function pathAndQuery({ path, query = [] }: Pick<HttpRequest, 'path' | 'query'>): string {
  if (query.length === 0) return path;
  const pairs = query.map(([name, value]): [string, string] => [name, value]);
  const text = new URLSearchParams(pairs).toString().replaceAll('+', '%20');
  return `${path}${path.includes('?') ? '&' : '?'}${text}`;
}
