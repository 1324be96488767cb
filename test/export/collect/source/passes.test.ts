/** Several passes over one result under one report. */
import { describe, expect, it } from 'vitest';
import { type PagingReport, ReportWriter } from '../../../../src/client/paging/report.js';
import { driftOf } from '../../../../src/export/collect/source/drift.js';
import { concatenatePasses } from '../../../../src/export/collect/source/passes.js';
import type { SourcePages } from '../../../../src/export/collect/source/record-source.js';

const reported = (change: Partial<ReportWriter>): PagingReport =>
  Object.assign(new ReportWriter(20), { stopReason: 'complete' }, change);

function pages(report: PagingReport, ...ids: (string | undefined)[]): SourcePages {
  async function* all() {
    const records = ids.map((id) => ({ id, bytes: Buffer.alloc(0), start: 0, end: 0 }));
    yield { offset: 0, received: ids.length, records, total: 9, retries: 0, elapsed: 1, next: ids.length };
  }
  return { report, [Symbol.asyncIterator]: all };
}

const NOTICE = { kind: 'second-pass', message: 'a second pass' } as const;

async function joined(first: PagingReport | undefined, second: PagingReport, isWhole: boolean, brought = 1) {
  const all = concatenatePasses(first && pages(first, 'a', undefined), async function* () {
    yield {
      pages: pages(second, 'b', undefined),
      next: (page) => page.next + 100,
      isWhole,
      brought: () => brought,
      notice: () => NOTICE,
    };
  });
  const seen: [number, (string | undefined)[]][] = [];
  for await (const { next, records } of all) seen.push([next, records.map(({ id }) => id)]);
  return { seen, report: all.report };
}

describe('passes that are joined', () => {
  it('have the pages of each, of a further one only records with an id', async () => {
    const { seen } = await joined(reported({}), reported({}), true);
    expect(seen).toEqual([
      [2, ['a', undefined]],
      [102, ['b']],
    ]);
    expect((await joined(undefined, reported({}), true)).seen).toEqual([[102, ['b']]]);
  });

  it('count what the further one brought, and no repeats', async () => {
    const gap = { offset: 1, limit: 2, error: undefined };
    const older = { kind: 'second-pass', message: 'an older pass' } as const;
    const capped = { kind: 'page-size-capped', message: 'a cap' } as const;
    const first = reported({
      firstTotal: 10,
      lastTotal: 10,
      totals: [{ offset: 0, total: 10 }],
      received: 9,
      distinct: 7,
      duplicates: 2,
      missing: 3,
      pages: [{ offset: 0, received: 9 }],
      gaps: [gap],
      notices: [older, capped],
      stopReason: 'missing',
    });
    const second = reported({
      pageSize: 50,
      firstTotal: 10,
      lastTotal: 11,
      totals: [
        { offset: 0, total: 10 },
        { offset: 5, total: 11 },
      ],
      received: 11,
      distinct: 2,
      pages: [{ offset: 0, received: 11 }],
      gaps: [{ ...gap, offset: 7 }],
    });
    const { report } = await joined(first, second, true, 2);
    expect(report).toMatchObject({
      firstTotal: 10,
      lastTotal: 11,
      totals: [
        { offset: 0, total: 10 },
        { offset: 5, total: 11 },
      ],
      received: 11,
      distinct: 9,
      duplicates: 2,
      missing: 1,
      pageSize: 50,
      pages: [
        { offset: 0, received: 9 },
        { offset: 0, received: 11 },
      ],
      gaps: [gap, { ...gap, offset: 7 }],
      notices: [capped, NOTICE],
      stopReason: 'missing',
    });
  });

  it.each<[string, Partial<ReportWriter>, Partial<ReportWriter>, boolean, string, number]>([
    ['a whole pass', { stopReason: 'early' }, {}, true, 'complete', 0],
    ['a whole pass that missed what is here', { missing: 1 }, { stopReason: 'missing' }, true, 'complete', 0],
    ['a whole pass that missed more', { missing: 2 }, { stopReason: 'missing' }, true, 'missing', 1],
    ['a whole pass that failed', {}, { stopReason: 'failed' }, true, 'failed', 0],
    [
      'a whole pass with a gap',
      {},
      { gaps: [{ offset: 0, limit: 1, error: undefined }] },
      true,
      'missing',
      0,
    ],
    ['another that brought the rest', { stopReason: 'missing', missing: 1 }, {}, false, 'complete', 0],
    ['another that brought a part', { stopReason: 'missing', missing: 2 }, {}, false, 'missing', 1],
    ['another after one that was whole', {}, { stopReason: 'early' }, false, 'complete', 0],
    ['another with a gap', {}, { gaps: [{ offset: 0, limit: 1, error: undefined }] }, false, 'missing', 0],
    [
      'another that brought the rest, after a gap',
      { stopReason: 'missing', missing: 1, gaps: [{ offset: 0, limit: 1, error: undefined }] },
      {},
      false,
      'missing',
      0,
    ],
    ['another that runs', {}, { stopReason: 'running' }, false, 'running', 0],
    ['another that failed', {}, { stopReason: 'failed' }, false, 'failed', 0],
    ['another that was stopped', {}, { stopReason: 'stopped' }, false, 'stopped', 0],
    [
      'one alone, as the first was of an earlier run',
      { stopReason: 'running' },
      { missing: 3 },
      true,
      'complete',
      2,
    ],
  ])('%s', async (_, before, after, isWhole, ending, missing) => {
    const { report } = await joined(reported(before), reported(after), isWhole);
    expect([report.stopReason, report.missing]).toEqual([ending, missing]);
  });
});

describe('the drift of a total', () => {
  const at = (...totals: number[]) => totals.map((total, n) => ({ offset: 20 * n, total }));
  it.each([
    ['of a first run is all it saw', [], at(5, 6), 9, at(5, 6)],
    ['is not told twice', at(5), at(5, 6), 9, [...at(5), { offset: 20, total: 6 }]],
    ['comes back', at(5, 6), at(6, 5), 9, [...at(5, 6), { offset: 20, total: 5 }]],
    ['goes on', at(5), at(7), 9, [...at(5), ...at(7)]],
    ['past the end says nothing', at(5), [{ offset: 5, total: 0 }], 0, at(5)],
    [
      'before the end does, also without records',
      at(5),
      [{ offset: 4, total: 0 }],
      0,
      [...at(5), { offset: 4, total: 0 }],
    ],
    ['without records of a first run does', [], at(0), 0, at(0)],
  ])('%s', (_, before, totals, received, drift) => {
    expect(driftOf(before, reported({ totals, received }))).toEqual(drift);
  });
});
