/** When opac slices a search: immediately, after the service refuses an offset, in parts, or not at all. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { createSeenIds } from '../../../../src/client/paging/seen-ids.js';
import type { ResumePoint } from '../../../../src/export/collect/source/record-source.js';
import type { SearchTarget } from '../../../../src/export/collect/source/slices/search-requests.js';
import { createUnslicedPlan } from '../../../../src/export/collect/source/slices/slice-plan.js';
import {
  createPlanFor,
  createSlicedSource,
  type SlicedOptions,
} from '../../../../src/export/collect/source/slices/sliced-source.js';
import { type Script, withScript } from './scripted-service.js';
import { type SmallRecord, startSmallService, type Traits } from './small-service.js';

type Options = Partial<SlicedOptions> & { readonly from?: Partial<ResumePoint> };

async function read(search: SearchTarget, { from, ...options }: Options) {
  const plans: unknown[] = [];
  const pages = createSlicedSource({
    ...search,
    pageSize: 2,
    concurrency: 1,
    onPlan: (plan) => plans.push(plan),
    ...options,
  }).pages({
    offset: undefined,
    delivered: 0,
    seen: createSeenIds(),
    signal: undefined,
    ...from,
  });
  let ids = '';
  for await (const { records } of pages) ids += records.map(({ id }) => id).join('');
  const plan = pages.plan?.();
  // onPlan receives the plan as it was when the source began to read.
  expect(plans).toEqual(plan ? [{ ...plan, next: undefined }] : []);
  return { ids, plan, stopReason: pages.report.stopReason };
}

/** Responds with pages of a list of `total` records whose ids are their numbers. */
const serveNumbered =
  (total: number): Script =>
  ({ offset = '0', limit = '20' }) => ({
    totalObjects: total,
    opacObjects: Array.from(
      { length: Math.max(0, Math.min(Number(limit), total - Number(offset))) },
      (_, n) => ({
        opacObjectId: `${Number(offset) + n},`,
      }),
    ),
  });

describe('createPlanFor', () => {
  const COUNT = 'limit=0&offset=0';
  const createWholePlan = (total: number) => createUnslicedPlan(total, null);
  const PART = { number: 1, of: 2 };
  it.each<[string, number, Partial<SlicedOptions>, unknown, string[]]>([
    ['returns no plan for a search without records', 0, {}, undefined, [COUNT]],
    ['returns no plan for one record', 1, {}, undefined, [COUNT]],
    [
      'returns no plan if the service returns the last record',
      2,
      {},
      undefined,
      [COUNT, 'limit=1&offset=1', 'limit=1&offset=0'],
    ],
    ['returns no plan if all records fit in the window', 9, { window: 9 }, undefined, [COUNT]],
    [
      'returns one slice for a part if all records fit in the window',
      9,
      { window: 9, part: PART },
      createWholePlan(9),
      [COUNT],
    ],
    [
      'returns one slice for a part of a search without records',
      0,
      { part: PART },
      createWholePlan(0),
      [COUNT],
    ],
  ])('%s', async (_, total, options, plan, expected) => {
    await withScript(serveNumbered(total), async ({ search, requests }) => {
      expect(await createPlanFor({ ...search, ...options }, undefined)).toEqual(plan);
      expect(requests.map((each) => each.replace('opacobjects?', '')).sort()).toEqual(expected.sort());
      requests.length = 0;
      expect(await createPlanFor({ ...search, ...options }, undefined, total)).toEqual(plan);
      expect(requests).toHaveLength(expected.length - 1);
    });
  });

  it('returns slices if the window is smaller than the result', async () => {
    await withScript(serveNumbered(9), async ({ search }) => {
      expect(await createPlanFor({ ...search, window: 8 }, undefined)).toMatchObject({ total: 9, window: 8 });
    });
  });

  it('returns no plan without a total, and throws for a part', async () => {
    await withScript(
      () => ({ opacObjects: [] }),
      async ({ search }) => {
        expect(await createPlanFor(search, undefined)).toBeUndefined();
        await expect(createPlanFor({ ...search, part: PART }, undefined)).rejects.toMatchObject({
          kind: 'deployment',
          message: 'the service returns no total, so opac cannot export parts',
        });
      },
    );
  });
});

describe('createSlicedSource', () => {
  it.each<[string, number, Options, boolean]>([
    ['reads 1,000 records without looking for a window', 1000, {}, false],
    ['reads 1,001 records, and looks for a window', 1001, {}, true],
    ['reads records that fit in a known window without looking for one', 1001, { window: 1001 }, false],
    ['reads records with a limit without looking for a window', 1001, { limit: 1001 }, false],
    ['reads records from an offset without looking for a window', 1001, { offset: 1 }, false],
    ['resumes without looking for a window', 1001, { from: { offset: 0 } }, false],
  ])('%s', async (_, total, options, looksForWindow) => {
    await withScript(serveNumbered(total), async ({ search, requests }) => {
      const { ids, plan } = await read(search, { pageSize: 1000, ...options });
      const all = Array.from({ length: total }, (__, n) => `${n},`).slice(options.offset ?? 0);
      expect([ids === all.join(''), plan]).toEqual([true, undefined]);
      expect(requests.includes('opacobjects?limit=1&offset=999')).toBe(looksForWindow);
      expect(requests).not.toContain('opacobjects?limit=0&offset=0');
    });
  });
});

