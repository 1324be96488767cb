/** The museum's server: takes requests, finds who answers them, and sends the answer, or what a fault makes of it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CATALOGUE } from '../service/catalogue.js';
import { UsageError } from '../service/errors.js';
import { FaultCounter } from './faults/fault.js';
import { deliver, replaced } from './faults/fault-effects.js';
import { type MuseumOptions, resolveOptions, type Settings } from './options.js';
import { jsonResponse, RouteError, type RouteResponse, routeError } from './response.js';
import { Searcher } from './search/select.js';
import { Access } from './server/access.js';
import { convertTypes } from './server/convert-types.js';
import { OAuth } from './server/oauth.js';
import { pictureRoute } from './server/picture-route.js';
import type { ServerState } from './server/request.js';
import { type Routed, router } from './server/router.js';
import { ROUTES } from './server/routes.js';
import { loadStore } from './store.js';

export interface Museum {
  /** Its address without `/api/v3`: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The requests it got, in order; of very many, the latest. */
  readonly requests: readonly LoggedRequest[];
  /** The first of the registered clients. */
  readonly client: { readonly clientId: string; readonly clientSecret: string; readonly redirectURI: string };
  readonly basicKey: string;
  /** An access token, as if a client had logged in. */
  issueToken(): string;
  /** Closes at once, whatever is under way. */
  close(): Promise<void>;
}

export interface LoggedRequest {
  readonly method: string;
  /** Path and query, percent-decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** 0 until the answer is sent, and for one that is cut off before. */
  readonly status: number;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

/** So many requests are kept. */
const LOG = 20_000;

/** The longest body that is read: far more than a token request needs. */
const BODY = 64 * 1024;

const API = '/api/v3';
const findRoute = router(CATALOGUE);

/**
 * Starts a museum on loopback and gives it when it listens.
 * Throws a UsageError for a file of records that cannot be read, and for a port that is taken.
 */
export async function startMuseum(options: MuseumOptions = {}): Promise<Museum> {
  const settings = resolveOptions(options);
  const furnish = await loadStore(options);
  const closing = new AbortController();
  const requests: Mutable<LoggedRequest>[] = [];
  let answer: Respond | undefined;

  const server = createServer((request, response) => {
    answer?.(request, response, log(requests, request)).catch(() => response.destroy());
  });
  // A client may well wait longer than Node's 5 s between two requests on a connection.
  server.keepAliveTimeout = 120_000;
  const url = await listen(server, settings);
  const access = new Access(settings);
  const holdings = furnish(url);
  const house: ServerState = {
    settings,
    store: holdings,
    searcher: new Searcher(holdings),
    oauth: new OAuth(settings.oauth, access),
    searches: 0,
  };
  answer = responder(house, access, closing.signal);

  const [client] = settings.oauth.clients;
  return {
    url,
    requests,
    client: {
      clientId: client.clientId,
      clientSecret: client.clientSecret,
      redirectURI: client.redirectURIs[0] ?? '',
    },
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

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type Respond = (
  request: IncomingMessage,
  response: ServerResponse,
  logged: Mutable<LoggedRequest>,
) => Promise<void>;

function log(requests: Mutable<LoggedRequest>[], request: IncomingMessage): Mutable<LoggedRequest> {
  const { pathname, search, searchParams } = addressOf(request);
  const logged = {
    method: request.method ?? '',
    path: readable(pathname) + readable(search.replaceAll('+', ' ')),
    query: searchParams,
    headers: request.headers,
    status: 0,
    at: Date.now(),
  };
  if (requests.push(logged) > LOG) requests.shift();
  return logged;
}

/** Whatever a client sends as the target: what is no path is the root, where nothing is served. */
function addressOf({ url = '' }: IncomingMessage): URL {
  return new URL(`http://museum${url.startsWith('/') ? url : '/'}`);
}

function readable(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function listen(server: Server, { host, port }: Settings): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new UsageError(
          cause.code === 'EADDRINUSE'
            ? `port ${port} is taken`
            : `cannot listen on ${host}:${port}: ${cause.message}`,
          'choose another with --port, or 0 for any that is free',
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}

function responder(house: ServerState, access: Access, closing: AbortSignal): Respond {
  const { settings } = house;
  const faults = new FaultCounter(settings.faults);
  const visitor = async (request: IncomingMessage, url: URL, routed: Routed): Promise<RouteResponse> => {
    if (routed.found === 'nothing') throw routeError(404, `No such path : ${url.pathname}`);
    if (routed.found === 'other-method') {
      const { response: answer } = routeError(405, `Method ${request.method} is not allowed`);
      return { ...answer, headers: { ...answer.headers, allow: routed.allowed.join(', ') } };
    }
    const { row, parameters } = routed;
    if (!row.id.startsWith('oauth.')) access.check(request.headers.authorization);
    const contentType = request.headers['content-type'];
    const body = row.method === 'POST' ? await bodyOf(request) : '';
    const route = ROUTES.get(row.id);
    if (!route) throw new RangeError(`no route answers ${row.id}`);
    return route({ parameters, query: url.searchParams, contentType, body }, house);
  };

  return async (request, response, logged) => {
    const url = addressOf(request);
    const picture = pictureRoute(request.method, url.pathname, house.store);
    const routed: Routed = url.pathname.startsWith(`${API}/`)
      ? findRoute(request.method ?? '', url.pathname.slice(API.length))
      : { found: 'nothing' };
    const routeId = picture ? 'images' : routed.found === 'route' ? routed.row.id : undefined;
    const fault = routeId === undefined ? undefined : faults.next(routeId);
    if (settings.latency > 0) await pause(settings.latency, undefined, { signal: closing });

    let answer = picture ?? convertTypes(settings, await visitor(request, url, routed).catch(answerTo));
    if (fault) answer = replaced(fault, answer);
    if (settings.gzip && /\bgzip\b/.test(String(request.headers['accept-encoding'])))
      answer = await gzipped(answer);
    if (fault?.kind !== 'cut-before') logged.status = answer.status;
    await deliver(fault, answer, { response, closing, send: (sent) => send(sent, response) });
  };
}

/** The answer to an error: that of a refusal, and 500 for a fault of the museum's own. */
function answerTo(error: unknown): RouteResponse {
  return error instanceof RouteError
    ? error.response
    : jsonResponse({ message: `Internal error : ${String(error)}` }, 500);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY) throw routeError(400, 'body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function gzipped(answer: RouteResponse): Promise<RouteResponse> {
  const body = await promisify(gzip)(answer.body);
  return {
    ...answer,
    headers: { ...answer.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
    body,
  };
}

function send({ status, headers, body }: RouteResponse, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
}
