/** Logs the requests that the museum receives. */
import type { IncomingMessage } from 'node:http';

/** A request that the museum received. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query, percent-decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** 0 until the response is sent. It stays 0 if the connection ends earlier. */
  readonly status: number;
  /** Milliseconds since 1970. */
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

/** A client may send any text. If it is not a path, returns the root, which has no route. */
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
