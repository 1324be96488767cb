/** A server that returns the pages of one list as a test defines, and a function that reads all pages. */
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../../src/client/client.js';
import { type ListedRecord, paginateEndpoint } from '../../../src/client/paging/pages.js';
import type { Page, PagingOptions } from '../../../src/client/paging/paging-options.js';
import { createFakeClock } from '../fake-clock.js';
import { sendJson, serve } from '../server.js';

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  /** Number of earlier requests. */
  readonly n: number;
}

export type Responder = (request: PageRequest) => unknown;

/** Returns the records with the ids `from` to `to - 1`. */
export function records(from: number, to: number): { opacObjectId: number }[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, n) => ({ opacObjectId: from + n }));
}

/** Responds as FIELD-NOTES.md describes: with `count` records in total, and at most `cap` per page. */
export function createResponder(count: number, cap = 100): Responder {
  return ({ offset, limit }) => ({
    opacObjects: records(offset, Math.min(count, offset + Math.min(cap, limit))),
    totalObjects: count,
  });
}

/** If `respond` returns a number, this is the HTTP status. If it returns undefined, the server does not respond. */
export async function serveList(respond: Responder, options: Partial<ClientOptions> = {}) {
  const requests: PageRequest[] = [];
  const served = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://here').searchParams;
    const next = {
      offset: Number(query.get('offset')),
      limit: Number(query.get('limit')),
      n: requests.length,
    };
    requests.push(next);
    const answer = respond(next);
    if (typeof answer === 'number') sendJson(response, { message: 'no' }, answer);
    else if (answer !== undefined) sendJson(response, answer);
  });
  const client: Client = createClient({
    baseUrl: served.url,
    clock: createFakeClock(),
    random: () => 0,
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, requests, url: served.url };
}

/** Reads all pages of the list. Returns an error instead of throwing it. */
export async function pageThrough(
  respond: Responder,
  options: PagingOptions = {},
  client: Partial<ClientOptions> = {},
) {
  const server = await serveList(respond, client);
  const paging = paginateEndpoint(server.client, 'objects.search', {}, options);
  const pages: Page<ListedRecord>[] = [];
  let error: unknown;
  try {
    for await (const page of paging) pages.push(page);
  } catch (reason) {
    error = reason;
  }
  const ids = pages.flatMap((page) => page.records.map(({ id }) => Number(id)));
  return { ...server, pages, ids, error, report: paging.report };
}

/** Returns the ids of `records(from, to)`. */
export function ids(from: number, to: number): number[] {
  return records(from, to).map(({ opacObjectId }) => opacObjectId);
}
