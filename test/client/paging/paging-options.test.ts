/** What a caller may say of a list before it is read, and is told while it is read. */
import { describe, expect, it } from 'vitest';
import { fetchCompletePage } from '../../../src/client/paging/fetch-page.js';
import { paginateEndpoint } from '../../../src/client/paging/pages.js';
import type { ListEndpointId } from '../../../src/service/endpoints/catalogue.js';
import { ids, pageThrough, records, serveList, wellBehaved } from './list-server.js';

const offsets = (asked: readonly { readonly offset: number; readonly limit: number }[]) =>
  asked.map(({ offset, limit }) => [offset, limit]).sort(([a = 0], [b = 0]) => a - b);

describe('a total that is known', () => {
  it('needs no page past it, and no second page to learn the size', async () => {
    const knownTotal = { total: 250, pageSize: 100 };
    const { ids: got, asked, report } = await pageThrough(wellBehaved(250), { knownTotal });
    expect(got).toEqual(ids(0, 250));
    expect(offsets(asked)).toEqual([
      [0, 100],
      [100, 100],
      [200, 100],
    ]);
    expect(report).toMatchObject({ stopReason: 'complete', firstTotal: 250, notices: [], pageSize: 100 });
  });

  it('with a page size requests several pages before the first has come', async () => {
    const asked: number[] = [];
    const { ids: got } = await pageThrough(
      wellBehaved(90),
      { knownTotal: { total: 90, pageSize: 30 } },
      {
        wrapTransport: (send) => async (request) => {
          asked.push(Number(request.query?.find(([name]) => name === 'offset')?.[1]));
          if (asked.length === 1) while (asked.length < 2) await new Promise(setImmediate);
          return send(request);
        },
      },
    );
    expect(got).toEqual(ids(0, 90));
    expect(asked).toEqual([0, 30, 60]);
  });

  it('without a page size still learns that', async () => {
    const { ids: got, asked } = await pageThrough(wellBehaved(50, 20), {
      knownTotal: { total: 50, pageSize: undefined },
      pageSize: 40,
    });
    expect(got).toEqual(ids(0, 50));
    expect(offsets(asked)).toEqual([
      [0, 40],
      [20, 40],
      [40, 20],
    ]);
  });

  it('that is wrong by now is one that moved', async () => {
    const { report } = await pageThrough(wellBehaved(200), { knownTotal: { total: 250, pageSize: 100 } });
    expect(report).toMatchObject({ firstTotal: 250, lastTotal: 200 });
    expect(report.notices.map(({ kind }) => kind)).toContain('total-moved');
  });
});

describe('a window', () => {
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
  ])('of %i is what requests stay in', async (window, wanted, got) => {
    const paged = await pageThrough(wellBehaved(1_000), { window });
    expect(offsets(paged.asked)).toEqual(wanted);
    expect(paged.ids).toEqual(got);
    expect(paged.error).toBeUndefined();
  });

  it('counts from the first record of all', async () => {
    const { ids: got } = await pageThrough(wellBehaved(1_000), { window: 250, offset: 200 });
    expect(got).toEqual(ids(200, 250));
  });
});

describe('who wants the total', () => {
  it('is told once, before the first page is given and others are requested', async () => {
    const told: unknown[] = [];
    const server = await serveList(wellBehaved(500));
    const onTotal = async (total: number | undefined) => {
      await new Promise(setImmediate);
      told.push(total, server.asked.length);
    };
    const pages: number[] = [];
    for await (const { offset } of paginateEndpoint(server.client, 'objects.search', {}, { onTotal })) {
      if (pages.length === 0) expect(told).toEqual([500, 1]);
      pages.push(offset);
    }
    expect(told).toEqual([500, 1]);
    expect(pages).toEqual([0, 100, 200, 300, 400]);
  });

  it('ends paging by an error', async () => {
    const onTotal = () => Promise.reject(new Error('too many'));
    const { error, pages, report } = await pageThrough(wellBehaved(500), { onTotal });
    expect(error).toEqual(new Error('too many'));
    expect([pages.length, report.stopReason]).toEqual([0, 'failed']);
  });
});

describe('the report', () => {
  it('has no missing records where the end was not wanted', async () => {
    const limited = await pageThrough(wellBehaved(500), { limit: 100 });
    expect(limited.report).toMatchObject({ stopReason: 'limit', missing: 0, lastTotal: 500 });
    const { client } = await serveList(wellBehaved(500));
    const stopped = paginateEndpoint(client, 'objects.search');
    for await (const _ of stopped) break;
    expect(stopped.report).toMatchObject({ stopReason: 'stopped', missing: 0, lastTotal: 500 });
  });

  it('counts what is missing from the offset on', async () => {
    const { report } = await pageThrough(
      ({ offset, limit }) => ({
        opacObjects: records(offset, Math.min(230, offset + limit)),
        totalObjects: 240,
      }),
      { offset: 30 },
    );
    expect(report).toMatchObject({ stopReason: 'early', missing: 10, distinct: 200 });
  });

  it('is running until then', async () => {
    const { client } = await serveList(wellBehaved(500));
    const paging = paginateEndpoint(client, 'objects.search');
    expect(paging.report).toMatchObject({ stopReason: 'running', received: 0, pages: [] });
    for await (const page of paging) {
      expect(paging.report.stopReason).toBe('running');
      expect(paging.report.pages.at(-1)).toEqual({ offset: page.offset, received: 100 });
    }
    expect(paging.report.pages).toHaveLength(5);
  });

  it('says of each notice where it began', async () => {
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
    const empty = await pageThrough((asked) =>
      asked.offset === 200 || asked.offset === 300
        ? { opacObjects: [], totalObjects: 500 }
        : wellBehaved(500)(asked),
    );
    expect(empty.report.notices).toEqual([
      { kind: 'empty-page', message: 'the page at offset 200 is empty, but records follow it' },
    ]);
    expect(empty.report.gaps.map(({ offset }) => offset)).toEqual([200, 300]);
    const refused = await pageThrough((asked) => (asked.offset >= 199 ? 422 : wellBehaved(200)(asked)));
    expect(refused.report.notices).toEqual([
      {
        kind: 'end-refused',
        message:
          'the service refused the page at offset 200, at the end of the result; the total may be a limit of the service, and records may be missing; split the search into smaller searches',
      },
    ]);
    expect(refused.report.stopReason).toBe('failed');
    const ended = await pageThrough((asked) => (asked.offset >= 206 ? 422 : wellBehaved(207)(asked)));
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
  ])('of %s is told apart by its own id', async (endpointId, answer, expected) => {
    expect(await idsOf(endpointId, answer)).toEqual(expected);
  });

  it('is watched with the bytes of its page', async () => {
    const { client } = await serveList(wellBehaved(120));
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
])('what is no list is told by its keys', async (answer, says) => {
  const { error, url } = await pageThrough(() => answer, {}, { retries: 0 });
  expect(error).toMatchObject({
    kind: 'deployment',
    code: 'unexpected-response',
    retry: 'always',
    hint: `check that ${url} is the right base URL`,
    message: expect.stringContaining(`the response is not a list of records: ${says}`),
  });
});

it('a page of several responses adds their times and retries', async () => {
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
