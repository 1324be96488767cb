import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type ExportSetup, withMuseum } from '../export-setup.js';

/** Runs an export that dies when it has so many records. */
async function dieAt(records: number, { run }: ExportSetup, resume = false): Promise<void> {
  const death = run('out.csv', {
    format: 'csv',
    resume,
    onProgress: ({ written }) => {
      if (written >= records) throw new Error('death');
    },
  });
  await expect(death).rejects.toMatchObject({ hint: expect.stringContaining('--resume') });
}

const written = async ({ path }: ExportSetup) =>
  JSON.parse(await readFile(path('out.csv.part.json'), 'utf8')).tally.written;

describe('a run that begins anew', () => {
  it('keeps the part of the run before until it has more', () =>
    withMuseum({ records: 130 }, async (setup) => {
      await dieAt(80, setup);
      expect(await written(setup)).toBe(80);
      await dieAt(40, setup);
      expect(await written(setup)).toBe(80);
      expect(await readdir(setup.folder)).toEqual(['out.csv.part', 'out.csv.part.ids', 'out.csv.part.json']);
      await dieAt(100, setup);
      expect(await written(setup)).toBe(100);
      const seen: [number, boolean][] = [];
      await setup.run('out.csv', {
        format: 'csv',
        onProgress: ({ written: now }) => {
          seen.push([now, existsSync(setup.path('out.csv.part.older'))]);
        },
      });
      // Of the page before, what is told of is saved.
      expect(seen.filter(([, isThere]) => isThere).map(([now]) => now)).toEqual([20, 40, 60, 80, 100, 120]);
      expect(seen.at(-1)).toEqual([130, false]);
      expect((await readdir(setup.folder)).sort()).toEqual(['out.csv', 'out.csv.manifest.json']);
    }));

  it('keeps the part of the run before where it has as much', () =>
    withMuseum({ records: 130 }, async (setup) => {
      const started = async () => JSON.parse(await readFile(setup.path('out.csv.part.json'), 'utf8')).started;
      await dieAt(40, setup);
      const before = await started();
      await dieAt(40, setup);
      expect(await started()).toBe(before);
    }));

  it('that is killed leaves the larger part to the next, which resumes it to the same file', () =>
    withMuseum({ records: 130 }, async (setup) => {
      const { run, text, folder, path } = setup;
      await run('whole.csv', { format: 'csv' });
      await dieAt(80, setup);
      const { cp, rm } = await import('node:fs/promises');
      const { cpSync } = await import('node:fs');
      await withMuseum({}, async ({ folder: kept }) => {
        // What a kill at 40 records leaves behind.
        await run('out.csv', {
          format: 'csv',
          onProgress: ({ written: now }) => {
            if (now === 40) cpSync(folder, kept, { recursive: true });
          },
        });
        for (const name of await readdir(folder)) await rm(path(name));
        await cp(kept, folder, { recursive: true });
      });
      await rm(path('out.csv.lock'));
      expect(await readdir(folder)).toContain('out.csv.part.older.json');
      const { manifest } = await run('out.csv', { format: 'csv', resume: true });
      expect(manifest).toMatchObject({ records: 130, resumed: 1 });
      expect(await text('out.csv')).toBe(await text('whole.csv'));
      expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
    }));

  it('for another job discards the part', () =>
    withMuseum({ records: 60 }, async (setup) => {
      await dieAt(40, setup);
      await setup.run('out.csv', { format: 'csv', columns: 'id' });
      expect((await readdir(setup.folder)).sort()).toEqual(['out.csv', 'out.csv.manifest.json']);
    }));
});
