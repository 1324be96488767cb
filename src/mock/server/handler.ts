/** The way of one request: find its route, respond, let a fault interfere, send. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CATALOGUE } from '../../service/endpoints/catalogue.js';
import { FaultCounter } from '../faults/fault-counter.js';
import { deliver, replaceResponse } from '../faults/fault-effects.js';
import { jsonResponse, RouteError, type RouteResponse, routeError, withHeader } from '../response.js';
import { convertTypes } from './convert-types.js';
import { inTodaysWords, refuseDeprecated, type Target } from './deprecated.js';
import { isAddressed } from './host-names.js';
import { isRetired, misread } from './misread.js';
import { pictureResponse } from './picture-route.js';
import type { ServerState } from './request.js';
import { type LogEntry, logRequest, urlOf } from './request-log.js';
import { type RouteMatch, router } from './router.js';
import { ROUTES } from './routes.js';

/** The longest body that is read: far more than a token request needs. */
const MOST_BODY_BYTES = 64 * 1024;

const API = '/api/v3';

export const findRoute = router(CATALOGUE);

/** Answers requests from `state` and logs them, until `closing` is aborted. */
export function requestHandler(
  state: ServerState,
  log: LogEntry[],
  closing: AbortSignal,
): (request: IncomingMessage, to: ServerResponse) => Promise<void> {
  const { settings } = state;
  const faults = new FaultCounter(settings.faults);
  return async (request, to) => {
    const logged = logRequest(log, request);
    if (!isAddressed(request.headers.host, settings)) {
      logged.status = 421;
      return send(routeError(421, 'This museum was not started for that host name').response, to);
    }
    const url = urlOf(request);
    const picture = pictureResponse(request.method, url.pathname, state.store);
    const asked = {
      path: url.pathname.startsWith(`${API}/`) ? url.pathname.slice(API.length) : '',
      query: url.searchParams,
    };
    const { path, query } = settings.deprecated ? inTodaysWords(asked) : asked;
    const match = matchOf(request.method, path);
    const routeId = picture ? 'images' : routeIdOf(match, path);
    const fault =
      (path === asked.path ? undefined : faults.next('retired')) ??
      (routeId === '' ? undefined : faults.next(routeId));
    if (settings.latency > 0) await pause(settings.latency, undefined, { signal: closing });

    const authorization = misread(
      fault,
      routeId,
      { query, authorization: request.headers.authorization },
      state,
    );
    let response =
      picture ?? convertTypes(settings, await respond(request, { path, query, match, authorization }, state));
    if (fault) response = replaceResponse(fault, response, query);
    if (settings.gzip && /\bgzip\b/.test(String(request.headers['accept-encoding'])))
      response = await compressed(response);
    if (fault?.kind !== 'cut-before') logged.status = response.status;
    await deliver(fault, response, { to, closing, send: (whole) => send(whole, to) });
  };
}

/** By what faults know a request: the id of its endpoint, or `retired`; `''` for a path that never was one. */
function routeIdOf(match: RouteMatch, path: string): string {
  if (match.found === 'route') return match.endpoint.id;
  return isRetired(path) ? 'retired' : '';
}

function matchOf(method = '', path: string): RouteMatch {
  return path === '' ? { found: 'nothing' } : findRoute(method, path);
}

interface Asked extends Target {
  readonly match: RouteMatch;
  readonly authorization: string | undefined;
}

async function respond(
  request: IncomingMessage,
  { path, query, match, authorization }: Asked,
  state: ServerState,
): Promise<RouteResponse> {
  try {
    if (!state.settings.deprecated) refuseDeprecated({ path, query });
    if (match.found === 'nothing') throw routeError(404, `No such path : ${urlOf(request).pathname}`);
    if (match.found === 'other-method') {
      const { response } = routeError(405, `Method ${request.method} is not allowed`);
      return withHeader(response, 'allow', match.allowed.join(', '));
    }
    const { endpoint, parameters } = match;
    if (!endpoint.id.startsWith('oauth.')) state.access.check(authorization);
    const contentType = request.headers['content-type'];
    const body = endpoint.method === 'POST' ? await readBody(request) : '';
    const route = ROUTES.get(endpoint.id);
    if (!route) throw new RangeError(`no route for ${endpoint.id}`);
    return route({ parameters, query, contentType, body }, state);
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
    if (length > MOST_BODY_BYTES) throw routeError(400, 'body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function compressed({ status, headers, body }: RouteResponse): Promise<RouteResponse> {
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
