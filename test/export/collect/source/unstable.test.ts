import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../../src/mock/index.js';
import { type ExportSetup, withMuseum } from '../../export-setup.js';

async function idsOf({ text }: ExportSetup, name: string): Promise<string[]> {
  return (await text(name)).trimEnd().split('\n');
}

describe('a service whose order is not stable', () => {
  it('gives every record once: those that were missed are fetched by their ids', () =>
    withMuseum({ records: 130, faults: [{ kind: 'shuffles' }] }, async (setup) => {
      const outcome = await setup.run('out', { format: 'ids' });
      const ids = await idsOf(setup, 'out');
      expect(new Set(ids).size).toBe(130);
      expect(ids).toHaveLength(130);
      expect(outcome).toMatchObject({ complete: true });
      expect(outcome.warnings.join('\n')).toMatch(/\d+ records fetched by id, 0 no longer listed/);
      expect(outcome.warnings.join('\n')).toMatch(/\d+ duplicate records dropped/);
    }));

  it('gives the rest when it is resumed', () =>
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
      const ids = await idsOf(setup, 'out');
      expect(outcome).toMatchObject({ complete: true, reasons: [] });
      expect([new Set(ids).size, ids.length]).toEqual([130, 130]);
    }));
});

describe('a service that changes while it is read', () => {
  it.each<[string, Fault]>([
    ['repeats', { kind: 'repeats', records: 3 }],
    ['inserts', { kind: 'missing', records: 5, first: 3 }],
    ['deletes', { kind: 'missing', records: 5, after: 3 }],
  ])('%s: no id comes twice, and what moved is named', (what, fault) =>
    withMuseum({ records: 130, faults: [fault] }, async (setup) => {
      const outcome = await setup.run('out', { format: 'ids' });
      const ids = await idsOf(setup, 'out');
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
    'deletes after %i requests: what moved up past a page is got all the same',
    (after) =>
      withMuseum({ records: 130, faults: [{ kind: 'missing', records: 5, after }] }, async (setup) => {
        const outcome = await setup.run('out', { format: 'ids' });
        const ids = await idsOf(setup, 'out');
        // The first five were there when they were read, and are gone in the end.
        expect([new Set(ids).size, ids.length]).toEqual([125, 125]);
        expect(outcome.complete).toBe(true);
        expect(outcome.warnings).toContainEqual(
          expect.stringMatching(
            /^the result changed during the export: \d+ records fetched by id, 5 no longer listed$/,
          ),
        );
      }),
  );

  it('deletes: what moved up is got also by a run that was resumed behind it', () =>
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
      const ids = await idsOf(setup, 'out');
      expect(outcome).toMatchObject({ complete: true, reasons: [] });
      expect([new Set(ids).size, ids.length]).toEqual([125, 125]);
    }));

  it('gives no false alarm when it does not', () =>
    withMuseum({ records: 130 }, async ({ run }) => {
      const outcome = await run('out', { format: 'ids', strict: true });
      expect(outcome).toMatchObject({ complete: true, reasons: [], warnings: [] });
    }));

  it('that ignores the offset is found out', () =>
    withMuseum({ records: 130, faults: [{ kind: 'offset-ignored' }] }, async ({ run }) => {
      const outcome = await run('out', { format: 'ids' });
      expect(outcome.complete).toBe(false);
      expect(outcome.reasons.join()).toContain('the service ignores the offset');
      expect(outcome.files[0]).toMatch(/out\.incomplete$/);
    }));

  it('whose pages end early is found out', () =>
    withMuseum({ records: 130, faults: [{ kind: 'ends-early', at: 60 }] }, async ({ run }) => {
      // Without a limit it would be read in slices.
      const outcome = await run('out', { format: 'ids', limit: 129 });
      expect(outcome).toMatchObject({ complete: false });
      expect(outcome.reasons.join()).toContain('empty pages before the end of the list');
    }));
});
