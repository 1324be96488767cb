import { readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { verifyFile } from '../../src/export/verify.js';
import { grouped } from '../../src/service/grouped.js';
import { type ExportSetupOptions, withMuseum } from './export-setup.js';

const WHOLE: readonly (readonly [name: string, options: ExportSetupOptions])[] = [
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
];

describe('verifying a file', () => {
  it.each(WHOLE)('finds %s as its manifest says', (name, options) =>
    withMuseum(options.kind === 'records' ? {} : { records: 45 }, async ({ run, path }) => {
      const { manifest } = await run(name, options);
      const verification = await verifyFile(path(name));
      expect(verification).toMatchObject({ problems: [], distinct: manifest.records });
    }),
  );

  it('finds the files of a split export by any of their names', () =>
    withMuseum({ records: 45 }, async ({ run, path }) => {
      await run('out.csv', { format: 'csv', split: 20 });
      for (const name of ['out.csv', 'out-002.csv', 'out.csv.manifest.json']) {
        expect(await verifyFile(path(name))).toMatchObject({ problems: [], records: 45, distinct: 45 });
      }
      await rm(path('out-003.csv'));
      expect((await verifyFile(path('out-001.csv'))).problems).toEqual(['"out-003.csv" is missing']);
    }));

  it('counts the rows of records that have several, in each file', () =>
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
      const said = JSON.stringify({
        ...manifest,
        files: manifest.files.map((file) => ({ ...file, rows: 1 })),
      });
      await writeFile(path('out.csv.manifest.json'), said);
      expect((await verifyFile(path('out.csv'))).problems).toContainEqual(
        expect.stringMatching(/ rows; .* says 1$/),
      );
    }));

  it('finds what was changed', () =>
    withMuseum({ records: 45 }, async ({ run, path }) => {
      await run('out.ndjson');
      const bytes = await readFile(path('out.ndjson'));
      await writeFile(path('out.ndjson'), bytes.subarray(0, -10));
      expect((await verifyFile(path('out.ndjson'))).problems).toEqual([
        `"out.ndjson" has ${grouped(bytes.length - 10)} bytes; the manifest says ${grouped(bytes.length)}`,
      ]);
      bytes[100] = 0x20;
      await writeFile(path('out.ndjson'), bytes);
      expect((await verifyFile(path('out.ndjson'))).problems).toEqual([
        '"out.ndjson" was changed: its SHA-256 differs',
      ]);
    }));

  it('knows a file that was renamed with its manifest by its content', () =>
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

  it('says when there is no manifest', () =>
    withMuseum({}, async ({ path }) => {
      await expect(verifyFile(path('out.csv'))).rejects.toThrow('no manifest found next to');
    }));
});
