/** Starts and stops the museum's server. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Searcher } from '../local/search/searcher.js';
import { OpacError } from '../service/errors.js';
import { type MuseumOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { AccessControl } from './server/access-control.js';
import { createRequestHandler } from './server/handler.js';
import { OAuthServer } from './server/oauth.js';
import type { LogEntry, LoggedRequest } from './server/request-log.js';
import { loadStore } from './store.js';

/** A running museum. */
export interface Museum {
  /** `http://<host>:<port>`, without `/api/v3`. */
  readonly url: string;
  /** In order; at most the latest 20,000. */
  readonly requests: readonly LoggedRequest[];
  readonly client: { readonly clientId: string; readonly clientSecret: string; readonly redirectURI: string };
  readonly basicKey: string;
  /** Returns an access token, as if a client had logged in. */
  issueToken(): string;
  /** Does not wait for requests in progress. */
  close(): Promise<void>;
}

/** Starts a museum. Throws a UsageError if a file of records cannot be read, and an OpacError if the server cannot listen. */
export async function startMuseum(options: MuseumOptions = {}): Promise<Museum> {
  const settings = resolveOptions(options);
  const storeAt = await loadStore(options);
  const server = process.getBuiltinModule('node:http').createServer();
  // Clients may wait for more than 5 s, the default of Node, between two requests on a connection.
  server.keepAliveTimeout = 120_000;
  const url = await listen(server, settings);

  const store = storeAt(options.imageBaseUrl ?? url);
  const access = new AccessControl(settings);
  const oauth = new OAuthServer(settings.oauth, access);
  const { maxPageSize, hasStubs } = settings;
  const state = {
    settings,
    store,
    searcher: new Searcher(store),
    cap: maxPageSize,
    stubs: hasStubs,
    access,
    oauth,
  };
  const requests: LogEntry[] = [];
  const closing = new AbortController();
  const handle = createRequestHandler(state, requests, closing.signal);
  server.on('request', (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  const { clientId, clientSecret, redirectURIs } = settings.oauth.clients[0];
  return {
    url,
    requests,
    client: { clientId, clientSecret, redirectURI: redirectURIs[0] ?? '' },
    basicKey: settings.basicKey,
    issueToken: () => access.issueToken(),
    close: () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function listen(server: Server, { host, port }: ResolvedOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const isTaken = code === 'EADDRINUSE';
      const reason = isTaken
        ? `port ${port} is already in use`
        : `cannot listen on ${host}:${port}: ${message}`;
      const canOtherPortHelp = code !== 'EADDRNOTAVAIL';
      const hint = canOtherPortHelp ? 'choose another port with --port, or 0 for any free port' : undefined;
      reject(new OpacError('internal', reason, { hint }));
    });
    server.listen(port, host, resolve);
  });
  const { address, family, port: actual } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`;
}
