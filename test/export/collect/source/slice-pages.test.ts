/** Reads plans: pages, resuming, records that move, and reports of missing records. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { ReportWriter } from '../../../../src/client/paging/paging-report.js';
import { createSeenIds } from '../../../../src/client/paging/seen-ids.js';
import type { SearchTarget } from '../../../../src/export/collect/source/slices/search-requests.js';
import {
  createSlicePlan,
  type Part,
  type Slice,
  type SliceFilter,
  type Unreachable,
} from '../../../../src/export/collect/source/slices/slice-plan.js';
import { SliceReader } from '../../../../src/export/collect/source/slices/slice-reader.js';
import { type Script, withScript } from './scripted-service.js';
import { type SmallRecord, startSmallService, type Traits } from './small-service.js';

interface Run {
  readonly window?: number;
  readonly total?: number;
  readonly slices?: readonly (SliceFilter & Partial<Slice> & { readonly total: number })[];
  readonly unreachable?: readonly Unreachable[];
  readonly part?: Part;
  /** The offset where a run is resumed, and the ids that it already has. */
  readonly resumed?: { readonly offset: number; readonly ids: string; readonly hasNoPlan?: boolean };
  readonly pageSize?: number;
}

const A = 'maker:"A"';
const B = 'maker:"B"';
const REST = 'NOT maker:("A", "B")';
const SLICES: NonNullable<Run['slices']> = [
  { term: A, total: 4 },
  { term: B, total: 3 },
  { term: REST, total: 3 },
];
const record = (id: string, maker: string): SmallRecord =>
  ({ id: [id], ...(maker !== '' && { maker: [maker] }) }) as unknown as SmallRecord;
const createMuseumRecords = () =>
  [...'abcdefghij'].map((id, n) => record(id, n < 4 ? 'A' : n < 7 ? 'B' : ''));

async function read(search: SearchTarget, run: Run) {
  const { window = 5, total = 10, slices = SLICES, unreachable = [], part, resumed, pageSize = 2 } = run;
  const plan = createSlicePlan({
    total,
    window,
    slices: slices.map((each) => ({
      offset: 0,
      limit: each.total,
      records: each.limit ?? each.total,
      ...each,
    })),
    unreachable,
  });
  const seen = createSeenIds();
  for (const id of resumed?.ids ?? '') seen.add(id);
  const pages = new SliceReader({
    search: { ...search, pageSize, concurrency: 1 },
    plan,
    part,
    from: {
      offset: resumed?.offset,
      delivered: resumed?.ids.length ?? 0,
      seen,
      plan: resumed?.hasNoPlan ? undefined : resumed && plan,
      signal: undefined,
    },
    before: new ReportWriter(2),
  });
  const found: string[] = [];
  for await (const { offset, records, next, total: pageTotal } of pages) {
    expect(pageTotal).toBe(pages.report.firstTotal);
    found.push(`${offset} ${records.map(({ id = '-' }) => id).join('')} ${next}`);
  }
  const { report } = pages;
  return {
    pages: found,
    stopReason: report.stopReason,
    missing: report.missing,
    totals: report.totals.map(({ offset, total: at }) => `${offset}: ${at}`),
    gaps: report.gaps.map(
      ({ what, offset, limit, error }) => `${what} (${offset}+${limit}): ${error?.message}`,
    ),
    notices: report.notices.map(({ kind, message }) => `${kind}: ${message}`),
    received: report.received,
    distinct: report.distinct,
  };
}

async function readSmall(run: Run, traits: Partial<Traits> = {}) {
  const service = await startSmallService({ records: createMuseumRecords(), window: 5, ...traits });
  const client = createClient({ baseUrl: service.url, retries: 0 });
  try {
    const search = { client, kind: 'objects', query: [], signal: undefined } as const;
    return { ...(await read(search, run)), requests: service.requests };
  } finally {
    await client.close();
    await service.close();
  }
}

const ALL_PAGES = ['0 ab 2', '2 cd 4', '5 ef 7', '7 g 9', '10 hi 12', '12 j 14'];
const COMPLETE = { stopReason: 'complete', missing: 0, totals: ['0: 10'], gaps: [], notices: [] };

