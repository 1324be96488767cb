import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Send } from '../../../src/client/http-request.js';
import { PageInterpreter } from '../../../src/client/paging/page-interpreter.js';
import { PagePlanner } from '../../../src/client/paging/page-planner.js';
import { fetchTotal, paginateEndpoint } from '../../../src/client/paging/pages.js';
import { ReportWriter } from '../../../src/client/paging/paging-report.js';
import { createSeenIds } from '../../../src/client/paging/seen-ids.js';
import { createGate } from '../server.js';
import { createResponder, ids, pageThrough, type Responder, records, serveList } from './list-server.js';

describe('a service that pages correctly', () => {
  it.each([0, 1, 99, 100, 101, 250, 1_234])(
    'returns each of %i records once, in order and without a notice',
    async (count) => {
      const { ids: got, report, error } = await pageThrough(createResponder(count));
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

  it('receives one request for each page, and one for the empty page at the end', async () => {
    const { requests, pages } = await pageThrough(createResponder(250));
    const offsets = requests.map(({ offset }) => offset).sort((a, b) => a - b);
    expect(offsets).toEqual([0, 100, 200, 300]);
    expect(pages.map(({ offset, received, total, retries }) => [offset, received, total, retries])).toEqual([
      [0, 100, 250, 0],
      [100, 100, 250, 0],
      [200, 50, 250, 0],
    ]);
  });

  it('may return no list or an empty object at the end', async () => {
    const without: Responder = (request) =>
      request.offset < 200 ? createResponder(200)(request) : request.n % 2 ? { totalObjects: 0 } : {};
    const { ids: got, report } = await pageThrough(without);
    expect(got).toEqual(ids(0, 200));
    expect(report).toMatchObject({ stopReason: 'complete', notices: [] });
  });

  it('may return no total, which is reported', async () => {
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

  it('returns the right records for any total, offset, limit, page size and cap', async () => {
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
          const respond = createResponder(count, cap);
          const { ids: got, report } = await pageThrough((request) => {
            const { totalObjects, ...rest } = respond(request) as { totalObjects: number };
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
  it('select exactly these records, without further requests', async () => {
    const {
      ids: got,
      requests,
      report,
    } = await pageThrough(createResponder(1_000), { offset: 30, limit: 250 });
    expect(got).toEqual(ids(30, 280));
    expect(requests.map(({ offset, limit }) => [offset, limit])).toEqual([
      [30, 100],
      [130, 100],
      [230, 50],
    ]);
    expect(report.stopReason).toBe('limit');
  });

  it('need no request for an empty page if the limit is above the total', async () => {
    const { ids: got, requests, report } = await pageThrough(createResponder(12), { limit: 20 });
    expect(got).toEqual(ids(0, 12));
    expect(requests).toHaveLength(1);
    expect(report.stopReason).toBe('complete');
  });

  it('need no request if the limit is 0', async () => {
    const { requests, report } = await pageThrough(createResponder(12), { limit: 0 });
    expect([requests.length, report.stopReason]).toEqual([0, 'limit']);
  });

  it('return the complete number of records although some are duplicates', async () => {
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

describe('a maximum page size of the service', () => {
  it('is detected and reported, and no record is lost', async () => {
    const { ids: got, requests, report } = await pageThrough(createResponder(730, 100), { pageSize: 250 });
    expect(got).toEqual(ids(0, 730));
    expect(report).toMatchObject({ stopReason: 'complete', pageSize: 100, duplicates: 0 });
    expect(report.notices).toEqual([
      {
        kind: 'page-size-capped',
        message: 'the service returns at most 100 records in a page, not the 250 requested',
      },
    ]);
    expect(requests.slice(0, 4).map(({ offset, limit }) => [offset, limit])).toEqual([
      [0, 250],
      [100, 250],
      [200, 100],
      [300, 100],
    ]);
  });

  it('is not assumed only because the first page is short', async () => {
    const { ids: got, report } = await pageThrough((request) =>
      request.n === 0 ? createResponder(500, 3)(request) : createResponder(500)(request),
    );
    expect(got).toEqual(ids(0, 500));
    expect(report.pages.length).toBeLessThan(8);
  });

  it('may decrease during the run without a lost record', async () => {
    const { ids: got, report } = await pageThrough((request) =>
      createResponder(500, request.n < 3 ? 100 : 30)(request),
    );
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', duplicates: 0 });
  });

  it('may also apply to the total, and no record is lost', async () => {
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
  it('is completed with a further request, and does not end the list', async () => {
    const { ids: got, report } = await pageThrough((request) =>
      request.offset === 200 && request.limit === 100
        ? createResponder(500, 10)(request)
        : createResponder(500)(request),
    );
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', duplicates: 0, missing: 0 });
  });

  it('is completed with records without ids, and with records that include duplicates', async () => {
    const { report: nameless } = await pageThrough(
      (request) => ({
        opacObjects: ids(request.offset, request.offset + (request.offset === 200 ? 10 : request.limit)).map(
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

  it('is reported if the service omits records, and no duplicates are counted', async () => {
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

describe('the end of a list whose total is wrong', () => {
  it('is found after a total that is too low', async () => {
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

  it('is found after a total that is too low if the service only repeats records', async () => {
    const { ids: got, report } = await pageThrough(({ offset, limit }) => ({
      opacObjects: offset < 500 ? records(offset, offset + limit) : records(400, 500),
      totalObjects: 300,
    }));
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0 });
    expect(report.notices.map(({ kind }) => kind)).toEqual(['total-too-low', 'repeats-past-end']);
  });

  it('is early if the last requested page stays empty', async () => {
    const { ids: got, report } = await pageThrough(
      (request) =>
        request.offset === 200 ? { opacObjects: [], totalObjects: 500 } : createResponder(500)(request),
      { limit: 300 },
    );
    expect(got).toEqual(ids(0, 200));
    expect(report.stopReason).toBe('early');
  });

  it('is early only after a second request for the empty page and requests after it', async () => {
    const {
      ids: got,
      requests,
      report,
    } = await pageThrough(({ offset, limit }) => ({
      opacObjects: records(offset, Math.min(230, offset + limit)),
      totalObjects: 100_000,
    }));
    expect(got).toEqual(ids(0, 230));
    expect(report).toMatchObject({ stopReason: 'early', missing: 99_770, lastTotal: 100_000 });
    expect(requests.filter(({ offset }) => offset === 300)).toHaveLength(2);
    expect(requests.length).toBeLessThan(40);
  });

  it('is not at a page that is empty only for some requests', async () => {
    const { ids: got, report } = await pageThrough((request) =>
      request.offset === 200 && request.n < 4 ? { totalObjects: 0 } : createResponder(500)(request),
    );
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', notices: [] });
  });

  it('is not at a page that stays empty, which is a gap', async () => {
    const { ids: got, report } = await pageThrough((request) =>
      request.offset === 200 ? { opacObjects: [], totalObjects: 500 } : createResponder(500)(request),
    );
    expect(got).toEqual([...ids(0, 200), ...ids(300, 500)]);
    expect(report).toMatchObject({
      stopReason: 'missing',
      missing: 100,
      gaps: [{ offset: 200, limit: 100, error: undefined }],
    });
  });

  it('is complete if the total has decreased to the received records', async () => {
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
  it('is detected after a few requests', async () => {
    const {
      ids: got,
      requests,
      report,
    } = await pageThrough(() => ({ opacObjects: records(0, 100), totalObjects: 500 }));
    expect(got).toEqual(ids(0, 100));
    expect(report).toMatchObject({ stopReason: 'offset-ignored', missing: 400 });
    expect(requests.length).toBeLessThan(15);
  });

  it('is detected without ids and without a total', async () => {
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
  ])('gives a complete result if it returns all records at once: %s', async (_, respond) => {
    const { ids: got, report } = await pageThrough(respond);
    expect(got).toEqual(ids(0, got.length));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0, duplicates: 0 });
    const kinds = report.notices.map(({ kind }) => kind).filter((kind) => kind !== 'no-total');
    expect(kinds).toEqual(['repeats-past-end']);
  });

  it('gives a complete result if it only repeats the last page after the end', async () => {
    const { ids: got, report } = await pageThrough(({ offset, limit }) =>
      createResponder(250)({ offset: Math.min(offset, 200), limit, n: 0 }),
    );
    expect(got).toEqual(ids(0, 250));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0, duplicates: 0, received: 250 });
  });

  it('is not assumed if one record occurs twice in a row', async () => {
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

describe('duplicate records', () => {
  it('are counted and removed, and the records that they replace are missing', async () => {
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

  it('are also found by the ids in "seen"', async () => {
    const seen = createSeenIds();
    for (const id of ids(0, 150)) seen.add(String(id));
    const { ids: got, report } = await pageThrough(createResponder(300), { seen });
    expect(got).toEqual(ids(150, 300));
    expect(report.duplicates).toBe(150);
  });

  it('are kept if they have no id', async () => {
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
    'are not assumed in different pages of records without ids (total %s)',
    async (totalObjects) => {
      const { pages, report } = await pageThrough((request) => ({
        opacObjects: ids(request.offset, Math.min(250, request.offset + request.limit)).map((term) => ({
          term,
        })),
        totalObjects,
      }));
      expect(pages.map(({ records }) => records.length)).toEqual([100, 100, 50]);
      expect(report).toMatchObject({ stopReason: 'complete', withoutId: 250, missing: 0 });
      expect(report.notices.map(({ kind }) => kind)).toEqual(totalObjects ? [] : ['no-total']);
    },
  );
});

describe('more records than requested', () => {
  it('are kept', async () => {
    const { ids: got, report } = await pageThrough(({ offset }) => ({
      opacObjects: records(offset, Math.min(500, offset + 120)),
      totalObjects: 500,
    }));
    expect(got).toEqual(ids(0, 500));
    expect(report).toMatchObject({ stopReason: 'complete', pageSize: 120, duplicates: 0 });
  });

  it('are cut off at the limit', async () => {
    const { ids: got } = await pageThrough(() => ({ opacObjects: records(0, 120), totalObjects: 500 }), {
      limit: 20,
    });
    expect(got).toEqual(ids(0, 20));
  });
});

describe('a list that changes during the run', () => {
  /** Responds with the records `before`, and from request number `at` with the records `after`. */
  const createChangingResponder =
    (before: number[], at: number, after: number[]): Responder =>
    ({ offset, limit, n }) => {
      const now = n < at ? before : after;
      return {
        opacObjects: now.slice(offset, offset + limit).map((opacObjectId) => ({ opacObjectId })),
        totalObjects: now.length,
      };
    };

  it('contains duplicates if records were added at its start, and these are removed', async () => {
    const { ids: got, report } = await pageThrough(
      createChangingResponder(ids(0, 500), 2, [...ids(900, 910), ...ids(0, 500)]),
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

  it('lacks records if some were removed from its start, and this risk is reported', async () => {
    const { ids: got, report } = await pageThrough(createChangingResponder(ids(0, 500), 2, ids(10, 500)), {
      concurrency: 1,
    });
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

  it('is read to its new end if records were added there', async () => {
    const { ids: got, report } = await pageThrough(createChangingResponder(ids(0, 300), 2, ids(0, 777)));
    expect(got).toEqual(ids(0, 777));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0, lastTotal: 777 });
  });
});

describe('a service that refuses large offsets', () => {
  const createWindowResponder =
    (count: number): Responder =>
    (request) =>
      request.offset + request.limit > 10_000 ? 400 : createResponder(count, 1_000)(request);

  it('ends paging as incomplete, with a hint to split the search', async () => {
    const { ids: got, error, report } = await pageThrough(createWindowResponder(25_000), { pageSize: 1_000 });
    expect(got).toEqual(ids(0, 10_000));
    expect(error).toMatchObject({
      kind: 'incomplete',
      message: expect.stringContaining('refuses pages after record 10,000 of 25,000'),
      hint: expect.stringContaining('smaller searches'),
    });
    expect(report).toMatchObject({ stopReason: 'refused', missing: 15_000 });
  });

  it('causes a notice that a total of 10,000, but not of 9,950, may be a limit', async () => {
    for (const options of [{ pageSize: 1_000 }, { pageSize: 1_000, window: 10_000 }]) {
      const { ids: got, error, report } = await pageThrough(createWindowResponder(10_000), options);
      expect(error).toBeUndefined();
      expect(got).toHaveLength(10_000);
      expect(report).toMatchObject({
        stopReason: 'failed',
        notices: [{ kind: 'end-refused', message: expect.stringContaining('the total may be a limit') }],
      });
    }
    const { report } = await pageThrough(createWindowResponder(9_950), { pageSize: 1_000, window: 10_000 });
    expect(report).toMatchObject({ stopReason: 'complete', notices: [] });
  });

  it('causes a usage error if it refuses the first page', async () => {
    const { error } = await pageThrough(() => 400);
    expect(error).toMatchObject({ kind: 'usage', status: 400 });
  });
});

describe('a page that fails after all retries', () => {
  const createFailingResponder =
    (...offsets: number[]): Responder =>
    (request) =>
      offsets.includes(request.offset) ? 500 : createResponder(1_000)(request);

  it('ends paging after the pages before it', async () => {
    const { ids: got, error, report } = await pageThrough(createFailingResponder(300), {}, { retries: 1 });
    expect(got).toEqual(ids(0, 300));
    expect(error).toMatchObject({ kind: 'deployment', status: 500, retries: 1 });
    expect(report).toMatchObject({ stopReason: 'failed', missing: 700 });
  });

  it('leaves a gap with onPageError "gap"', async () => {
    const {
      ids: got,
      error,
      report,
    } = await pageThrough(createFailingResponder(300, 700), { onPageError: 'gap' }, { retries: 0 });
    expect(error).toBeUndefined();
    expect(got).toEqual(ids(0, 1_000).filter((id) => !(id >= 300 && id < 400) && !(id >= 700 && id < 800)));
    expect(report).toMatchObject({ stopReason: 'missing', missing: 200 });
    expect(report.gaps).toEqual([
      { offset: 300, limit: 100, error: expect.objectContaining({ status: 500 }) },
      { offset: 700, limit: 100, error: expect.objectContaining({ status: 500 }) },
    ]);
  });

  it('leaves a gap up to the total, and none after it', async () => {
    const { ids: got, report } = await pageThrough(
      (request) => (request.offset >= 200 ? 500 : createResponder(230)(request)),
      { onPageError: 'gap' },
      { retries: 0 },
    );
    expect(got).toEqual(ids(0, 200));
    expect(report).toMatchObject({ stopReason: 'missing', missing: 30 });
    expect(report.gaps).toEqual([
      { offset: 200, limit: 30, error: expect.objectContaining({ status: 500 }) },
    ]);
  });

  it.each(['fail', 'gap'] as const)('is ignored directly after the total: %s', async (onPageError) => {
    const {
      ids: got,
      error,
      report,
    } = await pageThrough((request) => (request.offset >= 200 ? 500 : createResponder(200)(request)), {
      onPageError,
    });
    expect(error).toBeUndefined();
    expect(got).toEqual(ids(0, 200));
    expect(report).toMatchObject({ stopReason: 'complete', missing: 0, gaps: [], notices: [] });
  });

  it('causes a notice after the total if the last record also cannot be requested again', async () => {
    const { ids: got, report } = await pageThrough((request) =>
      request.offset >= 199 ? 500 : createResponder(200)(request),
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

  it('ends paging as failed directly after a total that is too low', async () => {
    const { ids: got, report } = await pageThrough(({ offset, limit }) =>
      offset >= 200
        ? 500
        : { opacObjects: records(offset, Math.min(450, offset + limit)), totalObjects: 200 },
    );
    expect(got).toEqual(ids(0, 200));
    expect(report.stopReason).toBe('failed');
  });

  it('is a gap after a total that is too low', async () => {
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

  it('ends paging with onPageError "gap" if it is the third in a row', async () => {
    const { error } = await pageThrough(
      createFailingResponder(300, 400, 500),
      { onPageError: 'gap' },
      { retries: 0 },
    );
    expect(error).toMatchObject({ kind: 'deployment' });
  });

  it('ends paging without a gap after a 401', async () => {
    const { error } = await pageThrough(
      (request) => (request.offset === 300 ? 401 : createResponder(1_000)(request)),
      {
        onPageError: 'gap',
      },
    );
    expect(error).toMatchObject({ kind: 'auth' });
  });

  it('is requested again if it is not a list, and then causes an error', async () => {
    const { ids: got, pages } = await pageThrough((request) =>
      request.n === 1 ? { status: 'ok' } : createResponder(150)(request),
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

describe('prefetching', () => {
  it('requests several pages at once, and returns them in order', async () => {
    const third = createGate();
    const { ids: got } = await pageThrough(createResponder(600), undefined, {
      wrapTransport: (send) => async (request) => {
        const offset = request.query?.find(([name]) => name === 'offset')?.[1];
        // The second page is requested only after the third has arrived.
        if (offset === '100') await third.promise;
        const response = await send(request);
        if (offset === '200') third.resolve();
        return response;
      },
    });
    expect(got).toEqual(ids(0, 600));
  });

  it('requests only a limited number of pages while the caller takes none', async () => {
    const { client, requests } = await serveList(createResponder(5_000));
    const iterator = paginateEndpoint(client, 'objects.search', {}, { concurrency: 2 })[
      Symbol.asyncIterator
    ]();
    expect(requests).toHaveLength(0);
    await iterator.next();
    // A further page request would reach the server before these requests end.
    for (let n = 0; n < 3; n++) await fetchTotal(client, 'objects.search');
    expect(requests.filter(({ limit }) => limit > 0)).toHaveLength(5);
    await iterator.next();
    for (let n = 0; n < 3; n++) await fetchTotal(client, 'objects.search');
    expect(requests.filter(({ limit }) => limit > 0)).toHaveLength(6);
    await iterator.return?.();
  });

  it('ends all requests when the caller stops', async () => {
    const { wrapTransport, countRunning } = createCountingLayer();
    const { client, requests } = await serveList(createResponder(5_000), { wrapTransport });
    const paging = paginateEndpoint(client, 'objects.search');
    for await (const page of paging) if (page.offset === 200) break;
    expect(paging.report.stopReason).toBe('stopped');
    expect(countRunning()).toBe(0);
    expect(requests.length).toBeLessThanOrEqual(3 + 12);
  });
});

/** Creates a layer that counts the running requests. */
function createCountingLayer() {
  let count = 0;
  const wrapTransport =
    (send: Send): Send =>
    (request) => {
      count++;
      return send(request).finally(() => {
        count--;
      });
    };
  return { wrapTransport, countRunning: () => count };
}

describe('an abort', () => {
  it('ends paging and all requests at once, with its reason', async () => {
    const controller = new AbortController();
    const { wrapTransport, countRunning } = createCountingLayer();
    const respond: Responder = (next) => (next.offset < 300 ? createResponder(5_000)(next) : undefined);
    const { client } = await serveList(respond, { wrapTransport });
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
    expect(countRunning()).toBe(0);
  });

  it('prevents all requests if it happens before the start', async () => {
    const { client, requests } = await serveList(createResponder(5));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(
      paginateEndpoint(client, 'objects.search', { signal })[Symbol.asyncIterator]().next(),
    ).rejects.toThrow('enough');
    expect(requests).toHaveLength(0);
  });

  it('may have many listeners on its signal without a warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const controller = new AbortController();
    const { client } = await serveList(createResponder(3_000), { concurrency: 20 });
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

describe('fetchTotal', () => {
  it('requests only the total', async () => {
    const { client, requests } = await serveList(({ limit }) =>
      limit === 0 ? { totalObjects: '1873' } : {},
    );
    expect(await fetchTotal(client, 'objects.search', { query: [['query', 'x']] })).toBe(1_873);
    expect(requests).toMatchObject([{ offset: 0, limit: 0 }]);
  });

  it('returns undefined if the service returns no total', async () => {
    const { client } = await serveList(() => []);
    expect(await fetchTotal(client, 'objects.search')).toBeUndefined();
  });
});

describe('the option "read"', () => {
  it('replaces the parser, except for responses that it does not understand', async () => {
    const { client } = await serveList(({ offset, limit, n }) =>
      n === 1 ? 'nonsense' : createResponder(250)({ offset, limit, n }),
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

it('ends an endless list 2,000,000 records after its total, or after the offset without one', () => {
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
