/** Faults of servers and networks: what comes in the place of a response, or how it is sent. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  htmlResponse,
  isJson,
  jsonResponse,
  jsonTextResponse,
  type RouteResponse,
  withHeader,
} from '../../local/response.js';
import { parseJson } from '../../service/parse-json.js';
import { type FaultTable, withSettings } from './fault-row.js';
import { FLAG, integerFrom, OBJECT, oneOf, required, TEXT, TEXTS } from './settings.js';

export const DELIVERY_FAULTS = {
  /** An error of the service. `retryAfter` adds the header in one of its two forms (RFC 9110 section 10.2.3). */
  status: withSettings(
    {
      status: required(integerFrom(200, 599)),
      retryAfter: oneOf('seconds', 'date'),
      retryAfterSeconds: integerFrom(0),
      body: TEXT,
    },
    {
      replace: (_, { status, retryAfter, retryAfterSeconds = 1, body }) => {
        const text = body ?? JSON.stringify({ message: `Status ${status}` });
        const response = jsonTextResponse(text, status);
        if (!retryAfter) return response;
        const date = new Date(Date.now() + retryAfterSeconds * 1000).toUTCString();
        return withHeader(response, 'retry-after', retryAfter === 'date' ? date : String(retryAfterSeconds));
      },
    },
  ),
  'cut-before': { deliver: (_response, _values, { to }) => void to.socket?.destroy() },
  'cut-body': { deliver: (response, _, { to }) => sendHalf(response, to, () => to.socket?.destroy()) },
  /** The body stops half-way, until the client gives up or the museum closes. */
  stall: { deliver: (response, _, { to }) => sendHalf(response, to, () => {}) },
  /** A byte at a time, with a pause in milliseconds after each. */
  drip: withSettings(
    { pause: integerFrom(1) },
    {
      deliver: async ({ status, headers, body }, { pause: milliseconds = 50 }, { to, closing }) => {
        to.writeHead(status, { ...headers, 'content-length': body.length });
        for (const byte of body) {
          if (to.destroyed) return;
          to.write(Buffer.of(byte));
          await pause(milliseconds, undefined, { signal: closing });
        }
        to.end();
      },
    },
  ),
  /** The header says that the body is compressed, and it is not. */
  'broken-coding': withSettings(
    { coding: required(oneOf('gzip', 'br')) },
    { replace: (response, { coding }) => withHeader(response, 'content-encoding', coding) },
  ),
  /** JSON in ISO 8859-1; with `declared` its content type says so, else it is passed off as UTF-8. */
  latin1: withSettings(
    { declared: FLAG },
    {
      replace: (response, { declared }) => {
        if (!isJson(response)) return response;
        const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
        const text = response.body.toString().replace(/[\u0100-\uffff]/g, escaped);
        const spoilt = { ...response, body: Buffer.from(text, 'latin1') };
        return declared ? withHeader(spoilt, 'content-type', 'application/json;charset=ISO-8859-1') : spoilt;
      },
    },
  ),
  /** Half a JSON text. */
  truncated: { replace: (response) => ({ ...response, body: firstHalf(response) }) },
  /** The firewall's challenge. */
  challenge: {
    replace: () =>
      withHeader(htmlResponse('<h1>Checking your browser</h1>', 202), 'x-amzn-waf-action', 'challenge'),
  },
  /** The firewall's 403; usually in bursts. */
  forbidden: { replace: () => htmlResponse('<h1>403 Forbidden</h1>', 403) },
  html: { replace: () => htmlResponse('<h1>Welcome to the museum</h1>') },
  redirect: withSettings(
    { location: required(TEXT), status: integerFrom(300, 399) },
    {
      replace: (_, { location, status = 302 }) => ({ status, headers: { location }, body: Buffer.alloc(0) }),
    },
  ),
  /** After a pause in milliseconds. */
  'slow-start': withSettings(
    { pause: integerFrom(0) },
    {
      deliver: async (response, { pause: milliseconds = 250 }, { send, closing }) => {
        await pause(milliseconds, undefined, { signal: closing });
        send(response);
      },
    },
  ),
  /** The true JSON response with some keys set and others dropped; what is not JSON stays as it is. */
  patched: withSettings(
    { set: OBJECT, drop: TEXTS },
    {
      replace: (response, { set = {}, drop = [] }) => {
        if (!isJson(response)) return response;
        const body = { ...(parseJson(response.body) as Record<string, unknown>), ...set };
        for (const key of [drop].flat()) delete body[key];
        return jsonResponse(body, response.status);
      },
    },
  ),
} satisfies FaultTable;

function sendHalf(response: RouteResponse, to: ServerResponse, then: () => void): void {
  to.writeHead(response.status, { ...response.headers, 'content-length': response.body.length });
  to.write(firstHalf(response), then);
}

function firstHalf({ body }: RouteResponse): Buffer {
  return body.subarray(0, Math.floor(body.length / 2));
}