describe('SliceReader', () => {
  it('reads the pages of all slices, with separate offsets per slice, and one count at the end', async () => {
    const { requests, ...found } = await readSmall({});
    expect(found).toEqual({ ...COMPLETE, pages: ALL_PAGES, received: 10, distinct: 10 });
    expect(requests).toEqual([
      `query=${A}&limit=2&offset=0`,
      `query=${A}&limit=2&offset=2`,
      `query=${B}&limit=2&offset=0`,
      `query=${B}&limit=2&offset=2`,
      `query=${REST}&limit=2&offset=0`,
      `query=${REST}&limit=2&offset=2`,
      'limit=0&offset=0',
    ]);
  });

  it.each([
    // One page alone does not show the page size.
    ['within a slice', 7, 'abcdef', ['7 g 8', ...ALL_PAGES.slice(4)], 4],
    ['after the last page of a slice', 4, 'abcd', ALL_PAGES.slice(2), 6],
    ['at the beginning of a slice', 5, 'abcd', ALL_PAGES.slice(2), 6],
    ['after the last slice', 15, 'abcdefghij', [], 0],
  ])('continues %s', async (_, offset, ids, pages, received) => {
    const found = await readSmall({ resumed: { offset, ids } });
    expect(found).toMatchObject({ ...COMPLETE, pages, received, distinct: received });
  });

  it('starts with the first slice if the earlier run had no plan', async () => {
    const found = await readSmall({ resumed: { offset: 7, ids: 'ab', hasNoPlan: true } });
    expect(found).toMatchObject({ ...COMPLETE, distinct: 8, pages: ['0  2', ...ALL_PAGES.slice(1)] });
  });

  it('returns no resume offset beyond the start of the next slice', async () => {
    const found = await readSmall(
      { window: 3, total: 6, slices: SLICES.slice(1) },
      { window: 3, records: createMuseumRecords().slice(4) },
    );
    expect(found).toMatchObject({ stopReason: 'complete', pages: ['0 ef 2', '2 g 3', '3 hi 5', '5 j 6'] });
  });

  it('reads partial slices from their offset to their limit', async () => {
    const slices = [
      { term: A, total: 4, limit: 3 },
      { term: A, total: 4, offset: 3, limit: 1 },
      { term: B, total: 3, offset: 1, limit: 2 },
    ];
    const records = createMuseumRecords().slice(0, 7);
    const found = await readSmall({ slices, total: 7, part: { number: 1, of: 1 } }, { records });
    expect(found).toMatchObject({
      stopReason: 'complete',
      pages: ['0 ab 2', '2 c 4', '5 d 6', '10 fg 12'],
      totals: ['0: 6'],
      gaps: [],
    });
    expect(found.requests.slice(0, -1)).toEqual([
      `query=${A}&limit=2&offset=0`,
      `query=${A}&limit=1&offset=2`,
      `query=${A}&limit=1&offset=3`,
      `query=${B}&limit=2&offset=1`,
    ]);
    const resumed = await readSmall({ slices, total: 7, resumed: { offset: 11, ids: 'abcdf' } }, { records });
    expect(resumed.pages).toEqual(['11 g 12']);
  });

  it('requests pages of the size that it detected in an earlier slice', async () => {
    const findSizes = async (first: number) => {
      const slices = [
        { term: A, total: first },
        { term: B, total: 3 },
      ];
      // At most two records per page.
      const script: Script = ({ query, limit, offset }) => {
        const total = query === undefined ? first + 3 : query === A ? first : 3;
        const all = Array.from({ length: total }, (_, n) => ({ opacObjectId: `${query}${n}` }));
        const end = Number(offset) + Math.min(2, Number(limit));
        return { totalObjects: total, opacObjects: all.slice(Number(offset), end) };
      };
      return withScript(script, async ({ search, requests }) => {
        expect(await read(search, { slices, total: first + 3, window: 9, pageSize: 3 })).toMatchObject({
          stopReason: 'complete',
        });
        return requests.filter((each) => each.includes(B)).map((each) => each.replace(/.*&limit=/, ''));
      });
    };
    expect(await findSizes(5)).toEqual(['2&offset=0', '2&offset=2']);
    // One page alone does not show the page size.
    expect(await findSizes(2)).toEqual(['3&offset=0', '3&offset=2']);
  });

  it('reads the slices of one part, and reports that the total of the search changed', async () => {
    const found = await readSmall({ total: 11, part: { number: 2, of: 2 } });
    expect(found).toMatchObject({
      ...COMPLETE,
      pages: ['0 ef 2', '2 g 4', '5 hi 7', '7 j 9'],
      totals: ['0: 6'],
      notices: ['sliced: the total of the search changed from 11 to 10'],
    });
  });

  it('reports unreachable records up to the number of missing records, but not for a part', async () => {
    const slices = SLICES.slice(0, 2);
    const unreachable = [
      { what: 'of one sort', records: 2 },
      { what: 'of another', records: 5 },
      { what: 'records of a third', records: 5 },
    ];
    const { requests, ...found } = await readSmall({ slices, unreachable });
    expect(requests.filter((each) => each.includes('limit=0'))).toHaveLength(1);
    expect(found).toMatchObject({
      stopReason: 'missing',
      missing: 3,
      gaps: [
        '2 records of one sort (0+2): no slice contains these records',
        '1 record of another (0+1): no slice contains these records',
      ],
    });
    expect(await readSmall({ slices, unreachable, part: { number: 1, of: 1 } })).toMatchObject({
      stopReason: 'complete',
      missing: 0,
      gaps: [],
    });
    expect(await readSmall({ unreachable })).toMatchObject(COMPLETE);
  });
});

