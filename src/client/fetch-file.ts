/** Gets files that records point to, such as images; each origin has its own retries and limits. */
import { setMaxListeners } from 'node:events';
import { MAX_FILE } from './defaults.js';
import { isFirewallResponse } from './errors/firewall-response.js';
import { HttpError } from './errors/http-error.js';
import type { Decode, DecodedResponse, HttpRequest, HttpResponse, Send } from './http-request.js';
import { isSsrfTarget } from './ssrf-guard.js';
import { locationOf, MAX_REDIRECTS } from './transport/transport.js';

export interface FileOptions<T> {
  readonly decode: Decode<T>;
  readonly accept: string;
  /** In bytes, at most and by default 256 MB. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Throws an HttpError. */
export type FetchFile = <T>(url: string, options: FileOptions<T>) => Promise<DecodedResponse<T>>;

export interface Senders {
  readonly baseUrl: string;
  /** Sends credentials to the deployment's own origin only. */
  readonly sendTo: (origin: string) => Send;
}

/** As it came, and decompressed. */
const TOO_LARGE = new Set(['OPAC_TOO_LARGE', 'ERR_BUFFER_TOO_LARGE']);

export function createFileFetcher({ baseUrl, sendTo }: Senders): FetchFile {
  return async (url, { decode, accept, maxBytes = MAX_FILE, signal }) => {
    if (signal) setMaxListeners(0, signal);
    let target = addressOf(url, baseUrl);
    for (let hops = 0; ; hops++) {
      const request: HttpRequest = {
        method: 'GET',
        url: target.href,
        path: `${target.pathname}${target.search}`,
        headers: { accept },
        redirect: 'manual',
        maxBytes: Math.min(maxBytes, MAX_FILE),
        signal,
      };
      const response = await sendTo(target.origin)({ ...request, decode }).catch((error) => {
        throw isTooLarge(error) ? refused(request, 'it is larger than allowed', undefined, error) : error;
      });
      const location = locationOf(response);
      if (location === undefined) {
        const error = errorOf(request, response);
        if (error) throw error;
        return response;
      }
      if (hops === MAX_REDIRECTS)
        throw refused(request, `it is redirected more than ${hops} times`, response);
      target = addressOf(
        URL.canParse(location, target.href) ? new URL(location, target.href).href : location,
        baseUrl,
      );
    }
  };
}

/** Throws an HttpError also for an address on this machine: a record must not make us reach what only we can. */
function addressOf(text: string, baseUrl: string): URL {
  const url = URL.canParse(text, baseUrl) ? new URL(text, baseUrl) : undefined;
  const request = { method: 'GET', path: text } as const;
  if (!url || !/^https?:$/.test(url.protocol)) throw refused(request, 'its address is no web address');
  if (isSsrfTarget(url, baseUrl)) {
    throw refused(request, 'its address is on this machine, and the deployment is not');
  }
  return url;
}

export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOwn = 'code' in error && TOO_LARGE.has(String(error.code));
  return isOwn || isTooLarge(error.cause);
}

function errorOf(request: HttpRequest, response: HttpResponse): HttpError | undefined {
  const { status } = response;
  if (isFirewallResponse(response))
    return refused(request, `a web firewall stopped the request (${status})`, response);
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403)
    return refused(request, `the server does not give it out (${status})`, response);
  if (status === 404 || status === 410)
    return refused(request, `the server does not have it (${status})`, response);
  return refused(request, `the server answered with ${status}`, response);
}

function refused(
  request: Pick<HttpRequest, 'method' | 'path'>,
  says: string,
  response?: HttpResponse,
  cause?: unknown,
): HttpError {
  return new HttpError({ kind: 'deployment', request, response, message: says, cause });
}
