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
      const seen: string[][] = [];
      await setup.run('out.csv', {
        format: 'csv',
        onProgress: async ({ written: now }) => {
          if (now === 60 || now === 130) seen.push(await readdir(setup.folder));
        },
      });
      expect(seen[0]).toContain('out.csv.part.older');
      expect((await readdir(setup.folder)).sort()).toEqual(['out.csv', 'out.csv.manifest.json']);
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
