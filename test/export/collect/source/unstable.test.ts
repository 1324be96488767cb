import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../../src/mock/index.js';
import { type ExportSetup, withMuseum } from '../../export-setup.js';

async function readIds({ text }: ExportSetup, name: string): Promise<string[]> {
  return (await text(name)).trimEnd().split('\n');
}

describe('export from a service without a stable order', () => {
  it('contains every record once, and fetches skipped records by their ids', () =>
    withMuseum({ records: 130, faults: [{ kind: 'shuffles' }] }, async (setup) => {
      const outcome = await setup.run('out', { format: 'ids' });
      const ids = await readIds(setup, 'out');
      expect(new Set(ids).size).toBe(130);
      expect(ids).toHaveLength(130);
      expect(outcome).toMatchObject({ complete: true });
      expect(outcome.warnings.join('\n')).toMatch(/\d+ records fetched by id, 0 no longer listed/);
      expect(outcome.warnings.join('\n')).toMatch(/\d+ duplicate records dropped/);
    }));

  it('contains every record once after it is resumed', () =>
    withMuseum({ records: 130, faults: [{ kind: 'shuffles' }] }, async (setup) => {
      let pages = 0;
      const interrupted = setup.run('out', {
        format: 'ids',
        onProgress: () => {
          if (++pages === 4) throw new Error('death');
        },
      });
      await expect(interrupted).rejects.toThrow();
      const outcome = await setup.run('out', { format: 'ids', resume: true });
      const ids = await readIds(setup, 'out');
      expect(outcome).toMatchObject({ complete: true, reasons: [] });
      expect([new Set(ids).size, ids.length]).toEqual([130, 130]);
    }));
});

describe('export from a changing or faulty service', () => {
  it.each<[string, Fault]>([
    ['repeats', { kind: 'repeats', records: 3 }],
    ['inserts', { kind: 'missing', records: 5, first: 3 }],
    ['deletes', { kind: 'missing', records: 5, after: 3 }],
  ])('contains no id twice, and has consistent counts, if the service %s records', (what, fault) =>
    withMuseum({ records: 130, faults: [fault] }, async (setup) => {
      const outcome = await setup.run('out', { format: 'ids' });
      const ids = await readIds(setup, 'out');
      expect(new Set(ids).size).toBe(ids.length);
      const { manifest } = outcome;
      const { added = 0, dropped = 0 } = manifest.idCheck ?? {};
      expect(manifest.received).toBe(manifest.records + manifest.duplicates - added + dropped);
      if (what === 'repeats') expect(outcome).toMatchObject({ complete: true });
      else {
        expect(manifest.totals.drift).toHaveLength(2);
        expect(outcome.warnings.join('\n')).toContain('the total changed during the run');
        const strict = await setup.run('again', { format: 'ids', strict: true });
        expect(strict).toMatchObject({ complete: true, manifest: { idCheck: { isSettled: true } } });
      }
    }),
  );

  it.each([1, 2, 3, 4, 5, 6])(
    'contains the records that moved up after a deletion (after %i requests)',
    (after) =>
      withMuseum({ records: 130, faults: [{ kind: 'missing', records: 5, after }] }, async (setup) => {
        const outcome = await setup.run('out', { format: 'ids' });
        const ids = await readIds(setup, 'out');
        // The service listed the first five records when opac read them, but not at the end.
        expect([new Set(ids).size, ids.length]).toEqual([125, 125]);
        expect(outcome.complete).toBe(true);
        expect(outcome.warnings).toContainEqual(
          expect.stringMatching(
            /^the result changed during the export: \d+ records fetched by id, 5 no longer listed$/,
          ),
        );
      }),
  );

  it('contains the records that moved up before the offset of a resumed run', () =>
    withMuseum({ records: 130, faults: [{ kind: 'missing', records: 5, after: 3 }] }, async (setup) => {
      let pages = 0;
      const interrupted = setup.run('out', {
        format: 'ids',
        onProgress: () => {
          if (++pages === 6) throw new Error('death');
        },
      });
      await expect(interrupted).rejects.toThrow();
      const outcome = await setup.run('out', { format: 'ids', resume: true });
      const ids = await readIds(setup, 'out');
      expect(outcome).toMatchObject({ complete: true, reasons: [] });
      expect([new Set(ids).size, ids.length]).toEqual([125, 125]);
    }));

  it('reports no warnings if the service does not change', () =>
    withMuseum({ records: 130 }, async ({ run }) => {
      const outcome = await run('out', { format: 'ids', strict: true });
      expect(outcome).toMatchObject({ complete: true, reasons: [], warnings: [] });
    }));

  it('is incomplete if the service ignores the offset', () =>
    withMuseum({ records: 130, faults: [{ kind: 'offset-ignored' }] }, async ({ run }) => {
      const outcome = await run('out', { format: 'ids' });
      expect(outcome.complete).toBe(false);
      expect(outcome.reasons.join()).toContain('the service ignores the offset');
      expect(outcome.files[0]).toMatch(/out\.incomplete$/);
    }));

  it('is incomplete if the pages end early', () =>
    withMuseum({ records: 130, faults: [{ kind: 'ends-early', at: 60 }] }, async ({ run }) => {
      // Without a limit, opac would read the records in slices.
      const outcome = await run('out', { format: 'ids', limit: 129 });
      expect(outcome).toMatchObject({ complete: false });
      expect(outcome.reasons.join()).toContain('empty pages before the end of the list');
    }));
});
