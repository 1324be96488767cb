import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Send } from '../../../src/client/http-request.js';
import { PageInterpreter } from '../../../src/client/paging/page-interpreter.js';
import { PagePlanner } from '../../../src/client/paging/page-planner.js';
import { fetchTotal, paginateEndpoint } from '../../../src/client/paging/pages.js';
import { ReportWriter } from '../../../src/client/paging/paging-report.js';
import { createSeenIds } from '../../../src/client/paging/seen-ids.js';
import { gate } from '../server.js';
import { type Answering, ids, pageThrough, records, serveList, wellBehaved } from './list-server.js';

describe('a well-behaved service', () => {
  it.each([0, 1, 99, 100, 101, 250, 1_234])(
    'of %i records gives each once, in order, without a false alarm',
    async (count) => {
      const { ids: got, report, error } = await pageThrough(wellBehaved(count));
      expect(error).toBeUndefined();
      expect(got).toEqual(ids(0, count));
      expect(report).toMatchObject({
        stopReason: 'complete',
        received: count,
        distinct: count,
        duplicates: 0,
        missing: 0,
        firstTotal: count,
        lastTotal: count,
        gaps: [],
        notices: [],
      });
    },
  );

  it('is asked for each page once, and for the empty one at the end', async () => {
    const { asked, pages } = await pageThrough(wellBehaved(250));
    const offsets = asked.map(({ offset }) => offset).sort((a, b) => a - b);
    expect(offsets).toEqual([0, 100, 200, 300]);
    expect(pages.map(({ offset, received, total, retries }) => [offset, received, total, retries])).toEqual([
      [0, 100, 250, 0],
      [100, 100, 250, 0],
      [200, 50, 250, 0],
    ]);
  });

  it('may leave the list out at the end, or give nothing but braces', async () => {
    const without: Answering = (asked) =>
      asked.offset < 200 ? wellBehaved(200)(asked) : asked.n % 2 ? { totalObjects: 0 } : {};
    const { ids: got, report } = await pageThrough(without);
    expect(got).toEqual(ids(0, 200));
    expect(report).toMatchObject({ stopReason: 'complete', notices: [] });
  });

  it('may give no total at all', async () => {
    const { ids: got, report } = await pageThrough(({ offset, limit }) => ({
      opacObjects: records(offset, Math.min(250, offset + limit)),
    }));
    expect(got).toEqual(ids(0, 250));
    expect(report).toMatchObject({
      stopReason: 'complete',
      lastTotal: undefined,
      missing: 0,
      duplicates: 0,
      notices: [
        { kind: 'no-total', message: 'the service does not state a total, so records may be missing' },
      ],
    });
  });

  it('holds any number of records, is asked for any number of them, and caps where it likes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          count: fc.nat(60),
          cap: fc.integer({ min: 1, max: 30 }),
          pageSize: fc.integer({ min: 1, max: 40 }),
          offset: fc.nat(20),
          limit: fc.option(fc.nat(50), { nil: undefined }),
          total: fc.boolean(),
        }),
        async ({ count, cap, total, ...options }) => {
          const whole = wellBehaved(count, cap);
          const { ids: got, report } = await pageThrough((asked) => {
            const { totalObjects, ...rest } = whole(asked) as { totalObjects: number };
            return total ? { ...rest, totalObjects } : rest;
          }, options);
          const end = Math.min(count, options.offset + (options.limit ?? count));
          expect(got).toEqual(ids(options.offset, end));
          expect(report).toMatchObject({ missing: 0, duplicates: 0, gaps: [] });
          expect(['complete', 'limit']).toContain(report.stopReason);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('limit and offset', () => {
  it('are kept to the record, and no more is asked for', async () => {
    const { ids: got, asked, report } = await pageThrough(wellBehaved(1_000), { offset: 30, limit: 250 });
    expect(got).toEqual(ids(30, 280));
    expect(asked.map(({ offset, limit }) => [offset, limit])).toEqual([
      [30, 100],
      [130, 100],
      [230, 50],
    ]);
    expect(report.stopReason).toBe('limit');
  });

  it('beyond what there is end without asking for an empty page', async () => {
    const { ids: got, asked, report } = await pageThrough(wellBehaved(12), { limit: 20 });
    expect(got).toEqual(ids(0, 12));
    expect(asked).toHaveLength(1);
    expect(report.stopReason).toBe('complete');
  });

  it('of nothing ask for nothing', async () => {
    const { asked, report } = await pageThrough(wellBehaved(12), { limit: 0 });
    expect([asked.length, report.stopReason]).toEqual([0, 'limit']);
  });

  it('are filled although records come twice', async () => {
    const { ids: got } = await pageThrough(
      ({ offset, limit }) => ({
        opacObjects: records(offset, offset + limit).map(({ opacObjectId }) => ({
          opacObjectId: opacObjectId >> 1,
        })),
        totalObjects: 1_000,
      }),
      { limit: 120 },
    );
    expect(got).toEqual(ids(0, 120));
  });
});

describe('a cap', () => {
  it('is found out, and no record is lost', async () => {
    const { ids: got, asked, report } = await pageThrough(wellBehaved(730, 100), { pageSize: 250 });
    expect(got).toEqual(ids(0, 730));
    expect(report).toMatchObject({ stopReason: 'complete', pageSize: 100, duplicates: 0 });
    expect(report.notices).toEqual([
      {
        kind: 'page-size-capped',
        message: 'the service returns at most 100 records in a page, not the 250 requested',
      },
    ]);
    expect(asked.slice(0, 4).map(({ offset, limit }) => [offset, limit])).toEqual([
      [0, 250],
      [100, 250],
      [200, 100],
      [300, 100],
    ]);
  });

  it('is not taken for one when the first page is short by chance', async () => {
    const { ids: got, report } = await pageThrough((asked) =>
      asked.n === 0 ? wellBehaved(500, 3)(asked) : wellBehaved(500)(asked),
    );
    expect(got).toEqual(ids(0, 500));
    expect(report.pages.length).toBeLessThan(8);
  });

  it('that grows tighter on the way loses nothing', async () => {
    const { ids: got, report } = await pageThrough((asked) =>
      wellBehaved(500, asked.n < 3 ? 100 : 30)(asked),
    );
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', duplicates: 0 });
  });

  it('of the total as well, which then counts the page only, loses nothing', async () => {
    const { ids: got, report } = await pageThrough(
      ({ offset, limit }) => {
        const page = records(offset, Math.min(430, offset + Math.min(100, limit)));
        return { opacObjects: page, totalObjects: page.length };
      },
      { pageSize: 250 },
    );
    expect(got).toEqual(ids(0, 430));
    expect(report).toMatchObject({
      stopReason: 'complete',
      notices: [expect.objectContaining({ kind: 'total-too-low' }), expect.anything()],
    });
  });
});

describe('a short page in the middle', () => {
  it('is filled, and not the end', async () => {
    const { ids: got, report } = await pageThrough((asked) =>
      asked.offset === 200 && asked.limit === 100 ? wellBehaved(500, 10)(asked) : wellBehaved(500)(asked),
    );
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', duplicates: 0, missing: 0 });
  });

  it('is filled with records without ids, and with some that came already', async () => {
    const { report: nameless } = await pageThrough(
      (asked) => ({
        opacObjects: ids(asked.offset, asked.offset + (asked.offset === 200 ? 10 : asked.limit)).map(
          (term) => ({ term }),
        ),
        totalObjects: 500,
      }),
      { limit: 300 },
    );
    expect(nameless).toMatchObject({ stopReason: 'limit', withoutId: 300, notices: [] });
    const { report } = await pageThrough(({ offset, limit }) => ({
      opacObjects:
        offset === 200
          ? records(200, 250)
          : offset === 250
            ? records(240, 290)
            : records(offset, Math.min(400, offset + limit)),
      totalObjects: 400,
    }));
    expect(report).toMatchObject({ stopReason: 'missing', missing: 10, duplicates: 10, notices: [] });
  });

  it('whose records the service holds back is told of, without false repeats', async () => {
    const hidden = new Set([105, 117, 230]);
    const { ids: got, report } = await pageThrough(({ offset, limit }) => ({
      opacObjects: records(offset, Math.min(300, offset + limit)).filter(
        ({ opacObjectId }) => !hidden.has(opacObjectId),
      ),
      totalObjects: 300,
    }));
    expect(got).toEqual(ids(0, 300).filter((id) => !hidden.has(id)));
    expect(report).toMatchObject({ stopReason: 'missing', missing: 3, duplicates: 0 });
    expect(report.notices.map(({ kind }) => kind)).toEqual(['thin-page']);
  });
});

describe('an end that the total does not tell', () => {
  it('is looked for beyond a total that is too low', async () => {
    const { ids: got, report } = await pageThrough(({ offset, limit }) => ({
      opacObjects: records(offset, Math.min(777, offset + limit)),
      totalObjects: 300,
    }));
    expect(got).toEqual(ids(0, 777));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0 });
    expect(report.notices).toEqual([
      { kind: 'total-too-low', message: 'the service returned more records than its total of 300' },
    ]);
  });

  it('is found beyond a total that is too low where nothing new comes any more', async () => {
    const { ids: got, report } = await pageThrough(({ offset, limit }) => ({
      opacObjects: offset < 500 ? records(offset, offset + limit) : records(400, 500),
      totalObjects: 300,
    }));
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0 });
    expect(report.notices.map(({ kind }) => kind)).toEqual(['total-too-low', 'repeats-past-end']);
  });

  it('is early where the last page that is wanted stays empty', async () => {
    const { ids: got, report } = await pageThrough(
      (asked) => (asked.offset === 200 ? { opacObjects: [], totalObjects: 500 } : wellBehaved(500)(asked)),
      { limit: 300 },
    );
    expect(got).toEqual(ids(0, 200));
    expect(report.stopReason).toBe('early');
  });

  it('is early only after asking again and further on', async () => {
    const {
      ids: got,
      asked,
      report,
    } = await pageThrough(({ offset, limit }) => ({
      opacObjects: records(offset, Math.min(230, offset + limit)),
      totalObjects: 100_000,
    }));
    expect(got).toEqual(ids(0, 230));
    expect(report).toMatchObject({ stopReason: 'early', missing: 99_770, lastTotal: 100_000 });
    expect(asked.filter(({ offset }) => offset === 300)).toHaveLength(2);
    expect(asked.length).toBeLessThan(40);
  });

  it('is not where one page is empty by chance', async () => {
    const { ids: got, report } = await pageThrough((asked) =>
      asked.offset === 200 && asked.n < 4 ? { totalObjects: 0 } : wellBehaved(500)(asked),
    );
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', notices: [] });
  });

  it('is not where a page stays empty: that is a gap', async () => {
    const { ids: got, report } = await pageThrough((asked) =>
      asked.offset === 200 ? { opacObjects: [], totalObjects: 500 } : wellBehaved(500)(asked),
    );
    expect(got).toEqual([...ids(0, 200), ...ids(300, 500)]);
    expect(report).toMatchObject({
      stopReason: 'missing',
      missing: 100,
      gaps: [{ offset: 200, limit: 100, error: undefined }],
    });
  });

  it('is the end after all when the missing records are gone by then', async () => {
    const { report } = await pageThrough(({ offset, limit, n }) => {
      const count = n === 0 ? 500 : 100;
      return offset >= count
        ? { totalObjects: limit === 0 ? count : 0 }
        : { opacObjects: records(offset, Math.min(count, offset + limit)), totalObjects: count };
    });
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0, firstTotal: 500, lastTotal: 100 });
    expect(report.notices.map(({ kind }) => kind)).toContain('total-moved');
  });
});

