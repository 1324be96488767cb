/** One run of an export from a scripted source: checkpoints, progress, and the state of a resumed run. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ReportWriter } from '../../../src/client/paging/paging-report.js';
import type { RunOptions } from '../../../src/export/collect/export-run.js';
import type { RecordSource, ResumePoint } from '../../../src/export/collect/source/record-source.js';
import { createSlicePlan, createUnslicedPlan } from '../../../src/export/collect/source/slices/slice-plan.js';
import { exportRecords } from '../../../src/export/export-records.js';
import { readLines } from '../../../src/records/json/page-records.js';
import { OpacError } from '../../../src/service/errors.js';
import { withFolder } from '../export-setup.js';

interface PageScript {
  readonly ids: string;
  readonly duplicates?: number;
  readonly retries?: number;
  /** True if the page before this one is missing. */
  readonly isBehindGap?: boolean;
}

interface Scripted {
  readonly pages: readonly PageScript[];
  readonly error?: unknown;
  readonly notFound?: readonly string[];
  readonly plan?: ReturnType<typeof createSlicePlan>;
}

const FAILED = new OpacError('deployment', 'the service is down');
const PLAN = createUnslicedPlan(8, 9);

/** Returns a source with two records per page and a total of eight. */
function createSource({ pages, error, notFound, plan }: Scripted, resumePoints: ResumePoint[]) {
  const source: RecordSource = {
    pages(from) {
      resumePoints.push(from);
      const report = new ReportWriter(2);
      return {
        report,
        ...(notFound && { notFound: () => notFound }),
        ...(plan && { plan: () => plan }),
        async *[Symbol.asyncIterator]() {
          let offset = from.offset ?? 0;
          for (const { ids, duplicates = 0, retries = 0, isBehindGap = false } of pages) {
            if (isBehindGap) {
              report.gaps.push({ offset, limit: 2, error: FAILED });
              offset += 2;
            }
            const opacObjects = [...ids].map((id) => ({ opacObjectId: id }));
            const records =
              readLines(Buffer.from(JSON.stringify({ opacObjects })), 'objects', offset)?.records ?? [];
            for (const { id } of records) from.seen.add(id as string);
            report.addTotal(offset, 8);
            report.received += records.length + duplicates;
            report.distinct += records.length;
            report.duplicates += duplicates;
            const next = offset + 2;
            yield { offset, records, received: 2, total: 8, retries, elapsed: 1, next };
            offset = next;
          }
          if (error !== undefined) throw error;
          report.finish('complete', from.offset ?? 0);
        },
      };
    },
  };
  return source;
}

interface Saved {
  readonly next: number;
  readonly tally: { readonly written: number };
}

/** Runs one export per script. All runs except the first one are resumed. */
async function runExports(scripts: readonly Scripted[], options: Omit<RunOptions, 'source'> = {}) {
  const resumePoints: ResumePoint[] = [];
  const progressReports: unknown[] = [];
  const saved: (number | undefined)[] = [];
  const errors: unknown[] = [];
  let outcome: Awaited<ReturnType<typeof exportRecords>> | undefined;
  let text = '';
  let left: Saved | undefined;
  await withFolder(async (path, textOf) => {
    const checkpoint = (): Saved | undefined =>
      existsSync(path('o.ids.part.json'))
        ? JSON.parse(readFileSync(path('o.ids.part.json'), 'utf8'))
        : undefined;
    for (const [n, script] of scripts.entries()) {
      const run = exportRecords({
        formatOptions: { kind: 'objects', format: 'ids' },
        target: path('o.ids'),
        deployment: 'd',
        query: [],
        command: 'opac objects export -o o.ids',
        resume: n > 0,
        checkpointEvery: 0,
        source: createSource(script, resumePoints),
        onProgress: (progress) => {
          progressReports.push(progress);
          saved.push(checkpoint()?.tally.written);
        },
        ...options,
      });
      outcome = await run.catch((error) => void errors.push(error));
    }
    left = checkpoint();
    if (outcome) text = await textOf(outcome.complete ? 'o.ids' : 'o.incomplete.ids');
  });
  return { resumePoints, progressReports, saved, errors, outcome, text, left };
}

const ALL = [{ ids: 'ab' }, { ids: 'cd' }, { ids: 'ef' }, { ids: 'gh' }];

