/** Plans that are read: pages and where to resume, what moved, what is named as missing, and in which words. */
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
  /** Where a run is resumed, behind these ids. */
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
const museum = () => [...'abcdefghij'].map((id, n) => record(id, n < 4 ? 'A' : n < 7 ? 'B' : ''));

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
  for await (const { offset, records, next, total: told } of pages) {
    expect(told).toBe(pages.report.firstTotal);
    found.push(`${offset} ${records.map(({ id = '-' }) => id).join('')} ${next}`);
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

  it('begins with the first where the run before had no plan', async () => {
    const found = await ofSmall({ resumed: { offset: 7, ids: 'ab', hasNoPlan: true } });
    expect(found).toMatchObject({ ...COMPLETE, distinct: 8, pages: ['0  2', ...WHOLE.slice(1)] });
  });

  it('resumes no further than where the next slice begins', async () => {
    const found = await ofSmall(
      { window: 3, total: 6, slices: SLICES.slice(1) },
      { window: 3, records: museum().slice(4) },
    );
    expect(found).toMatchObject({ ending: 'complete', pages: ['0 ef 2', '2 g 3', '3 hi 5', '5 j 6'] });
  });

  it('has pieces of slices to their ends, from where they begin', async () => {
    const slices = [
      { term: A, total: 4, limit: 3 },
      { term: A, total: 4, offset: 3, limit: 1 },
      { term: B, total: 3, offset: 1, limit: 2 },
    ];
    const records = museum().slice(0, 7);
    const found = await ofSmall({ slices, total: 7, part: { number: 1, of: 1 } }, { records });
    expect(found).toMatchObject({
      ending: 'complete',
      pages: ['0 ab 2', '2 c 4', '5 d 6', '10 fg 12'],
      totals: ['0: 6'],
      gaps: [],
    });
    expect(found.asked.slice(0, -1)).toEqual([
      `query=${A}&limit=2&offset=0`,
      `query=${A}&limit=1&offset=2`,
      `query=${A}&limit=1&offset=3`,
      `query=${B}&limit=2&offset=1`,
    ]);
    const resumed = await ofSmall({ slices, total: 7, resumed: { offset: 11, ids: 'abcdf' } }, { records });
    expect(resumed.pages).toEqual(['11 g 12']);
  });

  it('asks for pages of the size that an earlier slice showed', async () => {
    const sizes = async (first: number) => {
      const slices = [
        { term: A, total: first },
        { term: B, total: 3 },
      ];
      // No more than two records in a page.
      const script: Script = ({ query, limit, offset }) => {
        const total = query === undefined ? first + 3 : query === A ? first : 3;
        const all = Array.from({ length: total }, (_, n) => ({ opacObjectId: `${query}${n}` }));
        const end = Number(offset) + Math.min(2, Number(limit));
        return { totalObjects: total, opacObjects: all.slice(Number(offset), end) };
      };
      return withScript(script, async ({ search, asked }) => {
        expect(await read(search, { slices, total: first + 3, window: 9, pageSize: 3 })).toMatchObject({
          ending: 'complete',
        });
        return asked.filter((each) => each.includes(B)).map((each) => each.replace(/.*&limit=/, ''));
      });
    };
    expect(await sizes(5)).toEqual(['2&offset=0', '2&offset=2']);
    // One page alone shows none.
    expect(await sizes(2)).toEqual(['3&offset=0', '3&offset=2']);
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
      { what: 'of one sort', records: 2 },
      { what: 'of another', records: 5 },
      { what: 'records of a third', records: 5 },
    ];
    const { asked, ...found } = await ofSmall({ slices, unreachable });
    expect(asked.filter((each) => each.includes('limit=0'))).toHaveLength(1);
    expect(found).toMatchObject({
      ending: 'missing',
      missing: 3,
      gaps: [
        '2 records of one sort (0+2): no slice contains these records',
        '1 record of another (0+1): no slice contains these records',
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
    [2, 'record 3 of maker:"B" (2+1)', 1],
  ])('from %i on is named, and the others are read', async (from, gap, missing) => {
    const refuses = (query: string, offset: number) => query === B && offset >= from;
    const found = await ofSmall({}, { refuses });
    expect(found).toMatchObject({ ending: 'missing', missing, distinct: 10 - missing, notices: [] });
    expect(found.gaps).toEqual([expect.stringContaining(`${gap}: `)]);
    expect(found.pages.slice(-2)).toEqual(WHOLE.slice(-2));
  });
});

describe('a record that a slice was refused', () => {
  it('is missing nowhere when another slice has it', async () => {
    const records = museum().map((each) => (each.id[0] === 'g' ? { ...each, place: ['x'] } : each));
    const slices = [...SLICES, { term: 'place:"x"', total: 1, records: 0 }];
    const refuses = (query: string, offset: number) => query === B && offset >= 2;
    expect(await ofSmall({ slices }, { records: records as SmallRecord[], refuses })).toMatchObject(COMPLETE);
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
  it('into a slice that was read: the total is told, and that some are missing', async () => {
    const found = await ofSmall(
      {},
      changing((records) => records.push(record('k', 'A'))),
    );
    expect(found).toMatchObject({
      ending: 'missing',
      missing: 1,
      gaps: [],
      distinct: 10,
      totals: ['0: 10', '15: 11'],
      pages: WHOLE,
    });
  });

  it('from a slice to one that was read: that is told, so that the ids are checked', async () => {
    const moved = changing((records) => {
      const [last] = records.splice(-1);
      records.push(record(last?.id[0] ?? '', 'A'));
    });
    expect(await ofSmall({}, moved)).toMatchObject({
      ending: 'missing',
      missing: 1,
      gaps: [],
      totals: ['0: 10'],
      notices: ['moved-up: records moved between slices during the run'],
    });
  });

  it('away, while a slice is refused: that is named, though as many came as there are', async () => {
    const { refuses, ...traits } = changing((records) => records.splice(0, 1));
    const found = await ofSmall(
      {},
      { ...traits, refuses: (query, offset) => refuses?.(query, offset) || (query === B && offset >= 2) },
    );
    expect(found).toMatchObject({ ending: 'missing', missing: 0, distinct: 9 });
    expect(found.gaps).toEqual([expect.stringContaining('record 3 of maker:"B" (2+1): ')]);
  });

  it('away: the total is told, nothing is missing', async () => {
    const found = await ofSmall(
      {},
      changing((records) => records.splice(0, 1)),
    );
    expect(found).toMatchObject({ ending: 'complete', missing: 0, totals: ['0: 10', '15: 9'], gaps: [] });
  });
});

describe('slices that are read only while records are missing', () => {
  const ends = (sort: string, records: number) =>
    (['asc', 'desc'] as const).map((direction) => ({ sort, direction, total: 10, limit: 3, records }));
  const slices = [...ends('opacObjectId', 3), ...ends('year', 0), ...ends('title', 0)];
  const records = museum().map((each, n) => ({ ...each, year: [`${(n + 5) % 10}`], title: [`${n % 5}`] }));
  const unreachable = [{ what: 'beyond the window', records: 4 }];
  const sorts = ['opacObjectId', 'year', 'title'];
  const run = { slices, unreachable, window: 3 };
  const traits = { records: records as unknown as SmallRecord[], window: 3, sorts };
  const orders = (asked: readonly string[]) =>
    ['year', 'title'].filter((field) => asked.some((each) => each.includes(`sort=${field}`)));

  it('are read until nothing is', async () => {
    const { asked, ...found } = await ofSmall(run, traits);
    expect(found).toMatchObject({ ...COMPLETE, distinct: 10 });
    expect(orders(asked)).toEqual(['year']);
  });

  it('are all read for a part, which cannot know', async () => {
    const { asked, ...found } = await ofSmall({ ...run, part: { number: 1, of: 1 } }, traits);
    expect(found).toMatchObject({ ending: 'complete', distinct: 10 });
    expect(orders(asked)).toEqual(['year', 'title']);
  });

  it('leave the rest named', async () => {
    const found = await ofSmall({ ...run, slices: slices.slice(0, 2) }, traits);
    expect(found).toMatchObject({
      ending: 'missing',
      missing: 4,
      gaps: ['4 records beyond the window (0+4): no slice contains these records'],
    });
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
  it('whose pages do not agree with its count is told', async () => {
    const found = await ofOne((offset) => (offset === 0 ? list('ab', 2) : list('', 2)));
    expect(found).toMatchObject({
      ending: 'missing',
      missing: 1,
      distinct: 2,
      gaps: [],
      notices: ['moved-up: records moved between slices during the run'],
      counts: 1,
    });
  });

  it('of a service that gives no total any more has the one it had', async () => {
    const script: Script = ({ limit, offset }) =>
      limit === '0' ? { opacObjects: [] } : list('abc'.slice(Number(offset), Number(offset) + 2), 3);
    await withScript(script, async ({ search }) => {
      const run = { total: 3, slices: [{ term: A, total: 3 }] };
      for (const part of [undefined, { number: 1, of: 1 }])
        expect(await read(search, { ...run, ...(part && { part }) })).toMatchObject({
          ending: 'complete',
          totals: ['0: 3'],
        });
    });
  });

  it('has records without an id once', async () => {
    const page = (offset: number) =>
      offset === 0 ? { totalObjects: 3, opacObjects: [{ slug: 'x' }, { opacObjectId: 'b' }] } : list('c', 3);
    expect(await ofOne(page)).toMatchObject({ ...COMPLETE, totals: ['0: 3'], received: 3, distinct: 2 });
  });

  it('with a page that fails is named', async () => {
    const found = await ofOne((offset) => (offset === 0 ? list('ab', 3) : 502));
    expect(found).toMatchObject({ ending: 'missing', missing: 1, distinct: 2 });
    expect(found.gaps).toEqual([expect.stringContaining('record 3 of maker:"A" (2+1): ')]);
  });

  it('with an error that is no refusal ends the run', async () => {
    await expect(ofOne(() => 401)).rejects.toMatchObject({ status: 401 });
  });
});
