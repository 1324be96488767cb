/** Faults of servers and networks. They replace a response, or change how it is sent. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  addHeader,
  htmlResponse,
  isJsonResponse,
  jsonResponse,
  jsonTextResponse,
  type RouteResponse,
} from '../../local/response.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { type FaultTable, withSettings } from './fault-row.js';
import {
  BOOLEAN,
  createChoice,
  createInteger,
  NUMBER,
  OBJECT,
  required,
  TEXT,
  TEXT_LIST,
} from './settings.js';

export const DELIVERY_FAULTS = {
  /** `retryAfter` adds a Retry-After header, with seconds or with a date (RFC 9110 section 10.2.3). */
  status: withSettings(
    {
      status: required(createInteger(200, 599)),
      retryAfter: createChoice('seconds', 'date'),
      retryAfterSeconds: NUMBER,
      body: TEXT,
    },
    {
      replace: (_, { status, retryAfter, retryAfterSeconds = 1, body }) => {
        const text = body ?? JSON.stringify({ message: `Status ${status}` });
        const response = jsonTextResponse(text, status);
        if (!retryAfter) return response;
        const date = new Date(Date.now() + retryAfterSeconds * 1000).toUTCString();
        return addHeader(response, 'retry-after', retryAfter === 'date' ? date : String(retryAfterSeconds));
      },
    },
  ),
  /** Closes the connection without a response. */
  'cut-before': { deliver: (_response, _values, { to }) => void to.socket?.destroy() },
  /** Closes the connection after half of the body. */
  'cut-body': { deliver: (response, _, { to }) => sendHalf(response, to, () => to.socket?.destroy()) },
  /** Sends half of the body, and then nothing until the client disconnects or the museum closes. */
  stall: { deliver: (response, _, { to }) => sendHalf(response, to, () => {}) },
  /** Sends the body byte by byte. `pause`: milliseconds after each byte. */
  drip: withSettings(
    { pause: createInteger(1) },
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
  /** The Content-Encoding header says that the body is compressed, but the body is not compressed. */
  'broken-coding': withSettings(
    { coding: required(createChoice('gzip', 'br')) },
    { replace: (response, { coding }) => addHeader(response, 'content-encoding', coding) },
  ),
  /** Sends JSON in ISO-8859-1. With `declared`, the Content-Type header says this; otherwise it says UTF-8. */
  latin1: withSettings(
    { declared: BOOLEAN },
    {
      replace: (response, { declared }) => {
        if (!isJsonResponse(response)) return response;
        const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
        const text = response.body.toString().replace(/[\u0100-\uffff]/g, escaped);
        const changed = { ...response, body: Buffer.from(text, 'latin1') };
        return declared ? addHeader(changed, 'content-type', 'application/json;charset=ISO-8859-1') : changed;
      },
    },
  ),
  /** Sends the first half of the body as if it were complete. */
  truncated: { replace: (response) => ({ ...response, body: getFirstHalf(response) }) },
  /** The challenge of a web firewall (FIELD-NOTES.md "Errors"). */
  challenge: {
    replace: () =>
      addHeader(htmlResponse('<h1>Checking your browser</h1>', 202), 'x-amzn-waf-action', 'challenge'),
  },
  /** The 403 of a web firewall (FIELD-NOTES.md "Errors"). */
  forbidden: { replace: () => htmlResponse('<h1>403 Forbidden</h1>', 403) },
  html: { replace: () => htmlResponse('<h1>Welcome to the museum</h1>') },
  redirect: withSettings(
    { location: required(TEXT), status: createInteger(300, 399) },
    {
      replace: (_, { location, status = 302 }) => ({ status, headers: { location }, body: Buffer.alloc(0) }),
    },
  ),
  /** Waits before it sends the response. `pause`: milliseconds. */
  'slow-start': withSettings(
    { pause: createInteger(0) },
    {
      deliver: async (response, { pause: milliseconds = 250 }, { send, closing }) => {
        await pause(milliseconds, undefined, { signal: closing });
        send(response);
      },
    },
  ),
  /** Sets keys (`set`) and removes keys (`drop`) of the JSON object in a response. Changes only JSON responses. */
  patched: withSettings(
    { set: OBJECT, drop: TEXT_LIST },
    {
      replace: (response, { set = {}, drop = [] }) => {
        if (!isJsonResponse(response)) return response;
        const body = { ...(parseJsonLossless(response.body) as Record<string, unknown>), ...set };
        for (const key of [drop].flat()) delete body[key];
        return jsonResponse(body, response.status);
      },
    },
  ),
} satisfies FaultTable;

function sendHalf(response: RouteResponse, to: ServerResponse, then: () => void): void {
  to.writeHead(response.status, { ...response.headers, 'content-length': response.body.length });
  to.write(getFirstHalf(response), then);
}

function getFirstHalf({ body }: RouteResponse): Buffer {
  return body.subarray(0, Math.floor(body.length / 2));
}
