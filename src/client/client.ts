/** The client of one deployment: every layer put together, endpoints named as in the catalogue. */
import { setMaxListeners } from 'node:events';
import { endpoint, fillPath } from '../service/catalogue.js';
import { UsageError } from '../service/errors.js';
import { parseBaseUrl } from './base-url.js';
import type { Clock } from './clock.js';
import { ANONYMOUS, type Credentials } from './credentials.js';
import { DEFAULT_CONCURRENCY } from './defaults.js';
import { readJson, statusError } from './errors/answer-errors.js';
import type { Answer, Decode, Request, Send } from './exchange.js';
import type { Environment } from './layers/proxy.js';
import { type Retrying, withRetry } from './layers/retry.js';
import { withSession } from './layers/session.js';
import { type Notice, withThrottle } from './layers/throttle.js';
import { createTransport } from './layers/transport.js';

export interface ClientOptions {
  /** As people write it: see `parseBaseUrl`. */
  readonly baseUrl: string;
  readonly allowHttp?: boolean | undefined;
  /** Default none. */
  readonly credentials?: Credentials | undefined;
  /** Seconds until a connection, until an answer begins, and between two pieces of it. Default 60. */
  readonly timeout?: number | undefined;
  /** How often a request is sent again at most. Default 4. */
  readonly retries?: number | undefined;
  /** Most requests at once. Default 6. */
  readonly concurrency?: number | undefined;
  /** Most requests started in a second, retries included. Default no limit. */
  readonly rate?: number | undefined;
  /** Where the proxy variables are looked up. Default none. */
  readonly environment?: Environment | undefined;
  /** What a person should know while the work goes on. */
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  /** Told before each wait for another try. */
  readonly onRetry?: ((retrying: Retrying) => void) | undefined;
  /**
   * A layer around the transport: it sees every request as it goes out, retries and Authorization included, and its answer.
   * It may log both, or answer by itself and send nothing.
   */
  readonly wrapTransport?: ((send: Send) => Send) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** What is asked of an endpoint. */
export interface RequestOptions {
  /** Values of the parameters in the path, not yet encoded. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Request['query'] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A 2xx answer with what was made of it. */
export interface FetchedAnswer<T> extends Answer {
  readonly value: T;
}

export interface Client {
  /** `https://host[:port][/folder]`, without `/api/v3`. */
  readonly baseUrl: string;
  /**
   * The JSON object or list that an endpoint of the catalogue answers with. Integers beyond 2^53 are strings.
   * Throws an HttpError: `not-found`, `auth`, `usage` (refused with 400) or `deployment`.
   */
  get(endpointId: string, ask?: RequestOptions): Promise<object>;
  /** The same with the whole response around it: its bytes, status and headers. */
  fetch(endpointId: string, ask?: RequestOptions): Promise<FetchedAnswer<object>>;
  /** The same, read by `decode`: where that throws an HttpError of `retry: 'always'`, the client asks again. */
  fetch<T>(
    endpointId: string,
    ask: RequestOptions & { readonly decode: Decode<T> },
  ): Promise<FetchedAnswer<T>>;
  /** The same for any path below `/api/v3`, already encoded, its query perhaps with it. Throws a UsageError without a leading slash. */
  getPath(path: string, ask?: Omit<RequestOptions, 'path'>): Promise<FetchedAnswer<object>>;
  /** Ends every connection; what is under way fails. */
  close(): Promise<void>;
}

/** Makes a client. Nothing is sent or loaded before it is asked for something. Throws a UsageError as `parseBaseUrl` does. */
export function createClient(options: ClientOptions): Client {
  const { credentials = ANONYMOUS, wrapTransport = (send) => send } = options;
  const baseUrl = parseBaseUrl(options.baseUrl, { allowHttp: options.allowHttp ?? false });
  const asked = { baseUrl, credentialsHint: credentials.hint };
  const transport = createTransport({
    ...options,
    baseUrl,
    connections: options.concurrency ?? DEFAULT_CONCURRENCY,
  });
  const throttled = withThrottle(wrapTransport(transport.send), options);
  const send = withSession(withRetry(throttled, options), credentials);

  const decodeJson: Decode<object> = (answer, request) => readJson(request, answer, asked);

  async function request<T>(request: Request, decode: Decode<T>): Promise<FetchedAnswer<T>> {
    // One signal for many requests is how a run is ended, and no leak.
    if (request.signal) setMaxListeners(0, request.signal);
    const answer = await send({ ...request, decode });
    const error = statusError(request, answer, asked);
    if (error) throw error;
    const { value = decode(answer, request) } = answer;
    return { ...answer, value };
  }

  function fetch(endpointId: string, ask?: RequestOptions): Promise<FetchedAnswer<object>>;
  function fetch<T>(
    endpointId: string,
    ask: RequestOptions & { readonly decode: Decode<T> },
  ): Promise<FetchedAnswer<T>>;
  async function fetch<T>(
    endpointId: string,
    { path, query = [], signal, decode }: RequestOptions & { readonly decode?: Decode<T> } = {},
  ): Promise<FetchedAnswer<T | object>> {
    const row = endpoint(endpointId);
    const what = { method: row.method, path: fillPath(row, path), query, signal };
    return request<T | object>(what, decode ?? decodeJson);
  }

  return {
    baseUrl,
    get: async (endpointId, ask) => (await fetch(endpointId, ask)).value,
    fetch,
    async getPath(path, { query, signal } = {}) {
      if (!path.startsWith('/')) {
        throw new UsageError(`"${path}" is no path below /api/v3`, `write it as in /opacobjects`);
      }
      return request({ method: 'GET', path, query: query ?? [], signal }, decodeJson);
    },
    close: transport.close,
  };
}
