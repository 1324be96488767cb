/** Logs the requests that the museum receives. */
import type { IncomingMessage } from 'node:http';

/** A request that the museum received. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query, percent-decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The HTTP status; 0 before the museum sends the response, and if the museum closes the connection without a response. */
  readonly status: number;
  /** Time of arrival, in milliseconds since 1970. */
  readonly at: number;
}

export type LogEntry = { -readonly [Key in keyof LoggedRequest]: LoggedRequest[Key] };

const MAX_LOG_ENTRIES = 20_000;

export function logRequest(log: LogEntry[], request: IncomingMessage): LogEntry {
  const { pathname, search, searchParams } = parseUrl(request);
  const entry = {
    method: request.method ?? '',
    path: decodePercent(pathname) + decodePercent(search.replaceAll('+', ' ')),
    query: searchParams,
    headers: request.headers,
    status: 0,
    at: Date.now(),
  };
  if (log.push(entry) > MAX_LOG_ENTRIES) log.shift();
  return entry;
}

/** A client can send any text as the URL. If the text does not begin with `/`, returns the root, which has no route. */
export function parseUrl({ url = '' }: IncomingMessage): URL {
  return new URL(`http://museum${url.startsWith('/') ? url : '/'}`);
}

export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
