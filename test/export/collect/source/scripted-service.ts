/** A service whose responses a test determines, and a client for it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../../../../src/client/client.js';
import type { SearchTarget } from '../../../../src/export/collect/source/slices/search-requests.js';
import type { Kind } from '../../../../src/service/kinds.js';

/** Returns a response or an HTTP status. A negative status also sends the message of a search engine about its window. */
export type Script = (parameters: Readonly<Record<string, string>>, path: string) => object | number;

export interface Scripted {
  readonly search: SearchTarget;
  /** The decoded requests, in order: `path?parameters`. */
  readonly requests: string[];
}

export async function withScript<T>(
  script: Script,
  act: (scripted: Scripted) => Promise<T>,
  { kind = 'objects', query = [] }: { readonly kind?: Kind; readonly query?: SearchTarget['query'] } = {},
): Promise<T> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(`http://service${request.url}`);
    const path = pathname.replace(/.*\//, '');
    requests.push(`${path}?${[...searchParams].map((each) => each.join('=')).join('&')}`);
    const result = script(Object.fromEntries(searchParams), path);
    const status = typeof result === 'number' ? Math.abs(result) : 200;
    const message = result === -status ? 'Result window is too large' : `error ${status}`;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(typeof result === 'number' ? { message } : result));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, retries: 0 });
  try {
    return await act({ search: { client, kind, query, signal: undefined }, requests });
  } finally {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