describe('slice that the service refuses', () => {
  it.each([
    [0, 'records 1 to 3 of maker:"B" (0+3)', 3],
    [2, 'record 3 of maker:"B" (2+1)', 1],
  ])('is reported as a gap from offset %i, and the other slices are read', async (from, gap, missing) => {
    const refuses = (query: string, offset: number) => query === B && offset >= from;
    const found = await readSmall({}, { refuses });
    expect(found).toMatchObject({ stopReason: 'missing', missing, distinct: 10 - missing, notices: [] });
    expect(found.gaps).toEqual([expect.stringContaining(`${gap}: `)]);
    expect(found.pages.slice(-2)).toEqual(ALL_PAGES.slice(-2));
  });
});

describe('record of a refused slice', () => {
  it('is not missing if another slice contains it', async () => {
    const records = createMuseumRecords().map((each) =>
      each.id[0] === 'g' ? { ...each, place: ['x'] } : each,
    );
    const slices = [...SLICES, { term: 'place:"x"', total: 1, records: 0 }];
    const refuses = (query: string, offset: number) => query === B && offset >= 2;
    expect(await readSmall({ slices }, { records: records as SmallRecord[], refuses })).toMatchObject(
      COMPLETE,
    );
  });
});

/** Returns a service that changes its records when opac reads the first page of the rest. */
function changeBeforeRest(change: (records: SmallRecord[]) => void): Partial<Traits> {
  const records = createMuseumRecords();
  let isChanged = false;
  const refuses = (query: string) => {
    if (query === REST && !isChanged) {
      isChanged = true;
      change(records);
    }
    return false;
  };
  return { records, refuses, sorts: ['opacObjectId'] };
}

describe('record that moves while slices are read', () => {
  it('is missing if the service adds it to a slice that was read', async () => {
    const found = await readSmall(
      {},
      changeBeforeRest((records) => records.push(record('k', 'A'))),
    );
    expect(found).toMatchObject({
      stopReason: 'missing',
      missing: 1,
      gaps: [],
      distinct: 10,
      totals: ['0: 10', '15: 11'],
      pages: ALL_PAGES,
    });
  });

  it('causes a notice if it moves to a slice that was read', async () => {
    const moved = changeBeforeRest((records) => {
      const [last] = records.splice(-1);
      records.push(record(last?.id[0] ?? '', 'A'));
    });
    expect(await readSmall({}, moved)).toMatchObject({
      stopReason: 'missing',
      missing: 1,
      gaps: [],
      totals: ['0: 10'],
      notices: ['moved-up: records moved between slices during the run'],
    });
  });

  it('does not hide the gap of a refused slice if the service deletes it', async () => {
    const { refuses, ...traits } = changeBeforeRest((records) => records.splice(0, 1));
    const found = await readSmall(
      {},
      { ...traits, refuses: (query, offset) => refuses?.(query, offset) || (query === B && offset >= 2) },
    );
    expect(found).toMatchObject({ stopReason: 'missing', missing: 0, distinct: 9 });
    expect(found.gaps).toEqual([expect.stringContaining('record 3 of maker:"B" (2+1): ')]);
  });

  it('changes the total if the service deletes it, and no record is missing', async () => {
    const found = await readSmall(
      {},
      changeBeforeRest((records) => records.splice(0, 1)),
    );
    expect(found).toMatchObject({ stopReason: 'complete', missing: 0, totals: ['0: 10', '15: 9'], gaps: [] });
  });
});

