/** The files at the end of a run, and the files of an incomplete run. */
import { appendFile, chown, copyFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ExportSetupOptions, withMuseum } from './export-setup.js';

it('deletes the files of an incomplete export only after a complete export of the same job', () =>
  withMuseum(
    { records: 45, faults: [{ kind: 'status', status: 500, after: 2, count: 5 }] },
    async (setup) => {
      const { run, folder } = setup;
      const job = { format: 'ids', concurrency: 1 } as const;
      expect((await run('o.ids', job)).complete).toBe(false);
      const left = ['o.incomplete.ids', 'o.incomplete.ids.manifest.json'];
      expect(await readdir(folder)).toEqual(expect.arrayContaining(left));
      const complete = ['o.ids', 'o.ids.manifest.json'];
      expect((await run('o.ids', { ...job, selection: { other: true }, force: true })).complete).toBe(true);
      expect((await readdir(folder)).sort()).toEqual([...complete, ...left]);
      expect((await run('o.ids', job)).complete).toBe(true);
      expect((await readdir(folder)).sort()).toEqual(complete);
    },
  ));

it('deletes no other files that a planted manifest of an incomplete export lists', () =>
  withMuseum({ records: 45 }, async ({ run, path, folder, text }) => {
    await run('o.ids', { format: 'ids' });
    const manifest = JSON.parse(await text('o.ids.manifest.json'));
    const [file] = manifest.files;
    await copyFile(path('o.ids'), path('thesis.odt'));
    await writeFile(path('o.incomplete.ids'), 'edited\n');
    for (const name of ['thesis.odt', 'o.incomplete.ids']) {
      const planted = { ...manifest, complete: false, reasons: ['x'], files: [{ ...file, name }] };
      await writeFile(path('o.incomplete.ids.manifest.json'), JSON.stringify(planted));
      expect((await run('o.ids', { format: 'ids' })).complete).toBe(true);
      expect(await readdir(folder)).toEqual(expect.arrayContaining(['thesis.odt', 'o.incomplete.ids']));
    }
  }));

it.skipIf(process.getuid?.() !== 0)('does not continue an export of another user (needs root)', () =>
  withMuseum({ records: 45 }, async ({ run, path }) => {
    const job = { format: 'ids' } as const;
    const stopRun = () => run('o.ids', { ...job, onProgress: () => expect.unreachable() });
    await expect(stopRun()).rejects.toThrow();
    for (const ending of ['part', 'part.json']) {
      await chown(path(`o.ids.${ending}`), 12_345, 12_345);
      await expect(run('o.ids', { ...job, resume: true })).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining(`o.ids.${ending}" belongs to another user`),
      });
      await chown(path(`o.ids.${ending}`), 0, 0);
    }
    await chown(path('o.ids.part'), 12_345, 12_345);
    const { manifest } = await run('o.ids', { ...job, resume: true, force: true });
    expect(manifest).toMatchObject({ complete: true, resumed: 0, records: 45 });
  }),
);

