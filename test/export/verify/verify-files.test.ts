import { copyFile, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { verifyFile } from '../../../src/export/verify/verify-files.js';
import { formatNumber } from '../../../src/service/format-numbers.js';
import { type ExportSetupOptions, withMuseum } from '../export-setup.js';

const EXPORTS: readonly (readonly [name: string, options: ExportSetupOptions])[] = [
  ['out.ndjson', { format: 'ndjson' }],
  ['flat.ndjson', { format: 'ndjson', flat: true }],
  ['out.json', { format: 'json' }],
  ['out.csv', { format: 'csv' }],
  ['excel.csv', { format: 'csv', excel: true }],
  ['rows.tsv', { format: 'tsv', multi: 'rows=maker_name' }],
  ['out.tsv.gz', { format: 'tsv' }],
  ['out.ids', { format: 'ids' }],
  ['records.json', { format: 'json', kind: 'records' }],
  ['records.csv', { format: 'csv', kind: 'records' }],
  ['out.xlsx', { format: 'xlsx' }],
];

describe('verifyFile', () => {
  it.each(EXPORTS)('reports no problems for an unchanged %s, and throws if it is aborted', (name, options) =>
    withMuseum(options.kind === 'records' ? {} : { records: 45 }, async ({ run, path }) => {
      const { manifest } = await run(name, options);
      expect(await verifyFile(path(name))).toMatchObject({ problems: [], records: manifest.records });
      const stopped = AbortSignal.abort(new Error('stopped'));
      await expect(verifyFile(path(name), stopped)).rejects.toThrow('stopped');
    }),
  );

  it('checks all files of a split export, given any of their names', () =>
    withMuseum({ records: 45 }, async ({ run, path }) => {
      await run('out.csv', { format: 'csv', split: 20 });
      for (const name of ['out.csv', 'out-002.csv', 'out.csv.manifest.json']) {
        expect(await verifyFile(path(name))).toMatchObject({ problems: [], records: 45 });
      }
      await rm(path('out-003.csv'));
      expect((await verifyFile(path('out-001.csv'))).problems).toEqual(['"out-003.csv" is missing']);
      for (const name of ['out-001.csv', 'out-002.csv', 'out-004.csv']) await rm(path(name), { force: true });
      const stopped = AbortSignal.abort(new Error('stopped'));
      await expect(verifyFile(path('out.csv.manifest.json'), stopped)).rejects.toThrow('stopped');
    }));

  it('compares the rows of each file if records have several rows', () =>
    withMuseum({}, async ({ run, path, text }) => {
      const multi = 'rows=maker_name';
      const columns = 'id,maker_name';
      await run('one.csv', { format: 'csv', multi, columns });
      const lines = (await text('one.csv')).trimEnd().split('\n').slice(1);
      expect(lines.length).toBeGreaterThan(163);
      const { manifest } = await run('out.csv', { format: 'csv', multi, columns, split: 60 });
      expect(manifest).toMatchObject({ records: 163, rows: lines.length });
      expect(manifest.files.map(({ records }) => records)).toEqual([60, 60, 43]);
      for (const { name, rows } of manifest.files)
        expect((await text(name)).trimEnd().split('\n')).toHaveLength((rows ?? 0) + 1);
      expect(await verifyFile(path('out.csv'))).toMatchObject({ problems: [], records: 163 });
    }));

  it('reports a changed size and changed content', () =>
    withMuseum({ records: 45 }, async ({ run, path }) => {
      await run('out.ndjson');
      const bytes = await readFile(path('out.ndjson'));
      await writeFile(path('out.ndjson'), bytes.subarray(0, -10));
      expect((await verifyFile(path('out.ndjson'))).problems).toEqual([
        `"out.ndjson" has ${formatNumber(bytes.length - 10)} bytes; the manifest says ${formatNumber(bytes.length)}`,
      ]);
      bytes[100] = 0x20;
      await writeFile(path('out.ndjson'), bytes);
      expect((await verifyFile(path('out.ndjson'))).problems).toEqual([
        '"out.ndjson" was changed: its SHA-256 differs',
      ]);
    }));

  it('recognizes a file that was renamed together with its manifest', () =>
    withMuseum({ records: 45 }, async ({ run, path }) => {
      await run('out.csv.gz', { format: 'csv' });
      await rename(path('out.csv.gz'), path('2026-11.csv.gz'));
      await rename(path('out.csv.gz.manifest.json'), path('2026-11.csv.gz.manifest.json'));
      expect(await verifyFile(path('2026-11.csv.gz'))).toMatchObject({ problems: [], records: 45 });
      await truncate(path('2026-11.csv.gz'), 20);
      expect((await verifyFile(path('2026-11.csv.gz'))).problems).toEqual([
        expect.stringMatching(/^"2026-11\.csv\.gz" has 20 bytes/),
      ]);
    }));

  it('recognizes a file that was compressed after the export, even under another name', () =>
    withMuseum({ records: 5 }, async ({ run, path }) => {
      await run('out.csv', { format: 'csv' });
      await writeFile(path('out.csv.gz'), gzipSync(await readFile(path('out.csv'))));
      await rm(path('out.csv'));
      for (const name of ['out.csv.gz', 'out.csv', 'out.csv.manifest.json'])
        expect(await verifyFile(path(name))).toMatchObject({ problems: [], records: 5 });
      await rename(path('out.csv.gz'), path('2026.csv.gz'));
      const { problems, manifestPath } = await verifyFile(path('2026.csv.gz'));
      expect([problems, manifestPath]).toEqual([[], path('out.csv.manifest.json')]);
    }));

  it('reports counts and files that differ from the manifest', () =>
    withMuseum({ records: 5 }, async ({ run, path }) => {
      const { manifest } = await run('out.ndjson');
      const [file] = manifest.files;
      const changeManifest = (change: object) =>
        writeFile(path('out.ndjson.manifest.json'), JSON.stringify({ ...manifest, ...change }));
      const problems = async (name = 'out.ndjson') => (await verifyFile(path(name))).problems;
      await changeManifest({ files: [{ ...file, records: 1004 }] });
      expect(await problems()).toEqual(['the files contain 1,004 records; the manifest says 5']);
      await changeManifest({ files: [file, { ...file, name: 'b.ndjson' }], records: 5 });
      await mkdir(path('b.ndjson'));
      expect(await problems()).toEqual(['"b.ndjson" is not a regular file']);
      await writeFile(path('out-009.ndjson'), '');
      expect(await problems('out-009.ndjson')).toEqual([
        'the manifest does not list "out-009.ndjson"',
        '"b.ndjson" is not a regular file',
      ]);
    }));

  it.each(['', '{}', '[]', '{"format":1}'])('throws for a damaged manifest: %j', (text) =>
    withMuseum({ records: 5 }, async ({ run, path }) => {
      await run('out.csv', { format: 'csv' });
      await writeFile(path('out.csv.manifest.json'), text);
      await expect(verifyFile(path('out.csv'))).rejects.toMatchObject({
        kind: 'incomplete',
        code: 'file-changed',
        message: expect.stringMatching(/^cannot (use|read) the manifest/),
        hint: 'export again',
      });
    }),
  );

  it('throws if there is no manifest, and if there is no file', () =>
    withMuseum({ records: 5 }, async ({ run, path }) => {
      await expect(verifyFile(path('out.csv'))).rejects.toMatchObject({
        kind: 'incomplete',
        message: `file not found: "${path('out.csv')}"`,
        code: 'no-file',
      });
      await writeFile(path('out.csv'), 'id\n');
      await expect(verifyFile(path('out.csv'))).rejects.toMatchObject({
        kind: 'incomplete',
        message: `no manifest found next to "${path('out.csv')}"`,
        hint: 'only "opac <kind> export" and "opac sync" write a manifest',
        code: 'no-manifest',
      });
      await rm(path('out.csv'));
      // Manifests that were copied for a backup without their data.
      await run('out.csv', { format: 'csv' });
      for (const [manifest, name] of [
        ['bak.csv.manifest.json', 'bak.csv'],
        ['out.csv.manifest.json', 'out.csv.gz'],
        ['b.csv.manifest.json', 'b-001.csv'],
      ] as const) {
        if (manifest !== 'out.csv.manifest.json')
          await copyFile(path('out.csv.manifest.json'), path(manifest));
        await expect(verifyFile(path(name))).rejects.toMatchObject({
          message: `file not found: "${path(name)}"`,
        });
      }
    }));
});