describe('a service that ignores the offset', () => {
  it('is recognised and not looped on', async () => {
    const {
      ids: got,
      asked,
      report,
    } = await pageThrough(() => ({ opacObjects: records(0, 100), totalObjects: 500 }));
    expect(got).toEqual(ids(0, 100));
    expect(report).toMatchObject({ stopReason: 'offset-ignored', missing: 400 });
    expect(asked.length).toBeLessThan(15);
  });

  it('is recognised without ids and without a total', async () => {
    const { pages, report } = await pageThrough(() => ({
      opacObjects: Array.from({ length: 100 }, () => ({ term: 'blue' })),
    }));
    expect(pages).toHaveLength(1);
    expect(report).toMatchObject({ stopReason: 'offset-ignored', withoutId: 100 });
  });

  it.each([
    ['with a total', () => ({ opacObjects: records(0, 148), totalObjects: 148 })],
    ['as a bare list', () => records(0, 148)],
    ['fewer than a page', () => ({ opacObjects: records(0, 7), totalObjects: 7 })],
  ])('and gives everything at once (%s) is complete', async (_, answering) => {
    const { ids: got, report } = await pageThrough(answering);
    expect(got).toEqual(ids(0, got.length));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0, duplicates: 0 });
    const kinds = report.notices.map(({ kind }) => kind).filter((kind) => kind !== 'no-total');
    expect(kinds).toEqual(['repeats-past-end']);
  });

  it('past the end only, by giving the last page again, is complete', async () => {
    const { ids: got, report } = await pageThrough(({ offset, limit }) =>
      wellBehaved(250)({ offset: Math.min(offset, 200), limit, n: 0 }),
    );
    expect(got).toEqual(ids(0, 250));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0, duplicates: 0, received: 250 });
  });

  it('is not suspected where one record happens to follow itself', async () => {
    const { ids: got, report } = await pageThrough(
      ({ offset }) => ({
        opacObjects: offset < 5 ? [{ opacObjectId: offset === 1 ? 0 : offset }] : [],
        totalObjects: 5,
      }),
      { pageSize: 1 },
    );
    expect(got).toEqual([0, 2, 3, 4]);
    expect(report).toMatchObject({ stopReason: 'missing', duplicates: 1, missing: 1 });
  });
});

