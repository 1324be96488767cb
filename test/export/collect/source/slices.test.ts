/** Exports through the window of a service that gives only so many records of a search. */
import { describe, expect, it } from 'vitest';
import { BEYOND_WINDOW } from '../../../../src/mock/faults/paging-faults.js';
import type { Fault } from '../../../../src/mock/index.js';
import { type ExportSetup, type ExportSetupOptions, withMuseum } from '../../export-setup.js';

const NDJSON = { format: 'ndjson', pageSize: 10, checkpointEvery: 60_000 } as const;

async function idsOf({ text }: ExportSetup, name: string): Promise<string[]> {
  const lines = (await text(name)).trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { opacObjectId: string }).opacObjectId);
}

/** The ids of the built-in museum's objects. */
let ids: Promise<string[]> | undefined;
function allIds(): Promise<string[]> {
  ids ??= new Promise((resolve, reject) => {
    withMuseum({}, async (setup) => {
      await setup.run('all', { format: 'ndjson' });
      resolve((await idsOf(setup, 'all')).sort());
    }).catch(reject);
  });
  return ids;
}

const WINDOW: Fault = { kind: 'window', size: 60 };

describe.each(BEYOND_WINDOW)('behind a window beyond which comes %s', (beyond) => {
  it('every record comes exactly once, in slices that fit', () =>
    withMuseum({ faults: [{ kind: 'window', size: 60, beyond }] }, async (setup) => {
      const { complete, manifest } = await setup.run('out', { ...NDJSON, window: 60 });
      expect(complete).toBe(true);
      expect((await idsOf(setup, 'out')).sort()).toEqual(await allIds());
      const { plan } = manifest;
      expect(plan).toMatchObject({ total: 163, window: 60, unreachable: [] });
      expect(plan?.slices.every(({ limit }) => limit <= 60)).toBe(true);
      expect(plan?.slices.reduce((sum, { records }) => sum + records, 0)).toBe(163);
    }));

  it('the window is found, and what came before it was met stays', () =>
    withMuseum({ faults: [{ kind: 'window', size: 60, beyond }] }, async (setup) => {
      const { complete, manifest } = await setup.run('out', NDJSON);
      expect([complete, manifest.plan?.window]).toEqual([true, 60]);
      expect((await idsOf(setup, 'out')).sort()).toEqual(await allIds());
    }));
});

describe('the order of a sliced export', () => {
  const OPTIONS: ExportSetupOptions = { format: 'csv', pageSize: 10, window: 60 };

  it.each([2, 9])('is that of the plan, also for a run that died after %i pages and was resumed', (deaths) =>
    withMuseum({ faults: [WINDOW] }, async ({ run, text }) => {
      await run('whole', OPTIONS);
      let pages = 0;
      const died = run('out', {
        ...OPTIONS,
        onProgress: () => {
          if (++pages === deaths) throw new Error('death');
        },
      });
      await expect(died).rejects.toThrow();
      const { complete, manifest } = await run('out', { ...OPTIONS, resume: true });
      expect([complete, manifest.resumed]).toEqual([true, 1]);
      expect(await text('out')).toBe(await text('whole'));
    }),
  );
});

describe('a service that does not help', () => {
  const ROWS: readonly [string, Fault][] = [
    ['counts facets wrongly', { kind: 'facet-counts-wrong', on: 'objects' }],
    ['has no facets', { kind: 'patched', drop: 'facetsCollection', on: 'objects' }],
    ['ignores filters by facet', { kind: 'facet-filter-ignored' }],
    ['does not sort', { kind: 'sort-ignored' }],
    ['has no stable order', { kind: 'shuffles' }],
  ];
  it.each(ROWS)('%s: all is got and proven', (_, fault) =>
    withMuseum({ faults: [WINDOW, fault] }, async (setup) => {
      const { complete, reasons } = await setup.run('out', { ...NDJSON, window: 60 });
      expect([complete, reasons]).toEqual([true, []]);
      expect((await idsOf(setup, 'out')).sort()).toEqual(await allIds());
    }),
  );

  it('understands no query: several orders together have all records', () =>
    withMuseum({ faults: [{ kind: 'window', size: 60 }, { kind: 'query-ignored' }] }, async (setup) => {
      const { complete, reasons } = await setup.run('out', { ...NDJSON, window: 60 });
      expect([complete, reasons]).toEqual([true, []]);
      expect((await idsOf(setup, 'out')).sort()).toEqual(await allIds());
    }));

  it('understands no query: what no order reaches is named', () =>
    withMuseum({ faults: [{ kind: 'window', size: 20 }, { kind: 'query-ignored' }] }, async (setup) => {
      const { complete, reasons, manifest } = await setup.run('out', { ...NDJSON, window: 20 });
      expect(complete).toBe(false);
      const missing = 163 - manifest.records;
      expect(reasons).toEqual([
        `${missing} records beyond the window are missing: no slice contains these records`,
      ]);
      expect(manifest.records).toBeGreaterThan(2 * 20);
      expect(new Set(await idsOf(setup, 'out.incomplete')).size).toBe(manifest.records);
    }));
});

describe.each(BEYOND_WINDOW)('a result that just fits a window beyond which comes %s', (beyondWindow) => {
  it('is read to its end, though the last page asked for more', () =>
    withMuseum({ faults: [{ kind: 'window', size: 163, beyond: beyondWindow }] }, async (setup) => {
      const { complete, reasons } = await setup.run('out', NDJSON);
      expect([complete, reasons]).toEqual([true, []]);
      expect((await idsOf(setup, 'out')).sort()).toEqual(await allIds());
    }));
});

describe('a service that moves while it is sliced', () => {
  it.each<[string, Fault]>([
    ['inserts', { kind: 'missing', records: 5, first: 12 }],
    ['deletes', { kind: 'missing', records: 1, after: 12 }],
  ])('%s: all that stays is got, and the movement is named', (_, fault) =>
    withMuseum({ faults: [WINDOW, fault] }, async (setup) => {
      const { complete, warnings, manifest } = await setup.run('out', { ...NDJSON, window: 60 });
      // This museum hides the first records of each slice, so that no listing can have all.
      const name = complete ? 'out' : 'out.incomplete';
      expect(new Set(await idsOf(setup, name)).size).toBe(manifest.records);
      // Where it moved while the plan was made, the counts of the slices say so.
      expect(warnings.join()).toMatch(/records moved between slices|the total changed/);
    }),
  );
});
