/** A server of one list that pages as told, and what paging through it brings. */
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../../src/client/client.js';
import { type ListedRecord, paginateEndpoint } from '../../../src/client/paging/pages.js';
import type { Page, PagingOptions } from '../../../src/client/paging/paging-options.js';
import { fakeClock } from '../fake-clock.js';
import { json, serve } from '../server.js';

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  /** How many requests came before. */
  readonly n: number;
}

export type Answering = (asked: PageRequest) => unknown;

/** Records `from` up to below `to`. */
export function records(from: number, to: number): { opacObjectId: number }[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, n) => ({ opacObjectId: from + n }));
}

/** The answer of a service that does as FIELD-NOTES.md says: `count` records, never more than `cap` at a time. */
export function wellBehaved(count: number, cap = 100): Answering {
  return ({ offset, limit }) => ({
    opacObjects: records(offset, Math.min(count, offset + Math.min(cap, limit))),
    totalObjects: count,
  });
}

/** A number in place of an answer is a status. */
export async function serveList(answering: Answering, options: Partial<ClientOptions> = {}) {
  const asked: PageRequest[] = [];
  const served = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://here').searchParams;
    const next = { offset: Number(query.get('offset')), limit: Number(query.get('limit')), n: asked.length };
    asked.push(next);
    const answer = answering(next);
    if (typeof answer === 'number') json(response, { message: 'no' }, answer);
    else if (answer !== undefined) json(response, answer);
  });
  const client: Client = createClient({
    baseUrl: served.url,
    clock: fakeClock(),
    random: () => 0,
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, asked, url: served.url };
}

/** Pages through the list to its end. */
export async function pageThrough(
  answering: Answering,
  options: PagingOptions = {},
  client: Partial<ClientOptions> = {},
) {
  const server = await serveList(answering, client);
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

/** The ids of `records(from, to)`. */
export function ids(from: number, to: number): number[] {
  return records(from, to).map(({ opacObjectId }) => opacObjectId);
}