describe('records that come twice', () => {
  it('are counted and dropped, and those whose place they took are missed', async () => {
    const { ids: got, report } = await pageThrough(({ offset, limit }) => ({
      opacObjects: records(offset, Math.min(300, offset + limit)).map(({ opacObjectId }) => ({
        opacObjectId: opacObjectId === 150 ? 20 : opacObjectId,
      })),
      totalObjects: 300,
    }));
    expect(got).toEqual(ids(0, 300).filter((id) => id !== 150));
    expect(report).toMatchObject({
      stopReason: 'missing',
      received: 300,
      distinct: 299,
      duplicates: 1,
      missing: 1,
    });
  });

  it('are told by the ids given', async () => {
    const seen = createSeenIds();
    for (const id of ids(0, 150)) seen.add(String(id));
    const { ids: got, report } = await pageThrough(wellBehaved(300), { seen });
    expect(got).toEqual(ids(150, 300));
    expect(report.duplicates).toBe(150);
  });

  it('are all kept when they have no id', async () => {
    const { pages, report } = await pageThrough(({ offset, limit }) => ({
      opacObjects: records(offset, Math.min(150, offset + limit)).map(({ opacObjectId }) => ({
        term: opacObjectId % 3,
      })),
      totalObjects: 150,
    }));
    expect(pages.flatMap((page) => page.records)).toHaveLength(150);
    expect(report).toMatchObject({ stopReason: 'complete', withoutId: 150, distinct: 0 });
  });

  it.each([250, undefined])(
    'are no copies of the first page for want of ids (total %s)',
    async (totalObjects) => {
      const { pages, report } = await pageThrough((asked) => ({
        opacObjects: ids(asked.offset, Math.min(250, asked.offset + asked.limit)).map((term) => ({ term })),
        totalObjects,
      }));
      expect(pages.map(({ records }) => records.length)).toEqual([100, 100, 50]);
      expect(report).toMatchObject({ stopReason: 'complete', withoutId: 250, missing: 0 });
      expect(report.notices.map(({ kind }) => kind)).toEqual(totalObjects ? [] : ['no-total']);
    },
  );
});

