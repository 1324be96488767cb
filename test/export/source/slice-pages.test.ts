/** Plans that are read: pages and where to resume, what moved, what is named as missing, and in which words. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { ReportWriter } from '../../../src/client/paging/report.js';
import { createSeenIds } from '../../../src/client/paging/seen-ids.js';
import { readPage } from '../../../src/export/json/page-records.js';
import type { CountedSearch } from '../../../src/export/source/slices/counts.js';
import {
  makePlan,
  type Narrowing,
  type Part,
  type Unreachable,
} from '../../../src/export/source/slices/plan.js';
import { SlicePages } from '../../../src/export/source/slices/slice-pages.js';
import { withScript } from './scripted-service.js';
import { type SmallRecord, startSmallService, type Traits } from './small-service.js';

interface Run {
  readonly window?: number;
  readonly total?: number;
  readonly slices?: readonly (Narrowing & { readonly total: number })[];
  readonly unreachable?: readonly Unreachable[];
  readonly part?: Part;
  /** Where a run is resumed, behind these ids. */
  readonly resumed?: { readonly offset: number; readonly ids: string };
}

const A = 'maker:"A"';
const B = 'maker:"B"';
const REST = 'NOT maker:("A", "B")';
const SLICES = [
  { term: A, total: 4 },
  { term: B, total: 3 },
  { term: REST, total: 3 },
];
const record = (id: string, maker: string): SmallRecord =>
  ({ id: [id], ...(maker !== '' && { maker: [maker] }) }) as unknown as SmallRecord;
const museum = () => [...'abcdefghij'].map((id, n) => record(id, n < 4 ? 'A' : n < 7 ? 'B' : ''));

