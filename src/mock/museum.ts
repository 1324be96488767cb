/** The museum: an HTTP server that simulates the service. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Searcher } from '../local/search/searcher.js';
import { OpacError } from '../service/errors.js';
import { FaultCounter } from './faults/fault.js';
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
  /** The requests that the museum received, the oldest first; at most the latest 20,000. */
  readonly requests: readonly LoggedRequest[];
  readonly client: { readonly clientId: string; readonly clientSecret: string; readonly redirectURI: string };
  readonly basicKey: string;
  /** Creates and returns an access token, so that a test does not have to log in. */
  issueToken(): string;
  /** Closes all connections without waiting for requests in progress. */
  close(): Promise<void>;
}

/**
 * Throws a UsageError for an invalid fault and for an unreadable or invalid file, and an OpacError if the server cannot listen.
 * If `signal` is aborted, throws its reason.
 */
export async function startMuseum(options: MuseumOptions = {}): Promise<Museum> {
  const settings = resolveOptions(options);
  const storeAt = await loadStore(options);
  // Throws an error for an invalid fault before the server listens.
  const faults = new FaultCounter(settings.faults);
  const server = process.getBuiltinModule('node:http').createServer();
  // By default, Node closes a connection after 5 s without a request. Clients may wait longer between two requests.
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
    hasStubs,
    access,
    oauth,
    faults,
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
      const canOtherPortHelp = code !== 'EADDRNOTAVAIL' && code !== 'ENOTFOUND';
      const hint = canOtherPortHelp ? 'choose another port with --port, or 0 for any free port' : undefined;
      reject(new OpacError('internal', reason, { hint }));
    });
    server.listen(port, host, resolve);
  });
  const { address, family, port: actual } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`;
}