describe('slice of another sort order', () => {
  const createEnds = (sort: string, records: number) =>
    (['asc', 'desc'] as const).map((direction) => ({ sort, direction, total: 10, limit: 3, records }));
  const slices = [...createEnds('opacObjectId', 3), ...createEnds('year', 0), ...createEnds('title', 0)];
  const records = createMuseumRecords().map((each, n) => ({
    ...each,
    year: [`${(n + 5) % 10}`],
    title: [`${n % 5}`],
  }));
  const unreachable = [{ what: 'beyond the window', records: 4 }];
  const sorts = ['opacObjectId', 'year', 'title'];
  const run = { slices, unreachable, window: 3 };
  const traits = { records: records as unknown as SmallRecord[], window: 3, sorts };
  const findOrders = (requests: readonly string[]) =>
    ['year', 'title'].filter((field) => requests.some((each) => each.includes(`sort=${field}`)));

  it('is read only while records are missing', async () => {
    const { requests, ...found } = await readSmall(run, traits);
    expect(found).toMatchObject({ ...COMPLETE, distinct: 10 });
    expect(findOrders(requests)).toEqual(['year']);
  });

  it('is always read for a part, because a part does not know if records are missing', async () => {
    const { requests, ...found } = await readSmall({ ...run, part: { number: 1, of: 1 } }, traits);
    expect(found).toMatchObject({ stopReason: 'complete', distinct: 10 });
    expect(findOrders(requests)).toEqual(['year', 'title']);
  });

  it('is absent in a plan with one sort order, and the missing records are reported', async () => {
    const found = await readSmall({ ...run, slices: slices.slice(0, 2) }, traits);
    expect(found).toMatchObject({
      stopReason: 'missing',
      missing: 4,
      gaps: ['4 records beyond the window (0+4): no slice contains these records'],
    });
  });
});

/** Reads one slice of three records. `page` returns the response for each page. */
const readOne = (page: (offset: number) => object | number, total = 3) =>
  withScript(
    ({ limit, offset, sort }) =>
      sort !== undefined
        ? 400
        : limit === '0'
          ? { opacObjects: [], totalObjects: total }
          : page(Number(offset)),
    async ({ search, requests }) => ({
      ...(await read(search, { total: 3, slices: [{ term: A, total: 3 }] })),
      counts: requests.filter((each) => each.includes('limit=0')).length,
    }),
  );
const list = (ids: string, totalObjects: number) => ({
  opacObjects: [...ids].map((id) => ({ opacObjectId: id })),
  totalObjects,
});

describe('SliceReader with one slice', () => {
  it('reports pages that do not match the count of the slice', async () => {
    const found = await readOne((offset) => (offset === 0 ? list('ab', 2) : list('', 2)));
    expect(found).toMatchObject({
      stopReason: 'missing',
      missing: 1,
      distinct: 2,
      gaps: [],
      notices: ['moved-up: records moved between slices during the run'],
      counts: 1,
    });
  });

  it('keeps the earlier total if the service returns no total at the end', async () => {
    const script: Script = ({ limit, offset }) =>
      limit === '0' ? { opacObjects: [] } : list('abc'.slice(Number(offset), Number(offset) + 2), 3);
    await withScript(script, async ({ search }) => {
      const run = { total: 3, slices: [{ term: A, total: 3 }] };
      for (const part of [undefined, { number: 1, of: 1 }])
        expect(await read(search, { ...run, ...(part && { part }) })).toMatchObject({
          stopReason: 'complete',
          totals: ['0: 3'],
        });
    });
  });

  it('returns records without an id once', async () => {
    const page = (offset: number) =>
      offset === 0 ? { totalObjects: 3, opacObjects: [{ slug: 'x' }, { opacObjectId: 'b' }] } : list('c', 3);
    expect(await readOne(page)).toMatchObject({ ...COMPLETE, totals: ['0: 3'], received: 3, distinct: 2 });
  });

  it('reports a page that fails as a gap', async () => {
    const found = await readOne((offset) => (offset === 0 ? list('ab', 3) : 502));
    expect(found).toMatchObject({ stopReason: 'missing', missing: 1, distinct: 2 });
    expect(found.gaps).toEqual([expect.stringContaining('record 3 of maker:"A" (2+1): ')]);
  });

  it('throws for status 401', async () => {
    await expect(readOne(() => 401)).rejects.toMatchObject({ status: 401 });
  });
});
