/** What each fault does: most put another answer in the place of the true one, some spoil the way it is delivered. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { htmlResponse, jsonResponse, jsonTextResponse, type RouteResponse } from '../response.js';
import type { Failure } from './fault.js';

type Kind = Failure['kind'];
type Of<K extends Kind> = Extract<Failure, { kind: K }>;

/** Gives the answer that is sent in place of the true one. */
type Replacement<K extends Kind> = (failure: Of<K>, answer: RouteResponse) => RouteResponse;

/** Sends an answer its own way. */
type Delivery<K extends Kind> = (
  failure: Of<K>,
  answer: RouteResponse,
  outgoing: Outgoing,
) => void | Promise<void>;

export interface Outgoing {
  readonly response: ServerResponse;
  /** Sends the answer as it should be sent. */
  readonly send: (answer: RouteResponse) => void;
  /** Aborted when the museum closes. */
  readonly closing: AbortSignal;
}

const REPLACEMENTS: { readonly [K in Kind]?: Replacement<K> } = {
  status: ({ status, retryAfter, retryAfterSeconds = 1, body }) => {
    const answer =
      body === undefined
        ? jsonResponse({ message: `Status ${status}` }, status)
        : jsonTextResponse(body, status);
    if (!retryAfter) return answer;
    const value =
      retryAfter === 'seconds'
        ? String(retryAfterSeconds)
        : new Date(Date.now() + retryAfterSeconds * 1000).toUTCString();
    return { ...answer, headers: { ...answer.headers, 'retry-after': value } };
  },
  truncated: (_, answer) => ({ ...answer, body: half(answer) }),
  challenge: () =>
    withHeader(htmlResponse('<h1>Checking your browser</h1>', 202), 'x-amzn-waf-action', 'challenge'),
  forbidden: () => htmlResponse('<h1>403 Forbidden</h1>', 403),
  html: () => htmlResponse('<h1>Welcome to the museum</h1>'),
  redirect: ({ location, status = 302 }) => ({ status, headers: { location }, body: Buffer.alloc(0) }),
  patched: ({ set = {}, drop = [] }, answer) => {
    if (!answer.headers['content-type']?.startsWith('application/json')) return answer;
    const body = { ...(JSON.parse(answer.body.toString()) as Record<string, unknown>), ...set };
    return jsonResponse(
      Object.fromEntries(Object.entries(body).filter(([key]) => !drop.includes(key))),
      answer.status,
    );
  },
};

const DELIVERIES: { readonly [K in Kind]?: Delivery<K> } = {
  'cut-before': (_, _answer, { response }) => {
    response.socket?.destroy();
  },
  'cut-body': (_, answer, { response }) => {
    sendHalf(answer, response, () => response.socket?.destroy());
  },
  stall: (_, answer, { response }) => {
    sendHalf(answer, response, () => {});
  },
  'slow-start': async ({ pause: milliseconds = 250 }, answer, { send, closing }) => {
    await pause(milliseconds, undefined, { signal: closing });
    send(answer);
  },
};

/** The answer that a fault leaves of the true one; faults of delivery leave it as it is. */
export function replaced(failure: Failure, answer: RouteResponse): RouteResponse {
  const replacement = REPLACEMENTS[failure.kind] as Replacement<Kind> | undefined;
  return replacement?.(failure, answer) ?? answer;
}

/** Sends the answer the way the fault has it. */
export async function deliver(
  failure: Failure | undefined,
  answer: RouteResponse,
  outgoing: Outgoing,
): Promise<void> {
  const delivery = failure && (DELIVERIES[failure.kind] as Delivery<Kind> | undefined);
  if (failure && delivery) await delivery(failure, answer, outgoing);
  else outgoing.send(answer);
}

function sendHalf(answer: RouteResponse, response: ServerResponse, then: () => void): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
  response.write(half(answer), then);
}

function half({ body }: RouteResponse): Buffer {
  return body.subarray(0, Math.floor(body.length / 2));
}

function withHeader(answer: RouteResponse, name: string, value: string): RouteResponse {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
}
