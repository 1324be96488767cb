/** The client of one deployment: combines the layers, and calls endpoints by id. */
import { setMaxListeners } from 'node:events';
import { assertIntegers, assertPositive, assertTexts } from '../service/assert-options.js';
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
import { createSsrfGuard, type SsrfGuardOptions } from './ssrf-guard.js';
import { ByteBudget } from './transport/byte-budget.js';
import { findProxy } from './transport/proxy.js';
import { createTransport, type Transport, type TransportOptions } from './transport/transport.js';

/** How to reach a deployment. */
export interface ClientOptions
  extends RetryOptions,
    ThrottleOptions,
    SsrfGuardOptions,
    Pick<TransportOptions, 'timeout' | 'environment'> {
  readonly baseUrl: string;
  readonly allowHttp?: boolean | undefined;
  readonly credentials?: Credentials | undefined;
  /** Wraps the transport, for example to log requests. The wrapper receives requests with their credentials. */
  readonly wrapTransport?: ((send: Send) => Send) | undefined;
}

/** The parameters of a request, not percent-encoded: path parameters by name, and query parameters in order. */
export interface RequestOptions {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: HttpRequest['query'] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A response and the value of its body. */
export interface FetchedResponse<T> extends HttpResponse {
  readonly value: T;
}

/** Sends requests to one deployment. Call `close` at the end: open connections keep the process alive. */
export interface Client {
  /** `https://host[:port][/folder]`, without `/api/v3`. */
  readonly baseUrl: string;
  /** Returns the parsed JSON. Integers of 2^53 or more are strings. Throws an HttpError or a UsageError. */
  get<const Id extends EndpointId>(endpointId: Id, options?: RequestOptions): Promise<ResponseOf<Id>>;
  /** Like `get`, but returns the complete response. */
  fetch<const Id extends EndpointId>(
    endpointId: Id,
    options?: RequestOptions,
  ): Promise<FetchedResponse<ResponseOf<Id>>>;
  /** Returns the response with the value of `decode`. Retries if `decode` throws an HttpError with `retry: 'always'`. */
  fetch<T>(
    endpointId: EndpointId,
    options: RequestOptions & { readonly decode: Decode<T> },
  ): Promise<FetchedResponse<T>>;
  /** Like `fetch`, for a percent-encoded path below `/api/v3`. Throws a UsageError if the leading slash is missing. */
  getPath(path: string, options?: Omit<RequestOptions, 'path'>): Promise<FetchedResponse<object>>;
  /** Fetches a file that a record points to. Only the deployment's own origin receives credentials. */
  readonly fetchFile: FetchFile;
  close(): Promise<void>;
}

/** The client connects on its first request. Throws a UsageError for invalid options. */
export function createClient(options: ClientOptions): Client {
  const { credentials = ANONYMOUS, wrapTransport = (send) => send } = options;
  const { concurrency: connections = DEFAULT_CONCURRENCY, allowHttp = false } = options;
  assertIntegers(0, { retries: options.retries });
  assertIntegers(1, { concurrency: connections });
  assertPositive({ rate: options.rate, timeout: options.timeout });
  assertTexts({ baseUrl: options.baseUrl });
  const budget = new ByteBudget();
  const baseUrl = parseBaseUrl(options.baseUrl, { allowHttp });
  const { hint: credentialsHint, expiredHint } = credentials;
  const context = { baseUrl, credentialsHint, expiredHint };
  const guard = createSsrfGuard(baseUrl, options);
  const shared = { ...options, connections, budget };
  const ownLookup = options.allowOwnHost === false ? guard.lookup : undefined;
  const ownTransport = createTransport({ ...shared, baseUrl, lookup: ownLookup });
  /** The transports for other origins. The key is the URL of the proxy; undefined without a proxy. */
  const transports = new Map<string | undefined, Transport>();
  const wrap = ({ send }: Transport) => withRetry(withThrottle(wrapTransport(send), options), options);
  const send = withSession(wrap(ownTransport), credentials);
  const senders = new Map([[new URL(baseUrl).origin, send]]);

  function getSend(origin: string): Send {
    const known = senders.get(origin);
    if (known) return known;
    const proxy = findProxy(origin, options.environment ?? {})?.url;
    const transport =
      transports.get(proxy) ?? createTransport({ ...shared, baseUrl: origin, lookup: guard.lookup });
    transports.set(proxy, transport);
    const sender = wrap(transport);
    senders.set(origin, sender);
    return sender;
  }

  const decodeJson: Decode<object> = (response, request) => parseJsonResponse(request, response, context);

  async function sendAndDecode<T>(request: HttpRequest, decode: Decode<T>): Promise<FetchedResponse<T>> {
    // One signal ends all requests of a run, so many listeners are not a leak.
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
    const request = { method: row.method, path: fillPath(row, path), query, signal };
    return sendAndDecode<T | object>(request, decode ?? decodeJson);
  }
  const typedFetch = fetch as Client['fetch'];

  return {
    baseUrl,
    get: async (endpointId, requestOptions) => (await typedFetch(endpointId, requestOptions)).value,
    fetch: typedFetch,
    async getPath(path, { query, signal } = {}) {
      if (!path.startsWith('/')) {
        throw new UsageError(
          `"${path}" is not a path below /api/v3`,
          'start it with a slash, as in /opacobjects',
        );
      }
      return sendAndDecode({ method: 'GET', path, query: query ?? [], signal }, decodeJson);
    },
    fetchFile: createFileFetcher(baseUrl, guard, getSend),
    close: async () => {
      await Promise.all([ownTransport, ...transports.values()].map((transport) => transport.close()));
    },
  };
}
