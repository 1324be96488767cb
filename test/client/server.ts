/** Servers for the tests of the client. Each server closes when the test that started it ends. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Served {
  readonly url: string;
  /** Path and query of each request, in order, without `/api/v3`. */
  readonly paths: string[];
  readonly requests: IncomingMessage[];
}

/** Serves on 127.0.0.1. The listener receives the complete `request.url`, with `/api/v3`. */
export async function serve(listener: RequestListener): Promise<Served> {
  const served = { paths: [] as string[], requests: [] as IncomingMessage[] };
  const server = createServer((request, response) => {
    served.requests.push(request);
    served.paths.push((request.url ?? '').replace('/api/v3', ''));
    listener(request, response);
  });
  return { ...served, url: await listen(server) };
}

/** Starts any server on a free port of 127.0.0.1, and returns its HTTP URL. */
export async function listen(
  server: Pick<Server, 'listen' | 'close' | 'address' | 'closeAllConnections'>,
): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function sendHtml(response: ServerResponse, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<!doctype html><p>Hello</p>');
}

/** Returns a promise and the function that resolves it. */
export function createGate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}
