/** The log of the requests that the museum received. */
import type { IncomingMessage } from 'node:http';

/** A request that the museum received. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query, percent-decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** 0 until the response is sent, and for one that is cut off before. */
  readonly status: number;
  /** When the request came, in milliseconds since 1970. */
  readonly at: number;
}

export type LogEntry = { -readonly [Key in keyof LoggedRequest]: LoggedRequest[Key] };

const MAX_LOG_ENTRIES = 20_000;

export function logRequest(log: LogEntry[], request: IncomingMessage): LogEntry {
  const { pathname, search, searchParams } = urlOf(request);
  const entry = {
    method: request.method ?? '',
    path: decoded(pathname) + decoded(search.replaceAll('+', ' ')),
    query: searchParams,
    headers: request.headers,
    status: 0,
    at: Date.now(),
  };
  if (log.push(entry) > MAX_LOG_ENTRIES) log.shift();
  return entry;
}

/** A client may send any text as the target: what is not a path is read as the root, where nothing is served. */
export function urlOf({ url = '' }: IncomingMessage): URL {
  return new URL(`http://museum${url.startsWith('/') ? url : '/'}`);
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
