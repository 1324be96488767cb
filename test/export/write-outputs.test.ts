/** The ends of runs: their files, and what an incomplete one left. */
import { mkdir, readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type ExportSetupOptions, withMuseum } from './export-setup.js';

it('what an incomplete export left goes with the complete one of the same job, and of no other', () =>
  withMuseum(
    { records: 45, faults: [{ kind: 'status', status: 500, after: 2, count: 5 }] },
    async (setup) => {
      const { run, folder } = setup;
      const job = { format: 'ids', concurrency: 1 } as const;
      expect((await run('o.ids', job)).complete).toBe(false);
      const left = ['o.incomplete.ids', 'o.incomplete.ids.manifest.json'];
      expect(await readdir(folder)).toEqual(expect.arrayContaining(left));
      const whole = ['o.ids', 'o.ids.manifest.json'];
      expect((await run('o.ids', { ...job, selection: { other: true }, force: true })).complete).toBe(true);
      expect((await readdir(folder)).sort()).toEqual([...whole, ...left]);
      expect((await run('o.ids', job)).complete).toBe(true);
      expect((await readdir(folder)).sort()).toEqual(whole);
    },
  ));

describe('the part of a finished run', () => {
  it.each<[string, ExportSetupOptions, string]>([
    ['o.csv.gz', { format: 'csv', columns: 'id' }, 'o.csv.gz'],
    ['o.csv', { format: 'csv', columns: 'id', split: 9 }, 'o-001.csv'],
  ])('without records makes a file of its head: %s %j', (name, options, file) =>
    withMuseum({ records: 5 }, async ({ run, text }) => {
      const { manifest } = await run(name, { ...options, query: [['query', 'name:"none has it"']] });
      expect(manifest).toMatchObject({ complete: true, records: 0, files: [{ name: file, records: 0 }] });
      expect(await text(file)).toBe('id\n');
    }),
  );

  it('is kept alone where one of its files cannot be made', () =>
    withMuseum({ records: 45 }, async ({ run, path, folder }) => {
      await mkdir(path('o-002.ids.part.new'));
      await expect(run('o.ids', { format: 'ids', split: 18 })).rejects.toMatchObject({
        kind: 'incomplete',
        message: expect.stringMatching(/^cannot write ".*o-002\.ids\.part\.new": /),
        hint: expect.stringContaining('45 records are in'),
      });
      const left = ['o-002.ids.part.new', 'o.ids.part', 'o.ids.part.json'];
      expect((await readdir(folder)).sort()).toEqual(left);
    }));

  it.each([18, 15, 45])('split after %i records is files, each with its records and rows', (split) =>
    withMuseum({ records: 45 }, async ({ run, text }) => {
      const columns = { columns: 'id,maker_name', multi: 'rows=maker_name' };
      const options = { format: 'tsv', split, ...columns } as const;
      const { rows: whole } = (await run('whole.tsv', { ...options, split: undefined })).manifest;
      const death = run('o.tsv', { ...options, onProgress: () => expect.unreachable() });
      await expect(death).rejects.toThrow();
      const { files, manifest } = await run('o.tsv', { ...options, resume: true });
      expect(manifest.files.map(({ records }) => records)).toEqual(
        split === 18 ? [18, 18, 9] : Array(45 / split).fill(split),
      );
      let rows = 0;
      for (const [n, file] of manifest.files.entries()) {
        expect(files[n]).toContain(`o-00${n + 1}.tsv`);
        const lines = (await text(file.name)).split('\n').slice(1, -1);
        expect([file.rows, new Set(lines.map((line) => line.split('\t')[0])).size]).toEqual([
          lines.length,
          file.records,
        ]);
        rows += lines.length;
      }
      expect([manifest.rows, rows]).toEqual([whole, whole]);
      expect(rows).toBeGreaterThan(45);
    }),
  );
});
