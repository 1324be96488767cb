/** Fetches files that records point to, such as images. Each origin has its own limits for concurrency and rate. */
import { setMaxListeners } from 'node:events';
import { MAX_FILE } from './defaults.js';
import { isFirewallResponse } from './errors/firewall-response.js';
import { HttpError } from './errors/http-error.js';
import type { Decode, DecodedResponse, HttpRequest, HttpResponse, Send } from './http-request.js';
import { formatPrivateHost, type SsrfGuard } from './ssrf-guard.js';
import { getLocation, MAX_REDIRECTS } from './transport/transport.js';

interface FileOptions<T> {
  readonly decode: Decode<T>;
  readonly accept: string;
  /** Default and maximum: MAX_FILE. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches a URL, which may be relative to the base URL, and follows its redirects. Throws an HttpError. */
export type FetchFile = <T>(url: string, options: FileOptions<T>) => Promise<DecodedResponse<T>>;

const TOO_LARGE_CODES = new Set(['OPAC_TOO_LARGE', 'ERR_BUFFER_TOO_LARGE']);

/** Returns a function that fetches files. `sendTo` must send credentials only to the deployment's own origin. */
export function createFileFetcher(
  baseUrl: string,
  guard: SsrfGuard,
  sendTo: (origin: string) => Send,
): FetchFile {
  return async (url, { decode, accept, maxBytes = MAX_FILE, signal }) => {
    if (signal) setMaxListeners(0, signal);
    let target = resolveFileUrl(url, baseUrl, guard);
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
        throw isTooLarge(error)
          ? createFileError(request, 'the file is larger than allowed', undefined, error)
          : error;
      });
      const location = getLocation(response);
      if (location === undefined) {
        const message = explainFailure(response);
        if (message) throw createFileError(request, message, response);
        return response;
      }
      if (hops === MAX_REDIRECTS)
        throw createFileError(request, `the URL redirects more than ${hops} times`, response);
      target = resolveFileUrl(
        URL.canParse(location, target.href) ? new URL(location, target.href).href : location,
        baseUrl,
        guard,
      );
    }
  };
}

/** Throws an HttpError for an invalid URL, and for a URL that would make opac read local files or connect to internal servers. */
function resolveFileUrl(text: string, baseUrl: string, guard: SsrfGuard): URL {
  const url = URL.canParse(text, baseUrl) ? new URL(text, baseUrl) : undefined;
  const request = { method: 'GET', path: text } as const;
  if (!url || !/^https?:$/.test(url.protocol))
    throw createFileError(request, 'the URL does not use http or https');
  if (guard.isRefused(url.hostname)) throw createFileError(request, formatPrivateHost(url.host));
  return url;
}

/** Returns true if the server of the file did not respond, or if the connection was lost. */
export function isServerSilent(error: unknown): boolean {
  // Without a cause, opac rejected the URL and sent no request.
  const isSilent = error instanceof HttpError && error.status === undefined && error.cause !== undefined;
  return isSilent && !isTooLarge(error);
}

export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOwn = 'code' in error && TOO_LARGE_CODES.has(String(error.code));
  return isOwn || isTooLarge(error.cause);
}

function explainFailure(response: HttpResponse): string | undefined {
  const { status } = response;
  if (isFirewallResponse(response)) return `a web firewall blocked the request (${status})`;
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403) return `the server denied access (${status})`;
  if (status === 404 || status === 410) return `not found on the server (${status})`;
  return `the server responded with ${status}`;
}

function createFileError(
  request: Pick<HttpRequest, 'method' | 'path'>,
  message: string,
  response?: HttpResponse,
  cause?: unknown,
): HttpError {
  return new HttpError({ kind: 'deployment', request, response, message, cause });
}