const record = (id: string, maker: string) => ({ id: [id], maker: [maker] }) as unknown as SmallRecord;

/** Reads from a service with ten records and a window of five. */
async function readSmall(options: Options, traits: Partial<Traits> = {}) {
  const records = [...'abcdefghij'].map((id, n) => record(id, n < 4 ? 'A' : n < 7 ? 'B' : 'C'));
  const facet = (_: string, __: string, count: number) => count;
  const service = await startSmallService({ records, window: 5, facet, ...traits });
  const client = createClient({ baseUrl: service.url, retries: 0 });
  try {
    const { requests } = service;
    return { ...(await read({ client, kind: 'objects', query: [], signal: undefined }, options)), requests };
  } finally {
    await client.close();
    await service.close();
  }
}

const createSeen = (ids: string) => {
  const seen = createSeenIds();
  for (const id of ids) seen.add(id);
  return seen;
};

describe('search with more records than the window', () => {
  it('is sliced, and the records of the first pages stay at the beginning', async () => {
    const { ids, plan, stopReason } = await readSmall({});
    expect([ids.slice(0, 4), [...ids].sort().join(''), stopReason]).toEqual([
      'abcd',
      'abcdefghij',
      'complete',
    ]);
    expect(plan).toMatchObject({ total: 10, window: 5 });
  });

  it('is sliced after the first page if the window is known', async () => {
    const { ids, requests } = await readSmall({ window: 5 });
    expect([...ids].sort().join('')).toBe('abcdefghij');
    expect(requests[0]).toBe('limit=2&offset=0');
    expect(requests.filter((each) => !each.includes('query=') && each !== 'limit=0&offset=0').length).toBe(2);
  });

  it('is sliced by a resumed run whose first page is beyond the window', async () => {
    const from = { offset: 4, delivered: 4, seen: createSeen('abcd') };
    const { ids, stopReason } = await readSmall({ from });
    expect([[...ids].sort().join(''), stopReason]).toEqual(['efghij', 'complete']);
  });

  it('is resumed with the plan of the earlier run', async () => {
    const { plan } = await readSmall({});
    const from = { offset: 0, delivered: 4, seen: createSeen('abcd'), ...(plan && { plan }) };
    const { ids, requests, plan: again } = await readSmall({ from });
    expect([[...ids].sort().join(''), again]).toEqual(['efghij', plan]);
    expect(requests.some((each) => each.includes('facetedResults'))).toBe(false);
  });

  it.each<[string, Options, Partial<Traits>]>([
    ['with a limit', { limit: 8 }, {}],
    ['with an offset', { offset: 1 }, {}],
    ['if the service refuses its first page', {}, { refuses: () => true }],
  ])('throws and is not sliced %s', async (_, options, traits) => {
    await expect(readSmall(options, traits)).rejects.toThrow('Result window is too large');
  });
});

describe('search whose pages end too early', () => {
  /** Responds with `response` to pages that extend beyond offset 4. */
  const endEarly =
    (response: object | number): Script =>
    (parameters, path) =>
      Number(parameters.offset) + Number(parameters.limit) > 4 && parameters.limit !== '0'
        ? response
        : serveNumbered(6)(parameters, path);

  it('is sliced if the next pages are empty', async () => {
    await withScript(endEarly({ opacObjects: [] }), async ({ search }) => {
      expect((await read(search, {})).plan).toMatchObject({ total: 6, window: 4 });
    });
  });

  it('is not sliced if the next pages fail', async () => {
    await withScript(endEarly(502), async ({ search }) => {
      const { plan, ids, stopReason: reason } = await read(search, {});
      expect([plan, ids, reason]).toEqual([undefined, '0,1,2,3,', 'missing']);
    });
  });

  // A negative status also sends the message of a search engine about its window.
  it.each([401, 503, -400])(
    'throws the error of its first page (%i), and sends no other request',
    async (status) => {
      await withScript(
        () => status,
        async ({ search, requests }) => {
          await expect(read(search, {})).rejects.toMatchObject({ status: Math.abs(status) });
          expect(requests).toHaveLength(1);
        },
      );
    },
  );
});

describe('part of a search', () => {
  it.each<[number, number, number, string | undefined]>([
    [250, 1, 2, '100,'],
    [250, 2, 2, undefined],
    // Too few records for two cuts: the last part contains all of them.
    [50, 1, 3, '0,'],
    [50, 2, 3, '0,'],
    [50, 3, 3, undefined],
  ])('reports the first id of the next part: %i records, part %i of %i', async (total, number, of, next) => {
    await withScript(serveNumbered(total), async ({ search, requests }) => {
      const { ids, plan } = await read(search, { part: { number, of }, window: 1000, pageSize: 100 });
      const wanted = total === 250 ? [100, 150][number - 1] : [0, 0, 50][number - 1];
      expect([ids.split(',').length - 1, plan?.next]).toEqual([wanted, next]);
      expect(requests.filter((each) => each.includes('limit=1&'))).toHaveLength(next === undefined ? 0 : 1);
    });
  });
});
