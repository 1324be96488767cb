/** Exports from a service with a window: it returns only a limited number of records per search. */
import { describe, expect, it } from 'vitest';
import { BEYOND_WINDOW } from '../../../../src/mock/faults/paging-faults.js';
import type { Fault } from '../../../../src/mock/index.js';
import { type ExportSetup, type ExportSetupOptions, withMuseum } from '../../export-setup.js';

const NDJSON = { format: 'ndjson', pageSize: 10, checkpointEvery: 60_000 } as const;

async function readIds({ text }: ExportSetup, name: string): Promise<string[]> {
  const lines = (await text(name)).trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { opacObjectId: string }).opacObjectId);
}

/** The ids of the built-in museum's objects. */
let ids: Promise<string[]> | undefined;
function readAllIds(): Promise<string[]> {
  ids ??= new Promise((resolve, reject) => {
    withMuseum({}, async (setup) => {
      await setup.run('all', { format: 'ndjson' });
      resolve((await readIds(setup, 'all')).sort());
    }).catch(reject);
  });
  return ids;
}

const WINDOW: Fault = { kind: 'window', size: 60 };

describe.each(BEYOND_WINDOW)('export from a service with a window (response beyond it: %s)', (beyond) => {
  it('contains every record once, in slices that fit', () =>
    withMuseum({ faults: [{ kind: 'window', size: 60, beyond }] }, async (setup) => {
      const { complete, manifest } = await setup.run('out', { ...NDJSON, window: 60 });
      expect(complete).toBe(true);
      expect((await readIds(setup, 'out')).sort()).toEqual(await readAllIds());
      const { plan } = manifest;
      expect(plan).toMatchObject({ total: 163, window: 60, unreachable: [] });
      expect(plan?.slices.every(({ limit }) => limit <= 60)).toBe(true);
      expect(plan?.slices.reduce((sum, { records }) => sum + records, 0)).toBe(163);
    }));

  it('finds the window, and contains every record once', () =>
    withMuseum({ faults: [{ kind: 'window', size: 60, beyond }] }, async (setup) => {
      const { complete, manifest } = await setup.run('out', NDJSON);
      expect([complete, manifest.plan?.window]).toEqual([true, 60]);
      expect((await readIds(setup, 'out')).sort()).toEqual(await readAllIds());
    }));
});

describe('sliced export', () => {
  const OPTIONS: ExportSetupOptions = { format: 'csv', pageSize: 10, window: 60 };

  it.each([2, 9])('has the same order if it was interrupted after %i pages and resumed', (stopAfter) =>
    withMuseum({ faults: [WINDOW] }, async ({ run, text }) => {
      await run('whole', OPTIONS);
      let pages = 0;
      const interrupted = run('out', {
        ...OPTIONS,
        onProgress: () => {
          if (++pages === stopAfter) throw new Error('death');
        },
      });
      await expect(interrupted).rejects.toThrow();
      const { complete, manifest } = await run('out', { ...OPTIONS, resume: true });
      expect([complete, manifest.resumed]).toEqual([true, 1]);
      expect(await text('out')).toBe(await text('whole'));
    }),
  );
});

describe('sliced export from a limited service', () => {
  const ROWS: readonly [string, Fault][] = [
    ['counts facets wrongly', { kind: 'facet-counts-wrong', on: 'objects' }],
    ['has no facets', { kind: 'patched', drop: 'facetsCollection', on: 'objects' }],
    ['ignores filters by facet', { kind: 'facet-filter-ignored' }],
    ['does not sort', { kind: 'sort-ignored' }],
    ['has no stable order', { kind: 'shuffles' }],
  ];
  it.each(ROWS)('is complete if the service %s', (_, fault) =>
    withMuseum({ faults: [WINDOW, fault] }, async (setup) => {
      const { complete, reasons } = await setup.run('out', { ...NDJSON, window: 60 });
      expect([complete, reasons]).toEqual([true, []]);
      expect((await readIds(setup, 'out')).sort()).toEqual(await readAllIds());
    }),
  );

  it('is complete with several sort orders if the service ignores queries', () =>
    withMuseum({ faults: [{ kind: 'window', size: 60 }, { kind: 'query-ignored' }] }, async (setup) => {
      const { complete, reasons } = await setup.run('out', { ...NDJSON, window: 60 });
      expect([complete, reasons]).toEqual([true, []]);
      expect((await readIds(setup, 'out')).sort()).toEqual(await readAllIds());
    }));

  it('reports records that no sort order reaches if the service ignores queries', () =>
    withMuseum({ faults: [{ kind: 'window', size: 20 }, { kind: 'query-ignored' }] }, async (setup) => {
      const { complete, reasons, manifest } = await setup.run('out', { ...NDJSON, window: 20 });
      expect(complete).toBe(false);
      const missing = 163 - manifest.records;
      expect(reasons).toEqual([
        `${missing} records beyond the window are missing: no slice contains these records`,
      ]);
      expect(manifest.records).toBeGreaterThan(2 * 20);
      expect(new Set(await readIds(setup, 'out.incomplete')).size).toBe(manifest.records);
    }));
});

describe.each(BEYOND_WINDOW)(
  'export with as many records as the window (response beyond it: %s)',
  (beyondWindow) => {
    it('is complete although the last page extends beyond the window', () =>
      withMuseum({ faults: [{ kind: 'window', size: 163, beyond: beyondWindow }] }, async (setup) => {
        const { complete, reasons } = await setup.run('out', NDJSON);
        expect([complete, reasons]).toEqual([true, []]);
        expect((await readIds(setup, 'out')).sort()).toEqual(await readAllIds());
      }));
  },
);

describe('sliced export from a changing service', () => {
  it.each<[string, Fault]>([
    ['inserts', { kind: 'missing', records: 5, first: 12 }],
    ['deletes', { kind: 'missing', records: 1, after: 12 }],
  ])('reports the change and contains no id twice if the service %s records', (_, fault) =>
    withMuseum({ faults: [WINDOW, fault] }, async (setup) => {
      const { complete, warnings, manifest } = await setup.run('out', { ...NDJSON, window: 60 });
      // This museum hides the first records of each slice, so no list contains all records.
      const name = complete ? 'out' : 'out.incomplete';
      expect(new Set(await readIds(setup, name)).size).toBe(manifest.records);
      // If the records changed while opac planned, the counts of the slices show it.
      expect(warnings.join()).toMatch(/records moved between slices|the total changed/);
    }),
  );
});
