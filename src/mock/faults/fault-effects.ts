/** What each fault does. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../../service/parse-json.js';
import {
  htmlResponse,
  isJson,
  jsonResponse,
  jsonTextResponse,
  type RouteResponse,
  withHeader,
} from '../response.js';
import { defectOf, misstated } from './defects.js';
import type { Failure, FailureOf, FaultKind, OwnKind } from './fault.js';

/** A fault either replaces the true response or spoils its delivery. */
type Effect<Kind extends FaultKind> =
  | { readonly replace: (failure: FailureOf<Kind>, response: RouteResponse) => RouteResponse }
  | {
      readonly deliver: (
        failure: FailureOf<Kind>,
        response: RouteResponse,
        outgoing: Outgoing,
      ) => void | Promise<void>;
    };

export interface Outgoing {
  readonly to: ServerResponse;
  readonly send: (response: RouteResponse) => void;
  readonly closing: AbortSignal;
}

const EFFECTS: { readonly [Kind in OwnKind]: Effect<Kind> } = {
  status: {
    replace: ({ status, retryAfter, retryAfterSeconds = 1, body }) => {
      const response =
        body === undefined
          ? jsonResponse({ message: `Status ${status}` }, status)
          : jsonTextResponse(body, status);
      if (!retryAfter) return response;
      const date = new Date(Date.now() + retryAfterSeconds * 1000).toUTCString();
      return withHeader(response, 'retry-after', retryAfter === 'date' ? date : String(retryAfterSeconds));
    },
  },
  'cut-before': { deliver: (_failure, _response, { to }) => void to.socket?.destroy() },
  'cut-body': { deliver: (_, response, { to }) => sendHalf(response, to, () => to.socket?.destroy()) },
  stall: { deliver: (_, response, { to }) => sendHalf(response, to, () => {}) },
  drip: {
    deliver: async ({ pause: milliseconds = 50 }, { status, headers, body }, { to, closing }) => {
      to.writeHead(status, { ...headers, 'content-length': body.length });
      for (const byte of body) {
        if (to.destroyed) return;
        to.write(Buffer.of(byte));
        await pause(milliseconds, undefined, { signal: closing });
      }
      to.end();
    },
  },
  'broken-coding': { replace: ({ coding }, response) => withHeader(response, 'content-encoding', coding) },
  latin1: {
    replace: ({ declared }, response) => {
      if (!isJson(response)) return response;
      const text = response.body
        .toString()
        .replace(/[\u0100-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
      const spoilt = { ...response, body: Buffer.from(text, 'latin1') };
      return declared ? withHeader(spoilt, 'content-type', 'application/json;charset=ISO-8859-1') : spoilt;
    },
  },
  truncated: { replace: (_, response) => ({ ...response, body: firstHalf(response) }) },
  challenge: {
    replace: () =>
      withHeader(htmlResponse('<h1>Checking your browser</h1>', 202), 'x-amzn-waf-action', 'challenge'),
  },
  forbidden: { replace: () => htmlResponse('<h1>403 Forbidden</h1>', 403) },
  html: { replace: () => htmlResponse('<h1>Welcome to the museum</h1>') },
  redirect: {
    replace: ({ location, status = 302 }) => ({ status, headers: { location }, body: Buffer.alloc(0) }),
  },
  'slow-start': {
    deliver: async ({ pause: milliseconds = 250 }, response, { send, closing }) => {
      await pause(milliseconds, undefined, { signal: closing });
      send(response);
    },
  },
  patched: {
    replace: ({ set = {}, drop = [] }, response) => {
      if (!isJson(response)) return response;
      const body = { ...(parseJson(response.body.toString()) as Record<string, unknown>), ...set };
      for (const key of [drop].flat()) delete body[key];
      return jsonResponse(body, response.status);
    },
  },
};

export function replaceResponse(
  failure: Failure,
  response: RouteResponse,
  query: URLSearchParams,
): RouteResponse {
  const defect = defectOf(failure.kind);
  if (defect) return misstated(defect, response, query);
  const effect = effectOf(failure);
  return effect && 'replace' in effect ? effect.replace(failure, response) : response;
}

function effectOf({ kind }: Failure): Effect<FaultKind> | undefined {
  return defectOf(kind) ? undefined : (EFFECTS[kind as OwnKind] as Effect<FaultKind>);
}

export async function deliver(
  failure: Failure | undefined,
  response: RouteResponse,
  outgoing: Outgoing,
): Promise<void> {
  const effect = failure && effectOf(failure);
  if (failure && effect && 'deliver' in effect) await effect.deliver(failure, response, outgoing);
  else outgoing.send(response);
}

function sendHalf(response: RouteResponse, to: ServerResponse, then: () => void): void {
  to.writeHead(response.status, { ...response.headers, 'content-length': response.body.length });
  to.write(firstHalf(response), then);
}

function firstHalf({ body }: RouteResponse): Buffer {
  return body.subarray(0, Math.floor(body.length / 2));
}