describe('more records than were asked for', () => {
  it('are kept', async () => {
    const { ids: got, report } = await pageThrough(({ offset }) => ({
      opacObjects: records(offset, Math.min(500, offset + 120)),
      totalObjects: 500,
    }));
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', pageSize: 120, duplicates: 0 });
  });

  it('are not more than were wanted', async () => {
    const { ids: got } = await pageThrough(() => ({ opacObjects: records(0, 120), totalObjects: 500 }), {
      limit: 20,
    });
    expect(got).toEqual(ids(0, 20));
  });
});

describe('a list that moves while it is read', () => {
  /** Records that leave or join when so many requests have been answered. */
  const moving =
    (before: number[], at: number, after: number[]): Answering =>
    ({ offset, limit, n }) => {
      const now = n < at ? before : after;
      return {
        opacObjects: now.slice(offset, offset + limit).map((opacObjectId) => ({ opacObjectId })),
        totalObjects: now.length,
      };
    };

  it('by records that join at its front repeats some, which are dropped', async () => {
    const { ids: got, report } = await pageThrough(
      moving(ids(0, 500), 2, [...ids(900, 910), ...ids(0, 500)]),
      {
        concurrency: 1,
      },
    );
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({
      firstTotal: 500,
      lastTotal: 510,
      duplicates: 10,
      missing: 10,
      stopReason: 'missing',
    });
    expect(report.notices).toEqual([
      expect.objectContaining({ kind: 'total-moved', message: expect.stringContaining('500, 510') }),
    ]);
  });

  it('by records that leave its front passes over some, and says that it may', async () => {
    const { ids: got, report } = await pageThrough(moving(ids(0, 500), 2, ids(10, 500)), { concurrency: 1 });
    expect(got).toEqual([...ids(0, 200), ...ids(210, 500)]);
    expect(report).toMatchObject({
      firstTotal: 500,
      lastTotal: 490,
      totals: [
        { offset: 0, total: 500 },
        { offset: 200, total: 490 },
      ],
    });
    expect(report.notices).toEqual([
      expect.objectContaining({
        kind: 'total-moved',
        message: expect.stringContaining('some records may be missing'),
      }),
    ]);
  });

  it('by records that join at its end is read to the new end', async () => {
    const { ids: got, report } = await pageThrough(moving(ids(0, 300), 2, ids(0, 777)));
    expect(got).toEqual(ids(0, 777));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0, lastTotal: 777 });
  });
});