async function read(search: CountedSearch, run: Run) {
  const { window = 5, total = 10, slices = SLICES, unreachable = [], part, resumed } = run;
  const plan = makePlan({
    total,
    window,
    slices: slices.map((each) => ({ ...each, offset: 0, limit: each.total, records: each.total })),
    unreachable,
  });
  const seen = createSeenIds();
  for (const id of resumed?.ids ?? '') seen.add(id);
  const pages = new SlicePages({
    search: { ...search, pageSize: 2, concurrency: 1 },
    plan,
    part,
    tryRead: (bytes, at) => readPage(bytes, 'objects', at),
    from: {
      offset: resumed?.offset,
      delivered: resumed?.ids.length ?? 0,
      duplicates: 0,
      drift: [],
      seen,
      plan: resumed && plan,
      signal: undefined,
    },
    before: new ReportWriter(2),
  });
  const found: string[] = [];
  for await (const { offset, records, next, total: told } of pages) {
    expect(told).toBe(pages.report.firstTotal);
    found.push(`${offset} ${records.map(({ id }) => id).join('')} ${next}`);
  }
  const { report } = pages;
  return {
    pages: found,
    ending: report.stopReason,
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

async function ofSmall(run: Run, traits: Partial<Traits> = {}) {
  const service = await startSmallService({ records: museum(), window: 5, ...traits });
  const client = createClient({ baseUrl: service.url, retries: 0 });
  try {
    const search = { client, kind: 'objects', query: [], signal: undefined } as const;
    return { ...(await read(search, run)), asked: service.asked };
  } finally {
    await client.close();
    await service.close();
  }
}

const WHOLE = ['0 ab 2', '2 cd 4', '5 ef 7', '7 g 9', '10 hi 12', '12 j 14'];
const COMPLETE = { ending: 'complete', missing: 0, totals: ['0: 10'], gaps: [], notices: [] };

describe('a plan that is read', () => {
  it('has the pages of its slices, the offsets of each in a stretch of its own, and one count at the end', async () => {
    const { asked, ...found } = await ofSmall({});
    expect(found).toEqual({ ...COMPLETE, pages: WHOLE, received: 10, distinct: 10 });
    expect(asked).toEqual([
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
    // The page size is not known from one page.
    ['inside a slice', 7, 'abcdef', ['7 g 8', ...WHOLE.slice(4)], 4],
    ['behind the last page of a slice', 4, 'abcd', WHOLE.slice(2), 6],
    ['at the beginning of a slice', 5, 'abcd', WHOLE.slice(2), 6],
    ['behind everything', 15, 'abcdefghij', [], 0],
  ])('goes on %s', async (_, offset, ids, pages, received) => {
    const found = await ofSmall({ resumed: { offset, ids } });
    expect(found).toMatchObject({ ...COMPLETE, pages, received, distinct: received });
  });

  it('resumes no further than where the next slice begins', async () => {
    const found = await ofSmall(
      { window: 3, total: 6, slices: SLICES.slice(1) },
      { window: 3, records: museum().slice(4) },
    );
    expect(found).toMatchObject({ ending: 'complete', pages: ['0 ef 2', '2 g 3', '3 hi 5', '5 j 6'] });
  });

  it('in parts has the slices of one, and says that the search changed', async () => {
    const found = await ofSmall({ total: 11, part: { number: 2, of: 2 } });
    expect(found).toMatchObject({
      ...COMPLETE,
      pages: ['0 ef 2', '2 g 4', '5 hi 7', '7 j 9'],
      totals: ['0: 6'],
      notices: ['sliced: the total of the search changed from 11 to 10'],
    });
  });

  it('names what no slice has, up to what is missing; a part does not', async () => {
    const slices = SLICES.slice(0, 2);
    const unreachable = [
      { what: 'records of one sort', records: 2 },
      { what: 'records of another', records: 5 },
      { what: 'records of a third', records: 5 },
    ];
    expect(await ofSmall({ slices, unreachable })).toMatchObject({
      ending: 'missing',
      missing: 3,
      gaps: [
        '2 records of one sort (0+2): no slice of the search has them',
        '1 records of another (0+1): no slice of the search has them',
      ],
    });
    expect(await ofSmall({ slices, unreachable, part: { number: 1, of: 1 } })).toMatchObject({
      ending: 'complete',
      missing: 0,
      gaps: [],
    });
    expect(await ofSmall({ unreachable })).toMatchObject(COMPLETE);
  });
});

describe('a slice that the service refuses to read to its end', () => {
  it.each([
    [0, 'records 1 to 3 of maker:"B" (0+3)', 3],
    [2, 'records 3 to 3 of maker:"B" (2+1)', 1],
  ])('from %i on is named, and the others are read', async (from, gap, missing) => {
    const refuses = (query: string, offset: number) => query === B && offset >= from;
    const found = await ofSmall({}, { refuses });
    expect(found).toMatchObject({ ending: 'missing', missing, distinct: 10 - missing, notices: [] });
    expect(found.gaps).toEqual([expect.stringContaining(`${gap}: `)]);
    expect(found.pages.slice(-2)).toEqual(WHOLE.slice(-2));
  });
});

/** What a service does once the first page of the rest is read. */
function changing(change: (records: SmallRecord[]) => void): Partial<Traits> {
  const records = museum();
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

describe('records that move while slices are read', () => {
  it('into a slice that was read: it is read again in an order, and the total is told', async () => {
    const found = await ofSmall(
      {},
      changing((records) => records.push(record('k', 'A'))),
    );
    expect(found).toMatchObject({
      ending: 'complete',
      missing: 0,
      gaps: [],
      distinct: 11,
      received: 11,
      totals: ['0: 10', '15: 11'],
      notices: [
        'moved-up: records moved between slices during the run; 1 slice was read again, which brought 1 more',
      ],
    });
    // A run that is resumed here reads what moved again.
    expect(found.pages).toEqual([...WHOLE, '0  15', '2  15', '4 k 15']);
    expect(found.asked.filter((each) => each.includes('sort=') && !each.endsWith('limit=1'))).toEqual([
      `query=${A}&sort=opacObjectId&direction=asc&limit=2&offset=0`,
      `query=${A}&sort=opacObjectId&direction=asc&limit=2&offset=2`,
      `query=${A}&sort=opacObjectId&direction=asc&limit=1&offset=4`,
    ]);
  });

  it.each([
    ['more than half, all are read again', SLICES, 3],
    ['half, these are read again', [...SLICES, { term: 'maker:"C"', total: 0 }], 2],
  ])('into two slices that were read: where they are %s', async (_, slices, again) => {
    const found = await ofSmall(
      { slices },
      changing((records) => records.push(record('k', 'A'), record('l', 'B'))),
    );
    expect(found).toMatchObject({
      ending: 'complete',
      distinct: 12,
      notices: [
        `moved-up: records moved between slices during the run; ${again} slices were read again, which brought 2 more`,
      ],
    });
  });

  it('away, while a slice is refused: that is named, though as many came as there are', async () => {
    const { refuses, ...traits } = changing((records) => records.splice(0, 1));
    const found = await ofSmall(
      {},
      { ...traits, refuses: (query, offset) => refuses?.(query, offset) || (query === B && offset >= 2) },
    );
    expect(found).toMatchObject({ ending: 'missing', missing: 0, distinct: 9 });
    expect(found.gaps).toEqual([expect.stringContaining('records 3 to 3 of maker:"B" (2+1): ')]);
  });

  it('away: the total is told, nothing is missing', async () => {
    const found = await ofSmall(
      {},
      changing((records) => records.splice(0, 1)),
    );
    expect(found).toMatchObject({ ending: 'complete', missing: 0, totals: ['0: 10', '15: 9'], gaps: [] });
  });

  it('into a slice that outgrows the window: it is split again', async () => {
    const grown = changing((records) => {
      for (const [n, id] of [...'klmn'].entries())
        records.push({ ...record(id, 'A'), place: [`${n % 2}`] } as SmallRecord);
    });
    const found = await ofSmall({}, { ...grown, facet: (_, __, count) => count });
    expect(found).toMatchObject({
      ending: 'complete',
      missing: 0,
      distinct: 14,
      totals: ['0: 10', '15: 14'],
    });
    expect(found.asked).toContainEqual(expect.stringContaining(`query=${A} AND NOT place:("0", "1")&sort=`));
    expect(found.notices).toHaveLength(1);
  });
});

/** One slice of three records, of which pages give what `page` does. */
const ofOne = (page: (offset: number) => object | number, total = 3) =>
  withScript(
    ({ limit, offset, sort }) =>
      sort !== undefined
        ? 400
        : limit === '0'
          ? { opacObjects: [], totalObjects: total }
          : page(Number(offset)),
    async ({ search, asked }) => ({
      ...(await read(search, { total: 3, slices: [{ term: A, total: 3 }] })),
      counts: asked.filter((each) => each.includes('limit=0')).length,
    }),
  );
const list = (ids: string, totalObjects: number) => ({
  opacObjects: [...ids].map((id) => ({ opacObjectId: id })),
  totalObjects,
});

describe('a slice', () => {
  it('whose pages never agree with its count is named, after three more attempts', async () => {
    const found = await ofOne((offset) => (offset === 0 ? list('ab', 2) : list('', 2)));
    expect(found).toMatchObject({
      ending: 'missing',
      missing: 1,
      distinct: 2,
      gaps: ['some records of maker:"A" (0+0): they moved while the slice was read'],
      notices: [
        'moved-up: records moved between slices during the run; 3 slices were read again, which brought 0 more',
      ],
      counts: 6,
    });
  });

  it('with a page that fails is read again', async () => {
    let failures = 1;
    const found = await ofOne((offset) =>
      offset === 0 ? list('ab', 3) : failures-- > 0 ? 502 : list('c', 3),
    );
    expect(found).toMatchObject({
      ...COMPLETE,
      totals: ['0: 3'],
      distinct: 3,
      notices: [
        'moved-up: records moved between slices during the run; 1 slice was read again, which brought 1 more',
      ],
    });
  });

  it('with an error that is no refusal ends the run', async () => {
    await expect(ofOne(() => 401)).rejects.toMatchObject({ status: 401 });
  });
});
