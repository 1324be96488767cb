/** The client of one deployment: all layers together, endpoints named as in the catalogue. */
import { setMaxListeners } from 'node:events';
import { type EndpointId, fillPath, getEndpoint, type ResponseOf } from '../service/endpoints/catalogue.js';
import { UsageError } from '../service/errors.js';
import { parseBaseUrl } from './base-url.js';
import { ANONYMOUS, type Credentials } from './credentials.js';
import { DEFAULT_CONCURRENCY } from './defaults.js';
import { createStatusError } from './errors/response-errors.js';
import { createFileFetcher, type FetchFile } from './fetch-file.js';
import type { Decode, HttpRequest, HttpResponse, Send } from './http-request.js';
import { type RetryOptions, withRetry } from './layers/retry.js';
import { withSession } from './layers/session.js';
import { type ThrottleOptions, withThrottle } from './layers/throttle.js';
import { parseJsonResponse } from './read-json.js';
import { ByteBudget } from './transport/byte-budget.js';
import { createTransport, type Transport, type TransportOptions } from './transport/transport.js';

/** How to reach a deployment. Retries, concurrency and rate limits have defaults that spare the service. */
export interface ClientOptions
  extends RetryOptions,
    ThrottleOptions,
    Pick<TransportOptions, 'timeout' | 'environment'> {
  readonly baseUrl: string;
  readonly allowHttp?: boolean | undefined;
  readonly credentials?: Credentials | undefined;
  /** Adds a layer around the transport, below retries and credentials, that may log requests or respond by itself. */
  readonly wrapTransport?: ((send: Send) => Send) | undefined;
}

/**
 * What a request adds to its endpoint: parameters of the path by name, unencoded; parameters of the query in their
 * order.
 */
export interface RequestOptions {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: HttpRequest['query'] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A response with what was read from its body. */
export interface FetchedResponse<T> extends HttpResponse {
  readonly value: T;
}

/** Sends requests to one deployment. Close it, or its connections keep the process alive. */
export interface Client {
  /** `https://host[:port][/folder]`, without `/api/v3`. */
  readonly baseUrl: string;
  /** JSON, with integers beyond 2^53 as strings. Throws an HttpError: `not-found`, `auth`, `usage` (400) or `deployment`. */
  get<const Id extends EndpointId>(endpointId: Id, ask?: RequestOptions): Promise<ResponseOf<Id>>;
  /** The same with the bytes, status and headers of the response. */
  fetch<const Id extends EndpointId>(
    endpointId: Id,
    ask?: RequestOptions,
  ): Promise<FetchedResponse<ResponseOf<Id>>>;
  /** Retries where `decode` throws an HttpError of `retry: 'always'`. */
  fetch<T>(
    endpointId: EndpointId,
    ask: RequestOptions & { readonly decode: Decode<T> },
  ): Promise<FetchedResponse<T>>;
  /** The same for any encoded path below `/api/v3`. Throws a UsageError without a leading slash. */
  getPath(path: string, ask?: Omit<RequestOptions, 'path'>): Promise<FetchedResponse<object>>;
  /** A file that a record points to, on whatever host; only the deployment's own origin gets credentials. */
  readonly fetchFile: FetchFile;
  close(): Promise<void>;
}

/** Makes a client, which loads and sends nothing before its first request. Throws a UsageError as `parseBaseUrl` does. */
export function createClient(options: ClientOptions): Client {
  const { credentials = ANONYMOUS, wrapTransport = (send) => send } = options;
  const budget = new ByteBudget();
  const baseUrl = parseBaseUrl(options.baseUrl, { allowHttp: options.allowHttp ?? false });
  const context = { baseUrl, credentialsHint: credentials.hint };
  const transports: Transport[] = [];
  const sendAnonymously = (origin: string): Send => {
    const connections = options.concurrency ?? DEFAULT_CONCURRENCY;
    const transport = createTransport({ ...options, baseUrl: origin, connections, budget });
    transports.push(transport);
    return withRetry(withThrottle(wrapTransport(transport.send), options), options);
  };
  const send = withSession(sendAnonymously(baseUrl), credentials);
  const senders = new Map([[new URL(baseUrl).origin, send]]);

  function sendTo(origin: string): Send {
    const sender = senders.get(origin) ?? sendAnonymously(origin);
    senders.set(origin, sender);
    return sender;
  }

  const decodeJson: Decode<object> = (response, request) => parseJsonResponse(request, response, context);

  async function request<T>(request: HttpRequest, decode: Decode<T>): Promise<FetchedResponse<T>> {
    // One signal ends all requests of a run: many listeners are no leak.
    if (request.signal) setMaxListeners(0, request.signal);
    const response = await send({ ...request, decode });
    const error = createStatusError(request, response, context);
    if (error) throw error;
    const { value = decode(response, request) } = response;
    return { ...response, value };
  }

  async function fetch<T>(
    endpointId: EndpointId,
    { path, query = [], signal, decode }: RequestOptions & { readonly decode?: Decode<T> } = {},
  ): Promise<FetchedResponse<T | object>> {
    const row = getEndpoint(endpointId);
    const what = { method: row.method, path: fillPath(row, path), query, signal };
    return request<T | object>(what, decode ?? decodeJson);
  }
  const typedFetch = fetch as Client['fetch'];

  return {
    baseUrl,
    get: async (endpointId, ask) => (await typedFetch(endpointId, ask)).value,
    fetch: typedFetch,
    async getPath(path, { query, signal } = {}) {
      if (!path.startsWith('/')) {
        throw new UsageError(
          `"${path}" is not a path below /api/v3`,
          'start it with a slash, as in /opacobjects',
        );
      }
      return request({ method: 'GET', path, query: query ?? [], signal }, decodeJson);
    },
    fetchFile: createFileFetcher({ baseUrl, sendTo }),
    close: async () => {
      await Promise.all(transports.map((transport) => transport.close()));
    },
  };
}