describe('a service that refuses deep offsets', () => {
  const walled =
    (count: number): Answering =>
    (asked) =>
      asked.offset + asked.limit > 10_000 ? 400 : wellBehaved(count, 1_000)(asked);

  it('ends paging as incomplete, with the way out', async () => {
    const { ids: got, error, report } = await pageThrough(walled(25_000), { pageSize: 1_000 });
    expect(got).toEqual(ids(0, 10_000));
    expect(error).toMatchObject({
      kind: 'incomplete',
      message: expect.stringContaining('refuses pages after record 10,000 of 25,000'),
      hint: expect.stringContaining('smaller searches'),
    });
    expect(report).toMatchObject({ stopReason: 'refused', missing: 15_000 });
  });

  it('just past its total may have limited the total', async () => {
    for (const options of [{ pageSize: 1_000 }, { pageSize: 1_000, window: 10_000 }]) {
      const { ids: got, error, report } = await pageThrough(walled(10_000), options);
      expect(error).toBeUndefined();
      expect(got).toHaveLength(10_000);
      expect(report).toMatchObject({
        stopReason: 'failed',
        notices: [{ kind: 'end-refused', message: expect.stringContaining('the total may be a limit') }],
      });
    }
    const { report } = await pageThrough(walled(9_950), { pageSize: 1_000, window: 10_000 });
    expect(report).toMatchObject({ stopReason: 'complete', notices: [] });
  });

  it('at the first page is a wrong request like any other', async () => {
    const { error } = await pageThrough(() => 400);
    expect(error).toMatchObject({ kind: 'usage', status: 400 });
  });
});

