/** The options of paging, and what callers receive during the run. */
import { describe, expect, it } from 'vitest';
import { fetchCompletePage } from '../../../src/client/paging/fetch-page.js';
import { paginateEndpoint } from '../../../src/client/paging/pages.js';
import type { ListEndpointId } from '../../../src/service/endpoints/catalogue.js';
import { createResponder, ids, pageThrough, records, serveList } from './list-server.js';

const offsets = (requests: readonly { readonly offset: number; readonly limit: number }[]) =>
  requests.map(({ offset, limit }) => [offset, limit]).sort(([a = 0], [b = 0]) => a - b);

describe('knownTotal', () => {
  it('prevents requests after the total, and a request to learn the page size', async () => {
    const knownTotal = { total: 250, pageSize: 100 };
    const { ids: got, requests, report } = await pageThrough(createResponder(250), { knownTotal });
    expect(got).toEqual(ids(0, 250));
    expect(offsets(requests)).toEqual([
      [0, 100],
      [100, 100],
      [200, 100],
    ]);
    expect(report).toMatchObject({ stopReason: 'complete', firstTotal: 250, notices: [], pageSize: 100 });
  });

  it('allows several requests before the first response if it has a page size', async () => {
    const requestedOffsets: number[] = [];
    const { ids: got } = await pageThrough(
      createResponder(90),
      { knownTotal: { total: 90, pageSize: 30 } },
      {
        wrapTransport: (send) => async (request) => {
          requestedOffsets.push(Number(request.query?.find(([name]) => name === 'offset')?.[1]));
          if (requestedOffsets.length === 1)
            while (requestedOffsets.length < 2) await new Promise(setImmediate);
          return send(request);
        },
      },
    );
    expect(got).toEqual(ids(0, 90));
    expect(requestedOffsets).toEqual([0, 30, 60]);
  });

  it('allows paging to learn the page size if it has none', async () => {
    const { ids: got, requests } = await pageThrough(createResponder(50, 20), {
      knownTotal: { total: 50, pageSize: undefined },
      pageSize: 40,
    });
    expect(got).toEqual(ids(0, 50));
    expect(offsets(requests)).toEqual([
      [0, 40],
      [20, 40],
      [40, 20],
    ]);
  });

  it('causes the notice "total-moved" if it is out of date', async () => {
    const { report } = await pageThrough(createResponder(200), { knownTotal: { total: 250, pageSize: 100 } });
    expect(report).toMatchObject({ firstTotal: 250, lastTotal: 200 });
    expect(report.notices.map(({ kind }) => kind)).toContain('total-moved');
  });
});

describe('window', () => {
  it.each([
    [
      250,
      [
        [0, 100],
        [100, 100],
        [200, 50],
      ],
      ids(0, 250),
    ],
    [100, [[0, 100]], ids(0, 100)],
    [30, [[0, 30]], ids(0, 30)],
    [0, [], []],
  ])('limits offset + limit of all requests to %i', async (window, wanted, got) => {
    const paged = await pageThrough(createResponder(1_000), { window });
    expect(offsets(paged.requests)).toEqual(wanted);
    expect(paged.ids).toEqual(got);
    expect(paged.error).toBeUndefined();
  });

  it('counts from the first record of the list, not from the offset', async () => {
    const { ids: got } = await pageThrough(createResponder(1_000), { window: 250, offset: 200 });
    expect(got).toEqual(ids(200, 250));
  });
});

describe('onTotal', () => {
  it('is called once, before the first page is returned and others are requested', async () => {
    const calls: unknown[] = [];
    const server = await serveList(createResponder(500));
    const onTotal = async (total: number | undefined) => {
      await new Promise(setImmediate);
      calls.push(total, server.requests.length);
    };
    const pages: number[] = [];
    for await (const { offset } of paginateEndpoint(server.client, 'objects.search', {}, { onTotal })) {
      if (pages.length === 0) expect(calls).toEqual([500, 1]);
      pages.push(offset);
    }
    expect(calls).toEqual([500, 1]);
    expect(pages).toEqual([0, 100, 200, 300, 400]);
  });

  it('ends paging if it rejects', async () => {
    const onTotal = () => Promise.reject(new Error('too many'));
    const { error, pages, report } = await pageThrough(createResponder(500), { onTotal });
    expect(error).toEqual(new Error('too many'));
    expect([pages.length, report.stopReason]).toEqual([0, 'failed']);
  });
});

