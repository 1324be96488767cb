/** The lowest layer: sends requests over a connection pool of undici. */
import { isUtf8 } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { VERSION } from '../../service/version.js';
import { decodeWindows1252 } from '../../system/windows-1252.js';
import { DEFAULT_TIMEOUT_SECONDS } from '../defaults.js';
import { HttpError } from '../errors/http-error.js';
import { createNetworkError } from '../errors/network-error.js';
import { type HttpRequest, type HttpResponse, pathAndQuery, type Send } from '../http-request.js';
import { ByteBudget } from './byte-budget.js';
import { createDispatcher } from './dispatcher.js';
import { type Environment, findProxy } from './proxy.js';
import { ACCEPT_ENCODING, sendRequest } from './send-request.js';

export interface TransportOptions {
  readonly baseUrl: string;
  /** In seconds. Limits the time to connect, and the time until a response is complete. Default DEFAULT_TIMEOUT_SECONDS. */
  readonly timeout?: number | undefined;
  readonly budget?: ByteBudget | undefined;
  readonly connections?: number | undefined;
  /** Contains the proxy variables. Node itself reads NODE_EXTRA_CA_CERTS. */
  readonly environment?: Environment | undefined;
  readonly lookup?: LookupFunction | undefined;
}

export interface Transport {
  /** Throws an HttpError if the request fails or a redirect is forbidden. After an abort, throws the signal's reason. */
  readonly send: Send;
  close(): Promise<void>;
}

const USER_AGENT = `opac/${VERSION}`;

export function resolveUrl(baseUrl: string, request: Pick<HttpRequest, 'path' | 'query' | 'url'>): URL {
  if (request.url !== undefined) return new URL(request.url);
  return new URL(`${baseUrl}/api/v3${pathAndQuery(request)}`);
}

/** The transport connects on its first request. Throws a UsageError for an invalid proxy variable. */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, timeout = DEFAULT_TIMEOUT_SECONDS, connections, environment = {} } = options;
  const { budget = new ByteBudget(), lookup } = options;
  const { origin } = new URL(baseUrl);
  const proxy = findProxy(origin, environment);
  let dispatcher: Promise<Dispatcher> | undefined;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);

  async function sendOnce(request: HttpRequest, url: URL): Promise<HttpResponse> {
    dispatcher ??= createDispatcher(
      { timeout: timeout * 1000, connections: connections ?? null, closing: closing.signal, lookup },
      proxy,
    );
    const headers = {
      accept: 'application/json',
      'accept-encoding': ACCEPT_ENCODING,
      'user-agent': USER_AGENT,
      ...request.headers,
    };
    try {
      const wireRequest = { ...request, url, headers, budget, timeout: timeout * 1000 };
      const response = await sendRequest(await dispatcher, wireRequest);
      if (response.status === 407) throw new Error('Proxy response (407)');
      return transcodeToUtf8(response);
    } catch (cause) {
      request.signal?.throwIfAborted();
      throw createNetworkError(request, cause, { origin: url.origin, host: url.host, timeout });
    }
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    let url = resolveUrl(baseUrl, request);
    for (let hops = 0; ; hops++) {
      const response = await sendOnce(request, url);
      const location = request.redirect === 'manual' ? undefined : getLocation(response);
      if (location === undefined || !URL.canParse(location, url.href)) return response;
      const target = new URL(location, url);
      // Redirects other than 307 and 308 can turn a POST into a GET without a body (RFC 9110 section 15.4).
      const losesBody = request.method === 'POST' && response.status !== 307 && response.status !== 308;
      if (target.origin !== origin || losesBody || hops === MAX_REDIRECTS) {
        const to = target.origin === 'null' ? `a ${target.protocol} URL` : target.origin;
        throw createRedirectError(request, response, { from: origin, to, hops });
      }
      url = target;
    }
  }

  return {
    send,
    async close() {
      const destroyed = (await dispatcher)?.destroy();
      closing.abort();
      await destroyed;
    },
  };
}

export const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Returns the target of a redirect, which may be relative or invalid. */
export function getLocation({ status, headers }: HttpResponse): string | undefined {
  return REDIRECTS.has(status) ? headers.location : undefined;
}

function createRedirectError(
  request: HttpRequest,
  response: HttpResponse,
  { from, to, hops }: { readonly from: string; readonly to: string; readonly hops: number },
): HttpError {
  const isOtherOrigin = to !== from;
  const problem =
    hops === MAX_REDIRECTS
      ? `more than ${hops} times`
      : `(${response.status}), which would drop the request body`;
  return new HttpError({
    kind: 'deployment',
    code: 'unexpected-response',
    request,
    response,
    message: isOtherOrigin
      ? `${from} redirects to ${to}; credentials must not be sent there`
      : `${from} redirects this request ${problem}`,
    hint:
      /^http/.test(to) && isOtherOrigin
        ? `if ${to} is the service, use it as the base URL`
        : 'check the base URL',
  });
}

const REPLACEMENT = Buffer.from('\ufffd');

/** A decoder replaces invalid bytes with U+FFFD. This function reverses that, so that exports can report the record. */
function invalidateReplacements(bytes: Buffer): Buffer {
  let at = bytes.indexOf(REPLACEMENT);
  if (at < 0) return bytes;
  let length = at;
  while (at < bytes.length) {
    const isInvalid = bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    bytes[length++] = isInvalid ? 0xff : (bytes[at] as number);
    at += isInvalid ? REPLACEMENT.length : 1;
  }
  return bytes.subarray(0, length);
}

/**
 * Converts the response from the charset in its content type (RFC 9110 section 8.3.2) to UTF-8. Does not change valid UTF-8, even
 * if the content type names another charset, because JSON must be UTF-8 (RFC 8259 section 8.1).
 */
export function transcodeToUtf8(response: HttpResponse): HttpResponse {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(response.headers['content-type'] ?? '') ?? [];
  if (/^utf-?8$/i.test(charset)) return response;
  // JSON in UTF-16 may be valid UTF-8, but then contains NUL bytes.
  if (isUtf8(response.bytes) && !response.bytes.includes(0)) return response;
  try {
    const decoder = new TextDecoder(charset);
    const isWindows1252 = decoder.encoding === 'windows-1252';
    const text = isWindows1252 ? decodeWindows1252(response.bytes) : decoder.decode(response.bytes);
    return { ...response, bytes: invalidateReplacements(Buffer.from(text)) };
  } catch {
    return response;
  }
}