describe('a page that fails for good', () => {
  const broken =
    (...offsets: number[]): Answering =>
    (asked) =>
      offsets.includes(asked.offset) ? 500 : wellBehaved(1_000)(asked);

  it('ends paging after the pages before it', async () => {
    const { ids: got, error, report } = await pageThrough(broken(300), {}, { retries: 1 });
    expect(got).toEqual(ids(0, 300));
    expect(error).toMatchObject({ kind: 'deployment', status: 500, retries: 1 });
    expect(report).toMatchObject({ stopReason: 'failed', missing: 700 });
  });

  it('leaves a gap when that is wanted', async () => {
    const {
      ids: got,
      error,
      report,
    } = await pageThrough(broken(300, 700), { onPageError: 'gap' }, { retries: 0 });
    expect(error).toBeUndefined();
    expect(got).toEqual(ids(0, 1_000).filter((id) => !(id >= 300 && id < 400) && !(id >= 700 && id < 800)));
    expect(report).toMatchObject({ stopReason: 'missing', missing: 200 });
    expect(report.gaps).toEqual([
      { offset: 300, limit: 100, error: expect.objectContaining({ status: 500 }) },
      { offset: 700, limit: 100, error: expect.objectContaining({ status: 500 }) },
    ]);
  });

  it('leaves a gap up to the total, and none past it', async () => {
    const { ids: got, report } = await pageThrough(
      (asked) => (asked.offset >= 200 ? 500 : wellBehaved(230)(asked)),
      { onPageError: 'gap' },
      { retries: 0 },
    );
    expect(got).toEqual(ids(0, 200));
    expect(report).toMatchObject({ stopReason: 'missing', missing: 30 });
    expect(report.gaps).toEqual([
      { offset: 200, limit: 30, error: expect.objectContaining({ status: 500 }) },
    ]);
  });

  it.each(['fail', 'gap'] as const)('just past the total does no harm: %s', async (onPageError) => {
    const {
      ids: got,
      error,
      report,
    } = await pageThrough((asked) => (asked.offset >= 200 ? 500 : wellBehaved(200)(asked)), { onPageError });
    expect(error).toBeUndefined();
    expect(got).toEqual(ids(0, 200));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0, gaps: [], notices: [] });
  });

  it('just past the total, together with the last record, leaves a doubt', async () => {
    const { ids: got, report } = await pageThrough((asked) =>
      asked.offset >= 199 ? 500 : wellBehaved(200)(asked),
    );
    expect(got).toEqual(ids(0, 200));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0 });
    expect(report.notices).toEqual([
      {
        kind: 'end-refused',
        message:
          'the page at offset 200, at the end of the result, failed; opac cannot confirm that all records were received',
      },
    ]);
  });

  it('just past a total that is too low ends paging as incomplete', async () => {
    const { ids: got, report } = await pageThrough(({ offset, limit }) =>
      offset >= 200
        ? 500
        : { opacObjects: records(offset, Math.min(450, offset + limit)), totalObjects: 200 },
    );
    expect(got).toEqual(ids(0, 200));
    expect(report.stopReason).toBe('failed');
  });

  it('past a total that is too low is a gap', async () => {
    const { report } = await pageThrough(
      ({ offset, limit }) =>
        offset >= 300 && offset < 400
          ? 500
          : { opacObjects: records(offset, Math.min(450, offset + limit)), totalObjects: 150 },
      { onPageError: 'gap' },
      { retries: 0 },
    );
    expect(report.gaps).toMatchObject([{ offset: 300, limit: 100 }]);
  });

  it('three times in a row is the end all the same', async () => {
    const { error } = await pageThrough(broken(300, 400, 500), { onPageError: 'gap' }, { retries: 0 });
    expect(error).toMatchObject({ kind: 'deployment' });
  });

  it('for want of credentials leaves no gap', async () => {
    const { error } = await pageThrough((asked) => (asked.offset === 300 ? 401 : wellBehaved(1_000)(asked)), {
      onPageError: 'gap',
    });
    expect(error).toMatchObject({ kind: 'auth' });
  });

  it('by being something else is asked for again, and then told', async () => {
    const { ids: got, pages } = await pageThrough((asked) =>
      asked.n === 1 ? { status: 'ok' } : wellBehaved(150)(asked),
    );
    expect(got).toEqual(ids(0, 150));
    expect(pages.map(({ retries }) => retries)).toEqual([0, 1]);
    const { error } = await pageThrough(() => ({ status: 'ok' }), {}, { retries: 0 });
    expect(error).toMatchObject({
      kind: 'deployment',
      message: expect.stringContaining('not a list of records: it contains "status"'),
    });
  });
});