describe('export run', () => {
  it.each([
    ['after every page', 0, [undefined, 2, 4, 6]],
    ['after the first page, and then only after the interval', 60_000, [undefined, 2, 2, 2]],
  ])('writes a checkpoint %s', async (_, checkpointEvery, written) => {
    const { saved, outcome, text, left } = await runExports([{ pages: ALL }], { checkpointEvery });
    expect(saved).toEqual(written);
    expect([outcome?.complete, text, left]).toEqual([true, 'a\nb\nc\nd\ne\nf\ng\nh\n', undefined]);
    expect(outcome?.manifest).toMatchObject({ resumed: 0, notFound: [], gaps: [], received: 8 });
    expect(outcome?.manifest.plan).toBeUndefined();
  });

  it('reports its progress, and adds the retries of each page to the manifest', async () => {
    const pages = [
      { ids: 'ab', retries: 2 },
      { ids: 'c', duplicates: 1 },
      { ids: 'de', retries: 1 },
    ];
    const { progressReports, outcome } = await runExports([
      { pages: pages.slice(0, 2), error: FAILED },
      { pages: pages.slice(1) },
    ]);
    expect(progressReports).toEqual([
      { written: 2, total: 8 },
      { written: 3, total: 8 },
      { written: 4, total: 8 },
      { written: 6, total: 8 },
    ]);
    expect(outcome?.manifest.pages).toEqual([
      [0, 2, 2],
      [2, 2, 0],
      [4, 2, 0],
      [6, 2, 1],
    ]);
  });

  it.each([0, 60_000])('writes a checkpoint when it fails (interval: %i ms)', async (checkpointEvery) => {
    const { errors, left } = await runExports([{ pages: ALL.slice(0, 3), error: FAILED }], {
      checkpointEvery,
    });
    expect(left).toMatchObject({ next: 6, tally: { written: 6, received: 6 } });
    expect(errors).toMatchObject([
      {
        kind: 'incomplete',
        message: 'the service is down',
        hint: expect.stringMatching(/^6 records are in ".*o\.ids\.part"; resume with: .* --resume$/),
      },
    ]);
  });

  it.each([0, 60_000])(
    'keeps its checkpoint before a missing page (interval: %i ms)',
    async (checkpointEvery) => {
      const pages = [...ALL.slice(0, 2), { ids: 'ef', isBehindGap: true }, { ids: 'gh' }];
      const { outcome, text, left } = await runExports([{ pages }], { checkpointEvery });
      expect([outcome?.complete, text]).toEqual([false, 'a\nb\nc\nd\ne\nf\ng\nh\n']);
      expect(left).toMatchObject({ next: 4, tally: { written: 4 } });
      expect(outcome?.manifest.gaps).toMatchObject([{ offset: 4, limit: 2 }]);
    },
  );

  it('writes no checkpoint without a page', async () => {
    const { errors, left } = await runExports([{ pages: [], error: FAILED }]);
    expect([errors, left]).toEqual([[FAILED], undefined]);
  });
});

describe('resumed export run', () => {
  it('continues with the counts, ids, plan and missing ids of the earlier run', async () => {
    const first = { pages: [{ ids: 'ab', duplicates: 3 }], notFound: ['x'], plan: PLAN, error: FAILED };
    const second = { pages: ALL.slice(1), notFound: ['y', 'z'] };
    const { resumePoints, outcome, text } = await runExports([first, second]);
    const [begun, resumed] = resumePoints as [ResumePoint, ResumePoint];
    expect(begun).toMatchObject({ offset: undefined, delivered: 0 });
    expect([begun.plan, resumed.plan]).toEqual([undefined, PLAN]);
    expect(resumed).toMatchObject({
      offset: 2,
      delivered: 2,
    });
    expect(['a', 'b', 'new'].map((id) => resumed.seen.add(id))).toEqual([false, false, true]);
    expect(text).toBe('a\nb\nc\nd\ne\nf\ng\nh\n');
    expect(outcome?.manifest).toMatchObject({
      resumed: 1,
      received: 11,
      records: 8,
      duplicates: 3,
      notFound: ['x', 'y', 'z'],
      plan: PLAN,
    });
  });

  it('keeps the state of earlier runs even if it fails before the first page', async () => {
    const first = { pages: ALL.slice(0, 1), notFound: ['x'], plan: PLAN, error: FAILED };
    const { outcome, text } = await runExports([
      first,
      { pages: [], error: FAILED },
      { pages: ALL.slice(1) },
    ]);
    expect(text).toBe('a\nb\nc\nd\ne\nf\ng\nh\n');
    expect(outcome?.manifest).toMatchObject({ resumed: 2, received: 8, notFound: ['x'], plan: PLAN });
  });

  it('prefers the plan of its own source', async () => {
    const other = createSlicePlan({ total: 8, window: 4, slices: [], unreachable: [] });
    const { outcome } = await runExports([
      { pages: ALL.slice(0, 1), plan: PLAN, error: FAILED },
      { pages: ALL.slice(1), plan: other },
    ]);
    expect(outcome?.manifest.plan).toEqual(other);
  });

  it('has a start time before its end time, and the number of earlier runs', async () => {
    const failing = { pages: ALL.slice(0, 1), error: FAILED };
    const begun = new Date().toISOString();
    const { outcome } = await runExports([
      failing,
      { pages: ALL.slice(1, 2), error: FAILED },
      { pages: ALL.slice(2) },
    ]);
    const { started = '', finished = '', resumed, elapsed } = outcome?.manifest ?? {};
    expect([begun <= started, started <= finished, resumed]).toEqual([true, true, 2]);
    expect(elapsed).toBeGreaterThanOrEqual(0);
  });
});