describe('partial file of a finished run', () => {
  it.each<[string, ExportSetupOptions, string]>([
    ['o.csv.gz', { format: 'csv', columns: 'id' }, 'o.csv.gz'],
    ['o.csv', { format: 'csv', columns: 'id', split: 9 }, 'o-001.csv'],
  ])('becomes a file with only a header if it has no records: %s %j', (name, options, file) =>
    withMuseum({ records: 5 }, async ({ run, text }) => {
      const { manifest } = await run(name, { ...options, query: [['query', 'name:"none has it"']] });
      expect(manifest).toMatchObject({ complete: true, records: 0, files: [{ name: file, records: 0 }] });
      expect(await text(file)).toBe('id\n');
    }),
  );

  it('is kept without finished files if one of the files cannot be written', () =>
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

  it.each([18, 15, 45])(
    'is split after %i records, and each file has the right number of records and rows',
    (split) =>
      withMuseum({ records: 45 }, async ({ run, text }) => {
        const columns = { columns: 'id,maker_name', multi: 'rows=maker_name' };
        const options = { format: 'tsv', split, ...columns } as const;
        const { rows: expectedRows } = (await run('whole.tsv', { ...options, split: undefined })).manifest;
        const stoppedRun = run('o.tsv', { ...options, onProgress: () => expect.unreachable() });
        await expect(stoppedRun).rejects.toThrow();
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
        expect([manifest.rows, rows]).toEqual([expectedRows, expectedRows]);
        expect(rows).toBeGreaterThan(45);
      }),
  );
});

describe('files of an earlier export at the same path', () => {
  const csv = { format: 'csv', columns: 'id' } as const;
  const names = async (folder: string) =>
    (await readdir(folder)).filter((name) => name.endsWith('.csv')).sort();

  it.each<[number | undefined, number | undefined, string[]]>([
    [18, 30, ['o-001.csv', 'o-002.csv']],
    [18, undefined, ['o.csv']],
    [undefined, 30, ['o-001.csv', 'o-002.csv']],
  ])('are deleted if the new export does not write them: split %s, then %s', (before, now, left) =>
    withMuseum({ records: 45 }, async ({ run, folder, path }) => {
      await writeFile(path('o-notes.csv'), 'mine');
      await run('o.csv', { ...csv, split: before });
      await run('o.csv', { ...csv, split: now });
      expect(await names(folder)).toEqual([...left, 'o-notes.csv'].sort());
    }),
  );

  it.each([30, undefined])('are kept, and the export throws, if one was edited: then split %s', (split) =>
    withMuseum({ records: 45 }, async ({ run, folder, path }) => {
      await run('o.csv', { ...csv, split: 18 });
      await appendFile(path('o-003.csv'), 'mine');
      const before = await names(folder);
      await expect(run('o.csv', { ...csv, split })).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining('o-003.csv" was changed after the export'),
      });
      expect(await names(folder)).toEqual(before);
      await run('o.csv', { ...csv, split, force: true });
      expect(await names(folder)).toEqual(split ? ['o-001.csv', 'o-002.csv'] : ['o.csv']);
    }),
  );

  it('do not include files that no manifest lists, which need --force', () =>
    withMuseum({ records: 45 }, async ({ run, folder, path }) => {
      await writeFile(path('o-003.csv'), 'mine');
      await run('o.csv', csv);
      await expect(run('o.csv', { ...csv, split: 18 })).rejects.toMatchObject({ kind: 'usage' });
      await expect(run('o.csv', { ...csv, split: 30 })).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining('o-003.csv" exists, but is not an export with a manifest'),
      });
      expect(await names(folder)).toEqual(['o-003.csv', 'o.csv']);
      await run('o.csv', { ...csv, split: 30, force: true });
      expect(await names(folder)).toEqual(['o-001.csv', 'o-002.csv']);
    }));

  it('are deleted by the next run if a run was killed before it deleted them', () =>
    withMuseum({ records: 45 }, async ({ run, folder, path }) => {
      await run('o.csv', { ...csv, split: 18 });
      const options = { ...csv, split: 30 };
      const stoppedRun = run('o.csv', { ...options, onProgress: () => expect.unreachable() });
      await expect(stoppedRun).rejects.toThrow();
      const kept = ['o-003.csv', 'o.csv.manifest.json', 'o.csv.part', 'o.csv.part.json'];
      await mkdir(path('kept'));
      for (const name of kept) await copyFile(path(name), path(join('kept', name)));
      await run('o.csv', options);
      await rename(path('o.csv.manifest.json'), path('o.csv.manifest.json.pending'));
      for (const name of kept) await rename(path(join('kept', name)), path(name));
      await run('o.csv', { ...csv, split: 30 });
      expect(await names(folder)).toEqual(['o-001.csv', 'o-002.csv']);
    }));
});

it('replaces a foreign file at the path of the partial file only with --force', () =>
  withMuseum({ records: 5 }, async ({ run, path, text }) => {
    await writeFile(path('o.ndjson.part'), 'my notes');
    for (const resume of [false, true])
      await expect(run('o.ndjson', { resume })).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining('o.ndjson.part" is not from an export'),
      });
    expect(await text('o.ndjson.part')).toBe('my notes');
    expect((await run('o.ndjson', { force: true })).complete).toBe(true);
    for (const left of ['', '{"cut', '\0\0']) {
      await writeFile(path('o.ndjson.part'), left);
      expect((await run('o.ndjson')).complete).toBe(true);
    }
  }));

it.each(['part.json', 'manifest.json'])(
  'replaces a foreign file with the name o.ndjson.%s only with --force',
  (end) =>
    withMuseum({ records: 5 }, async ({ run, path, text }) => {
      const name = `o.ndjson.${end}`;
      await writeFile(path(name), '{"name": "package"}');
      await expect(run('o.ndjson')).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining(`${name}" is not from an export`),
      });
      expect(await text(name)).toBe('{"name": "package"}');
      expect((await run('o.ndjson', { force: true })).complete).toBe(true);
    }),
);
