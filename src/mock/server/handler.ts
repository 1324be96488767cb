/** Handles one request: finds the route, creates the response, applies faults, and sends the response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Page, RecordsState } from '../../local/request.js';
import { addHeader, jsonResponse, RouteError, type RouteResponse, routeError } from '../../local/response.js';
import { ROUTES } from '../../local/routes.js';
import { findEndpoint } from '../../service/endpoints/find-endpoint.js';
import { RETIRED_PATHS } from '../../service/endpoints/retired.js';
import { KINDS } from '../../service/kinds.js';
import { matchTemplate } from '../../service/migrate/service-url.js';
import { type ActiveFault, deliver, type FaultCounter, replaceResponse } from '../faults/fault.js';
import type { ResolvedOptions } from '../options.js';
import type { MuseumStore } from '../store.js';
import type { AccessControl } from './access-control.js';
import { isAllowedHost } from './allowed-hosts.js';
import { convertTypes } from './convert-types.js';
import { respondWithImage } from './image-route.js';
import type { OAuthServer } from './oauth.js';
import { type LogEntry, logRequest, parseUrl } from './request-log.js';
import { assertNotRetired, type RequestTarget, translateRetiredRequest } from './retired-requests.js';

/** Maximum size of the body of a token request. Valid requests are much smaller. */
const MAX_BODY_BYTES = 64 * 1024;

const API = '/api/v3';

export interface ServerState extends RecordsState {
  readonly settings: ResolvedOptions;
  readonly store: MuseumStore;
  readonly access: AccessControl;
  readonly oauth: OAuthServer;
  readonly faults: FaultCounter;
}

/** Adds each request to `log`. When the museum closes, `closing` ends all pauses. */
export function createRequestHandler(
  state: ServerState,
  log: LogEntry[],
  closing: AbortSignal,
): (request: IncomingMessage, to: ServerResponse) => Promise<void> {
  const { settings, faults } = state;
  const { refusesDeprecated } = faults;
  return async (request, to) => {
    const logged = logRequest(log, request);
    if (!isAllowedHost(request.headers.host, settings)) {
      logged.status = 421;
      return send(
        routeError(421, 'The museum does not accept the host name in the Host header').response,
        to,
      );
    }
    const url = parseUrl(request);
    const image = await respondWithImage(request.method, url.pathname, state.store);
    const original = {
      path: url.pathname.startsWith(`${API}/`) ? url.pathname.slice(API.length) : '',
      query: url.searchParams,
    };
    const { path, query } = refusesDeprecated ? original : translateRetiredRequest(original);
    const routeId = image ? 'images' : findRouteId(request.method, path);
    const retired = path === original.path ? [] : faults.next('retired');
    const active = retired.length > 0 || routeId === '' ? retired : faults.next(routeId);
    const fault = active.find(({ effect }) => !effect.page);
    if (settings.latency > 0) await pause(settings.latency, undefined, { signal: closing });

    const misread = {
      query,
      authorization: request.headers.authorization,
      goodAuthorization: `Basic ${settings.basicKey}`,
      listFirstIds: (count: number) => listFirstIds(state, routeId, count),
    };
    await fault?.effect.misread?.(misread);
    const { authorization } = misread;
    let response =
      image ??
      convertTypes(
        settings,
        await createResponse(request, { path, query, authorization, active, refusesDeprecated }, state),
      );
    if (fault) response = replaceResponse(fault, response, query);
    if (settings.gzip && /\bgzip\b/.test(String(request.headers['accept-encoding'])))
      response = await compressBody(response);
    if (fault?.fault.kind !== 'cut-before') logged.status = response.status;
    await deliver(fault, response, { to, closing, send: (sent) => send(sent, to) });
  };
}

/** Returns the id of the endpoint, or `retired` for a retired path; `''` for other requests, which no fault affects. */
function findRouteId(method: string | undefined, path: string): string {
  const row = findRoute(path)?.row;
  if (row?.method === method) return row?.id ?? '';
  const segments = path.split('/').slice(1);
  return RETIRED_PATHS.some((retired) => matchTemplate(retired.path, segments)) ? 'retired' : '';
}

/** Returns undefined for an unknown path, and for a path that ends in a slash. */
function findRoute(path: string) {
  return path === '' || path.endsWith('/') ? undefined : findEndpoint(path);
}

async function listFirstIds({ store }: ServerState, routeId: string, count: number): Promise<string[]> {
  const kind = KINDS.find((each) => routeId === `${each}.search`);
  if (!kind) return [];
  const records = store.records[kind];
  const length = Math.min(count, await records.count());
  const found = await records.at(
    Array.from({ length }, (_, index) => index),
    () => [],
  );
  return found.map(({ id }) => id);
}

interface ParsedRequest extends RequestTarget {
  readonly authorization: string | undefined;
  readonly active: readonly ActiveFault[];
  readonly refusesDeprecated: boolean;
}

async function createResponse(
  request: IncomingMessage,
  { path, query, authorization, active, refusesDeprecated }: ParsedRequest,
  state: ServerState,
): Promise<RouteResponse> {
  try {
    if (refusesDeprecated) assertNotRetired({ path, query });
    const found = findRoute(path);
    if (!found) throw routeError(404, `No such path : ${parseUrl(request).pathname}`);
    const { row, values } = found;
    if (row.method !== request.method) {
      const { response } = routeError(405, `Method ${request.method} is not allowed`);
      return addHeader(response, 'allow', row.method);
    }
    if (row.id === 'oauth.authorize') return state.oauth.authorize(query);
    if (row.id === 'oauth.token')
      return state.oauth.issueToken(request.headers['content-type'], await readBody(request));
    state.access.assertAuthorized(authorization);
    const route = ROUTES.get(row.id);
    if (!route) throw new RangeError(`no route for ${row.id}`);
    const changePage = (page: Page) =>
      active.reduce(
        (changed, { fault, effect, number }) => effect.page?.(changed, fault, number) ?? changed,
        page,
      );
    return await route({ parameters: values, query, changePage }, state);
  } catch (error) {
    return error instanceof RouteError
      ? error.response
      : jsonResponse({ message: `Internal error : ${String(error)}` }, 500);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw routeError(400, 'body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function compressBody({ status, headers, body }: RouteResponse): Promise<RouteResponse> {
  return {
    status,
    headers: { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
    body: await promisify(gzip)(body),
  };
}

function send({ status, headers, body }: RouteResponse, to: ServerResponse): void {
  to.writeHead(status, { ...headers, 'content-length': body.length });
  to.end(body);
}