describe('the prefetch queue', () => {
  it('fetches several pages at once and gives them in order', async () => {
    const third = gate();
    const { ids: got } = await pageThrough(wellBehaved(600), undefined, {
      wrapTransport: (send) => async (request) => {
        const offset = request.query?.find(([name]) => name === 'offset')?.[1];
        // The second page comes only after the third has come.
        if (offset === '100') await third.promise;
        const response = await send(request);
        if (offset === '200') third.resolve();
        return response;
      },
    });
    expect(got).toEqual(ids(0, 600));
  });

  it('fetches nothing beyond itself while nobody takes pages', async () => {
    const { client, asked } = await serveList(wellBehaved(5_000));
    const iterator = paginateEndpoint(client, 'objects.search', {}, { concurrency: 2 })[
      Symbol.asyncIterator
    ]();
    expect(asked).toHaveLength(0);
    await iterator.next();
    // A request sent after the last that prefetch allows would be counted before this one is answered.
    for (let n = 0; n < 3; n++) await fetchTotal(client, 'objects.search');
    expect(asked.filter(({ limit }) => limit > 0)).toHaveLength(5);
    await iterator.next();
    for (let n = 0; n < 3; n++) await fetchTotal(client, 'objects.search');
    expect(asked.filter(({ limit }) => limit > 0)).toHaveLength(6);
    await iterator.return?.();
  });

  it('ends with its user, and leaves no request behind', async () => {
    const { wrapTransport, underWay } = counting();
    const { client, asked } = await serveList(wellBehaved(5_000), { wrapTransport });
    const paging = paginateEndpoint(client, 'objects.search');
    for await (const page of paging) if (page.offset === 200) break;
    expect(paging.report.stopReason).toBe('stopped');
    expect(underWay()).toBe(0);
    expect(asked.length).toBeLessThanOrEqual(3 + 12);
  });
});

/** A layer that knows how many requests are under way. */
function counting() {
  let count = 0;
  const wrapTransport =
    (send: Send): Send =>
    (request) => {
      count++;
      return send(request).finally(() => {
        count--;
      });
    };
  return { wrapTransport, underWay: () => count };
}