describe('the report', () => {
  it('has no missing records if the limit or the caller ended paging', async () => {
    const limited = await pageThrough(createResponder(500), { limit: 100 });
    expect(limited.report).toMatchObject({ stopReason: 'limit', missing: 0, lastTotal: 500 });
    const { client } = await serveList(createResponder(500));
    const stopped = paginateEndpoint(client, 'objects.search');
    for await (const _ of stopped) break;
    expect(stopped.report).toMatchObject({ stopReason: 'stopped', missing: 0, lastTotal: 500 });
  });

  it('counts missing records only after the offset', async () => {
    const { report } = await pageThrough(
      ({ offset, limit }) => ({
        opacObjects: records(offset, Math.min(230, offset + limit)),
        totalObjects: 240,
      }),
      { offset: 30 },
    );
    expect(report).toMatchObject({ stopReason: 'early', missing: 10, distinct: 200 });
  });

  it('has the stop reason "running" and the received pages during the run', async () => {
    const { client } = await serveList(createResponder(500));
    const paging = paginateEndpoint(client, 'objects.search');
    expect(paging.report).toMatchObject({ stopReason: 'running', received: 0, pages: [] });
    for await (const page of paging) {
      expect(paging.report.stopReason).toBe('running');
      expect(paging.report.pages.at(-1)).toEqual({ offset: page.offset, received: 100 });
    }
    expect(paging.report.pages).toHaveLength(5);
  });

  it('states the offset or the totals in each notice', async () => {
    const hidden = await pageThrough(({ offset, limit }) => ({
      opacObjects: records(offset, Math.min(300, offset + limit)).filter(
        ({ opacObjectId }) => opacObjectId !== 105,
      ),
      totalObjects: 300,
    }));
    expect(hidden.report.notices).toEqual([
      {
        kind: 'thin-page',
        message: 'the service returns fewer records than its total; the first short page is at offset 100',
      },
    ]);
    const empty = await pageThrough((request) =>
      request.offset === 200 || request.offset === 300
        ? { opacObjects: [], totalObjects: 500 }
        : createResponder(500)(request),
    );
    expect(empty.report.notices).toEqual([
      { kind: 'empty-page', message: 'the page at offset 200 is empty, but records follow it' },
    ]);
    expect(empty.report.gaps.map(({ offset }) => offset)).toEqual([200, 300]);
    const refused = await pageThrough((request) =>
      request.offset >= 199 ? 422 : createResponder(200)(request),
    );
    expect(refused.report.notices).toEqual([
      {
        kind: 'end-refused',
        message:
          'the service refused the page at offset 200, at the end of the result; the total may be a limit of the service, and records may be missing; split the search into smaller searches',
      },
    ]);
    expect(refused.report.stopReason).toBe('failed');
    const ended = await pageThrough((request) =>
      request.offset >= 206 ? 422 : createResponder(207)(request),
    );
    expect(ended.report).toMatchObject({
      stopReason: 'complete',
      notices: [{ message: expect.stringMatching(/at the end of the result; opac cannot confirm/) }],
    });
    const grown = await pageThrough(({ offset, limit }) => ({
      opacObjects: records(offset, Math.min(300, offset + limit)),
      totalObjects: offset < 200 ? 299 : 300,
    }));
    expect(grown.report.notices).toEqual([
      {
        kind: 'total-moved',
        message:
          'the total changed during the run (299, 300): records were added, and some of them may be missing',
      },
    ]);
  });
});

describe('an item of a list', () => {
  const idsOf = async (endpointId: ListEndpointId, answer: object) => {
    const { client } = await serveList(({ offset }) => (offset === 0 ? answer : {}));
    const found: (string | undefined)[] = [];
    for await (const { records: items } of paginateEndpoint(client, endpointId))
      found.push(...items.map(({ id }) => id));
    return found;
  };

  it.each<[ListEndpointId, object, (string | undefined)[]]>([
    [
      'persons.search',
      { opacPersons: [{ opacPersonId: 7 }, { opacPersonId: '' }, {}, 7, null] },
      ['7', undefined, undefined],
    ],
    [
      'records.search',
      { opacRecords: [{ opacPersonId: 7 }, { opacObjectId: 7 }] },
      ['persons:7', 'objects:7'],
    ],
    [
      'comments.list',
      { comments: [{ commentId: 7 }, { commentId: '' }, { id: 8 }, 9, null] },
      ['7', undefined, undefined, undefined, undefined],
    ],
    ['colors.list', { cssColors: [{ colorName: 'blue' }, { colorName: 'blue' }] }, [undefined, undefined]],
    ['objects.views', { views: [{ viewName: 'label' }] }, [undefined]],
  ])('has the id of its kind, or no id, in %s', async (endpointId, answer, expected) => {
    expect(await idsOf(endpointId, answer)).toEqual(expected);
  });

  it('is passed to onPageRead with the bytes of its page', async () => {
    const { client } = await serveList(createResponder(120));
    const seen: unknown[] = [];
    const onPageRead = (bytes: Buffer, offset: number, list: { readonly records: readonly unknown[] }) =>
      seen.push([JSON.parse(bytes.toString()).opacObjects.length, offset, list.records.length]);
    for await (const _ of paginateEndpoint(client, 'objects.search', {}, { onPageRead }));
    expect(seen).toEqual([
      [100, 0, 100],
      [20, 100, 20],
      [0, 200, 0],
    ]);
  });
});

it.each([
  [{}, 'it is empty'],
  [
    { a: 1, ['b'.repeat(50)]: 1, c: 1, d: 1, e: 1, f: 1 },
    `it contains "a", "${'b'.repeat(40)}", "c", "d", "e" (`,
  ],
])('describes a response that is not a list by its keys: %j', async (answer, expected) => {
  const { error, url } = await pageThrough(() => answer, {}, { retries: 0 });
  expect(error).toMatchObject({
    kind: 'deployment',
    code: 'unexpected-response',
    retry: 'always',
    hint: `check that ${url} is the right base URL`,
    message: expect.stringContaining(`the response is not a list of records: ${expected}`),
  });
});

it('adds the times and retries of the responses that form one page', async () => {
  const part = (offset: number, limit: number) => ({
    status: 200,
    headers: {},
    bytes: Buffer.from(`from ${offset}`),
    elapsed: 10 + offset,
    retries: 1,
    value: { records: ids(offset, offset + Math.min(limit, 2)).map((id) => ({ id: `${id}` })), total: 5 },
  });
  const page = await fetchCompletePage(
    { offset: 0, limit: 5, shouldFill: true, isProbe: false },
    () => 5,
    async (offset, limit) => part(offset, limit),
  );
  expect(page.records.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4']);
  expect(page).toMatchObject({
    elapsed: 36,
    retries: 3,
    total: 5,
    isUnderfilled: false,
    bytes: Buffer.from('from 0'),
  });
});
