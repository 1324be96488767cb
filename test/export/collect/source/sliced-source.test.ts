/** When a search is sliced: at once, after its pages ended for want of depth, in parts, or not at all. */
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
  // The plan is told as it was when reading began.
  expect(plans).toEqual(plan ? [{ ...plan, next: undefined }] : []);
  return { ids, plan, ending: pages.report.stopReason };
}

/** As many records as it is told, whose ids are their numbers, in pages of as many as are asked for. */
const numbered =
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

describe('the plan of a search', () => {
  const COUNT = 'limit=0&offset=0';
  const whole = (total: number) => createUnslicedPlan(total, null);
  const PART = { number: 1, of: 2 };
  it.each<[string, number, Partial<SlicedOptions>, unknown, string[]]>([
    ['of nothing is none', 0, {}, undefined, [COUNT]],
    ['of one record is none', 1, {}, undefined, [COUNT]],
    ['of all that can be had is none', 2, {}, undefined, [COUNT, 'limit=1&offset=1', 'limit=1&offset=0']],
    ['that a window holds is none', 9, { window: 9 }, undefined, [COUNT]],
    ['in parts is one slice', 9, { window: 9, part: PART }, whole(9), [COUNT]],
    ['in parts of nothing is one slice', 0, { part: PART }, whole(0), [COUNT]],
  ])('%s', async (_, total, options, plan, requests) => {
    await withScript(numbered(total), async ({ search, asked }) => {
      expect(await createPlanFor({ ...search, ...options }, undefined)).toEqual(plan);
      expect(asked.map((each) => each.replace('opacobjects?', '')).sort()).toEqual(requests.sort());
      asked.length = 0;
      expect(await createPlanFor({ ...search, ...options }, undefined, total)).toEqual(plan);
      expect(asked).toHaveLength(requests.length - 1);
    });
  });

  it('has slices where the window is smaller', async () => {
    await withScript(numbered(9), async ({ search }) => {
      expect(await createPlanFor({ ...search, window: 8 }, undefined)).toMatchObject({ total: 9, window: 8 });
    });
  });

  it('of a service without totals is none, and no parts can be made of it', async () => {
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

describe('a long search', () => {
  it.each<[string, number, Options, boolean]>([
    ['of a thousand', 1000, {}, false],
    ['of more', 1001, {}, true],
    ['that its window holds', 1001, { window: 1001 }, false],
    ['with a limit', 1001, { limit: 1001 }, false],
    ['that begins later', 1001, { offset: 1 }, false],
    ['that is resumed', 1001, { from: { offset: 0 } }, false],
  ])('%s is read; whether its depth is looked for: %s', async (_, total, options, isLookedFor) => {
    await withScript(numbered(total), async ({ search, asked }) => {
      const { ids, plan } = await read(search, { pageSize: 1000, ...options });
      const all = Array.from({ length: total }, (__, n) => `${n},`).slice(options.offset ?? 0);
      expect([ids === all.join(''), plan]).toEqual([true, undefined]);
      expect(asked.includes('opacobjects?limit=1&offset=999')).toBe(isLookedFor);
      expect(asked).not.toContain('opacobjects?limit=0&offset=0');
    });
  });
});

const record = (id: string, maker: string) => ({ id: [id], maker: [maker] }) as unknown as SmallRecord;

/** Ten records, of which a search gives five. */
async function ofSmall(options: Options, traits: Partial<Traits> = {}) {
  const records = [...'abcdefghij'].map((id, n) => record(id, n < 4 ? 'A' : n < 7 ? 'B' : 'C'));
  const facet = (_: string, __: string, count: number) => count;
  const service = await startSmallService({ records, window: 5, facet, ...traits });
  const client = createClient({ baseUrl: service.url, retries: 0 });
  try {
    const { asked } = service;
    return { ...(await read({ client, kind: 'objects', query: [], signal: undefined }, options)), asked };
  } finally {
    await client.close();
    await service.close();
  }
}

const seenOf = (ids: string) => {
  const seen = createSeenIds();
  for (const id of ids) seen.add(id);
  return seen;
};

describe('a search that the service refuses to read to its end', () => {
  it('is sliced, what came before stays ahead', async () => {
    const { ids, plan, ending } = await ofSmall({});
    expect([ids.slice(0, 4), [...ids].sort().join(''), ending]).toEqual(['abcd', 'abcdefghij', 'complete']);
    expect(plan).toMatchObject({ total: 10, window: 5 });
  });

  it('is sliced at once where the window is known', async () => {
    const { ids, asked } = await ofSmall({ window: 5 });
    expect([...ids].sort().join('')).toBe('abcdefghij');
    expect(asked[0]).toBe('limit=2&offset=0');
    expect(asked.filter((each) => !each.includes('query=') && each !== 'limit=0&offset=0').length).toBe(2);
  });

  it('is sliced by a resumed run that comes to the window at once', async () => {
    const from = { offset: 4, delivered: 4, seen: seenOf('abcd') };
    const { ids, ending } = await ofSmall({ from });
    expect([[...ids].sort().join(''), ending]).toEqual(['efghij', 'complete']);
  });

  it('follows the plan of the run that it resumes', async () => {
    const { plan } = await ofSmall({});
    const from = { offset: 0, delivered: 4, seen: seenOf('abcd'), ...(plan && { plan }) };
    const { ids, asked, plan: again } = await ofSmall({ from });
    expect([[...ids].sort().join(''), again]).toEqual(['efghij', plan]);
    expect(asked.some((each) => each.includes('facetedResults'))).toBe(false);
  });

  it.each<[string, Options, Partial<Traits>]>([
    ['with a limit of its own', { limit: 8 }, {}],
    ['with a beginning of its own', { offset: 1 }, {}],
    ['that never began', {}, { refuses: () => true }],
  ])('%s is not sliced', async (_, options, traits) => {
    await expect(ofSmall(options, traits)).rejects.toThrow('Result window is too large');
  });
});

describe('a search whose pages end too early', () => {
  /** Beyond the offset of 4 there is nothing, or an error. */
  const ending =
    (answer: object | number): Script =>
    (asked, path) =>
      Number(asked.offset) + Number(asked.limit) > 4 && asked.limit !== '0'
        ? answer
        : numbered(6)(asked, path);

  it('for want of depth is sliced', async () => {
    await withScript(ending({ opacObjects: [] }), async ({ search }) => {
      expect((await read(search, {})).plan).toMatchObject({ total: 6, window: 4 });
    });
  });

  it('with errors is not', async () => {
    await withScript(ending(502), async ({ search }) => {
      const { plan, ids, ending: reason } = await read(search, {});
      expect([plan, ids, reason]).toEqual([undefined, '0,1,2,3,', 'missing']);
    });
  });

  // A negative status: in the words of a search engine that refuses an offset.
  it.each([401, 503, -400])(
    'by an error (%i) on the first page throws that, and asks no more',
    async (status) => {
      await withScript(
        () => status,
        async ({ search, asked }) => {
          await expect(read(search, {})).rejects.toMatchObject({ status: Math.abs(status) });
          expect(asked).toHaveLength(1);
        },
      );
    },
  );
});

describe('the parts of a search', () => {
  it.each<[number, number, number, string | undefined]>([
    [250, 1, 2, '100,'],
    [250, 2, 2, undefined],
    // Too few for two cuts: all of them are in the last part.
    [50, 1, 3, '0,'],
    [50, 2, 3, '0,'],
    [50, 3, 3, undefined],
  ])('of %i records: part %i of %i says what follows it', async (total, number, of, next) => {
    await withScript(numbered(total), async ({ search, asked }) => {
      const { ids, plan } = await read(search, { part: { number, of }, window: 1000, pageSize: 100 });
      const wanted = total === 250 ? [100, 150][number - 1] : [0, 0, 50][number - 1];
      expect([ids.split(',').length - 1, plan?.next]).toEqual([wanted, next]);
      expect(asked.filter((each) => each.includes('limit=1&'))).toHaveLength(next === undefined ? 0 : 1);
    });
  });
});
