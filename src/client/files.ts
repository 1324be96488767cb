/**
 * Files that records point to, such as images: on the deployment's own origin as whoever is logged in, elsewhere as nobody,
 * and everywhere with the same patience, retries and limits. Each origin has its own.
 */
import { setMaxListeners } from 'node:events';
import { isLoopback } from './base-url.js';
import { isFirewall } from './errors/firewall.js';
import { HttpError } from './errors/http-error.js';
import type { Answer, Decode, DecodedAnswer, Request, Send } from './exchange.js';

export interface FileOptions<T> {
  /** Makes of the bytes what was asked for: see `Decode`. */
  readonly decode: Decode<T>;
  /** Media types for the Accept header. */
  readonly accept: string;
  /** Bytes at most. Default 256 MB. */
  readonly largest?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Gets a file by its absolute address. Throws an HttpError when there is none to be had. */
export type GetFile = <T>(url: string, options: FileOptions<T>) => Promise<DecodedAnswer<T>>;

export interface Senders {
  /** Of the deployment. */
  readonly baseUrl: string;
  /** The way to an origin: with credentials for the deployment's own, without for any other. */
  readonly sendTo: (origin: string) => Send;
}

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function fileGetter({ baseUrl, sendTo }: Senders): GetFile {
  return async (url, { decode, accept, largest, signal }) => {
    // One signal for many requests is how a run is ended, and no leak.
    if (signal) setMaxListeners(0, signal);
    let target = addressOf(url, baseUrl);
    for (let hops = 0; ; hops++) {
      const request: Request = {
        method: 'GET',
        url: target.href,
        path: `${target.pathname}${target.search}`,
        headers: { accept },
        redirect: 'manual',
        largest,
        signal,
      };
      const answer = await sendTo(target.origin)({ ...request, decode }).catch((error) => {
        throw isTooLarge(error) ? refused(request, 'it is larger than allowed', undefined, error) : error;
      });
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || location === undefined) {
        const error = errorOf(request, answer);
        if (error) throw error;
        return answer;
      }
      if (hops === MOST_REDIRECTS) throw refused(request, `it is redirected more than ${hops} times`, answer);
      target = addressOf(
        URL.canParse(location, target.href) ? new URL(location, target.href).href : location,
        baseUrl,
      );
    }
  };
}

/**
 * The address of a file. Throws an HttpError for what is no web address, and for one on this machine in the records of another:
 * a record must not make us ask what only we can reach.
 */
function addressOf(text: string, baseUrl: string): URL {
  const url = URL.canParse(text, baseUrl) ? new URL(text, baseUrl) : undefined;
  const request = { method: 'GET', path: text } as const;
  if (!url || !/^https?:$/.test(url.protocol)) throw refused(request, 'its address is no web address');
  if (isLoopback(url.hostname) && !isLoopback(new URL(baseUrl).hostname)) {
    throw refused(request, 'its address is on this machine, and the deployment is not');
  }
  return url;
}

/** Whether a file was not read because it has more bytes than were allowed. */
export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The transport's own word for it: see wire.ts.
  return ('code' in error && error.code === 'OPAC_TOO_LARGE') || isTooLarge(error.cause);
}

function errorOf(request: Request, answer: Answer): HttpError | undefined {
  const { status } = answer;
  if (isFirewall(answer)) return refused(request, `a web firewall stopped the request (${status})`, answer);
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403)
    return refused(request, `the server does not give it out (${status})`, answer);
  if (status === 404 || status === 410)
    return refused(request, `the server does not have it (${status})`, answer);
  return refused(request, `the server answered with ${status}`, answer);
}

function refused(
  request: Pick<Request, 'method' | 'path'>,
  says: string,
  answer?: Answer,
  cause?: unknown,
): HttpError {
  return new HttpError({ kind: 'deployment', request, answer, message: says, cause });
}