describe('an abort', () => {
  it('ends paging at once with the reason given, and every request with it', async () => {
    const controller = new AbortController();
    const { wrapTransport, underWay } = counting();
    const answering: Answering = (next) => (next.offset < 300 ? wellBehaved(5_000)(next) : undefined);
    const { client } = await serveList(answering, { wrapTransport });
    const paging = paginateEndpoint(client, 'objects.search', { signal: controller.signal });
    const got: number[] = [];
    const paged = (async () => {
      for await (const page of paging) {
        got.push(page.offset);
        if (page.offset === 200) controller.abort(new Error('enough'));
      }
    })();
    await expect(paged).rejects.toThrow('enough');
    expect(got).toEqual([0, 100, 200]);
    expect(paging.report.stopReason).toBe('failed');
    expect(underWay()).toBe(0);
  });

  it('before the start asks for nothing', async () => {
    const { client, asked } = await serveList(wellBehaved(5));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(
      paginateEndpoint(client, 'objects.search', { signal })[Symbol.asyncIterator]().next(),
    ).rejects.toThrow('enough');
    expect(asked).toHaveLength(0);
  });

  it('does not make many listeners on one signal a warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const controller = new AbortController();
    const { client } = await serveList(wellBehaved(3_000), { concurrency: 20 });
    for await (const _ of paginateEndpoint(
      client,
      'objects.search',
      { signal: controller.signal },
      { concurrency: 20 },
    ));
    await new Promise(setImmediate);
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});

describe('countOf', () => {
  it('asks for the total alone', async () => {
    const { client, asked } = await serveList(({ limit }) => (limit === 0 ? { totalObjects: '1873' } : {}));
    expect(await fetchTotal(client, 'objects.search', { query: [['query', 'x']] })).toBe(1_873);
    expect(asked).toMatchObject([{ offset: 0, limit: 0 }]);
  });

  it('is undefined when the service does not say', async () => {
    const { client } = await serveList(() => []);
    expect(await fetchTotal(client, 'objects.search')).toBeUndefined();
  });
});

describe('a reader of bytes', () => {
  it('takes the place of the parser, and gives up to it what it does not understand', async () => {
    const { client } = await serveList(({ offset, limit, n }) =>
      n === 1 ? 'nonsense' : wellBehaved(250)({ offset, limit, n }),
    );
    const paging = paginateEndpoint(
      client,
      'objects.search',
      {},
      {
        read: ({ bytes }) => {
          const found = bytes.toString().match(/\d+(?=\})/g);
          return bytes.includes('opacObjects')
            ? { records: (found ?? []).slice(0, 100).map((id) => ({ id })), total: 250 }
            : undefined;
        },
      },
    );
    let count = 0;
    let retries = 0;
    for await (const page of paging) {
      count += page.records.length;
      retries += page.retries;
    }
    expect(count).toBeGreaterThanOrEqual(250);
    expect(retries).toBe(1);
  });
});

it('ends an endless list 2,000,000 records after its total, or after its begin without one', () => {
  for (const [offset, total] of [
    [0, 700],
    [0, undefined],
    [50, undefined],
  ] as const) {
    const report = new ReportWriter(100);
    const options = { offset, limit: Number.POSITIVE_INFINITY };
    const pages = new PageInterpreter(report, new PagePlanner(report, offset, options.limit), options);
    const interpret = (at: number) => {
      const records = [{ id: String(at) }];
      const plan = { offset: at, limit: 100, shouldFill: false, isProbe: true, isUnderfilled: false };
      return pages.interpretPage({ ...plan, records, total, bytes: Buffer.of(), retries: 0, elapsed: 0 });
    };
    expect(interpret(offset)).toMatchObject({ offset });
    const last = 2_000_000 + (total ?? offset);
    expect(interpret(last)).toMatchObject({ offset: last });
    expect(interpret(last + 1)).toBe('failed');
    expect(report.notices.at(-1)?.message).toContain('more than 2,000,000 records');
  }
});
