import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/export/verify/manifest.js';
import type { Fault } from '../../src/mock/index.js';
import { readTable } from '../../src/records/files/read-table.js';
import { withMuseum } from './export-setup.js';

const RECORDS = 130;

async function readRows(content: string, format: 'csv' | 'tsv' = 'csv'): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of readTable([content], { format })) rows.push(row);
  return rows;
}

describe('exportRecords', () => {
  it('writes every record once, and lists counts, files and pages in the manifest', () =>
    withMuseum({ records: RECORDS }, async ({ run, text, path, folder }) => {
      const outcome = await run('objects.ndjson');
      expect(outcome).toMatchObject({ complete: true, reasons: [], warnings: [] });
      const lines = (await text('objects.ndjson')).trimEnd().split('\n');
      const ids = lines.map((line) => JSON.parse(line).opacObjectId);
      expect(new Set(ids).size).toBe(RECORDS);
      expect(lines).toHaveLength(RECORDS);

      const bytes = await readFile(path('objects.ndjson'));
      const manifest = JSON.parse(await text('objects.ndjson.manifest.json')) as Manifest;
      expect(manifest).toMatchObject({
        complete: true,
        records: RECORDS,
        received: RECORDS,
        duplicates: 0,
        totals: { first: RECORDS, last: RECORDS },
        files: [
          {
            name: 'objects.ndjson',
            bytes: bytes.length,
            sha256: createHash('sha256').update(bytes).digest('hex'),
            records: RECORDS,
          },
        ],
      });
      expect(manifest.pages).toHaveLength(7);
      expect((await readdir(folder)).sort()).toEqual(['objects.ndjson', 'objects.ndjson.manifest.json']);
    }));

  it.each(['json', 'csv', 'tsv', 'ids'] as const)('writes all records as %s', (format) =>
    withMuseum({ records: 45 }, async ({ run, text }) => {
      await run('out', { format });
      const content = await text('out');
      if (format === 'json') expect(JSON.parse(content)).toHaveLength(45);
      else if (format === 'ids') expect(content.trimEnd().split('\n')).toHaveLength(45);
      else expect(await readRows(content, format)).toHaveLength(46);
    }),
  );

  it.each([
    ['ndjson', ''],
    ['json', '[]\n'],
    ['csv', 'id,title,recordType,slug,collection,label,image.count,image.url\n'],
  ] as const)('writes an empty but valid %s file if there are no records', (format, expected) =>
    withMuseum({ records: 5 }, async ({ run, text }) => {
      const outcome = await run('none', { format, query: [['query', 'name:"nothing has this name"']] });
      expect(outcome.complete).toBe(true);
      expect(await text('none')).toBe(expected);
    }),
  );

  it('compresses the file if its name ends with .gz', () =>
    withMuseum({ records: 45 }, async ({ run, text }) => {
      await run('plain.csv', { format: 'csv' });
      await run('out.csv.gz', { format: 'csv' });
      expect((await text('out.csv.gz')) === (await text('plain.csv'))).toBe(true);
    }));

  it('splits the records into files that are each valid by themselves', () =>
    withMuseum({ records: 45 }, async ({ run, text }) => {
      await run('whole.csv', { format: 'csv' });
      const outcome = await run('out.csv', { format: 'csv', split: 18 });
      const parts = await Promise.all([1, 2, 3].map((n) => text(`out-00${n}.csv`)));
      const [header, ...lines] = await readRows(await text('whole.csv'));
      const tables = await Promise.all(parts.map((part) => readRows(part)));
      expect(tables.map((rows) => rows[0])).toEqual([header, header, header]);
      expect(tables.flatMap((rows) => rows.slice(1))).toEqual(lines);
      expect(outcome.manifest.files.map(({ records }) => records)).toEqual([18, 18, 9]);
      await run('out.json', { format: 'json', split: 40 });
      expect(JSON.parse(await text('out-001.json'))).toHaveLength(40);
      expect(JSON.parse(await text('out-002.json'))).toHaveLength(5);
    }));

  it('reports how many records of the earlier export it replaces, if that file still exists', () =>
    withMuseum({ records: 45 }, async ({ run, path }) => {
      const job = { format: 'ids' } as const;
      expect((await run('o.ids', job)).manifest.replaces).toBe(0);
      const fewer = await run('o.ids', { ...job, limit: 20 });
      expect(fewer).toMatchObject({
        manifest: { replaces: 45 },
        warnings: ['only 20 records; the earlier export has 45'],
      });
      await rm(path('o.ids'));
      expect(await run('o.ids', { ...job, limit: 5 })).toMatchObject({
        manifest: { replaces: 0 },
        warnings: [],
      });
    }));

  it('stops at the limit', () =>
    withMuseum({ records: 45 }, async ({ run, text }) => {
      const outcome = await run('out.ndjson', { limit: 25 });
      expect(outcome.complete).toBe(true);
      expect((await text('out.ndjson')).trimEnd().split('\n')).toHaveLength(25);
    }));
});

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['status 503 for every 7th response', { kind: 'status', status: 503, every: 7 }],
  [
    'status 429 with Retry-After in seconds',
    { kind: 'status', status: 429, retryAfter: 'seconds', every: 5 },
  ],
  ['status 429 with Retry-After as a date', { kind: 'status', status: 429, retryAfter: 'date', every: 5 }],
  ['a connection that closes before the body', { kind: 'cut-before', every: 4 }],
  ['a connection that closes within the body', { kind: 'cut-body', every: 4 }],
  ['a truncated JSON text', { kind: 'truncated', every: 4 }],
  ['a challenge page', { kind: 'challenge', every: 4 }],
  ['an HTML page', { kind: 'html', every: 4 }],
  ['a slow response', { kind: 'slow-start', pause: 20, every: 3 }],
];

describe('exportRecords from a faulty service', () => {
  it.each(FAULTS)('writes the same file as without the fault: %s', (_, fault) =>
    withMuseum({ records: 90 }, (calm) =>
      withMuseum({ records: 90, faults: [fault] }, async (disturbed) => {
        for (const format of ['ndjson', 'csv'] as const) {
          await calm.run('calm', { format });
          const outcome = await disturbed.run('disturbed', { format });
          expect(outcome).toMatchObject({ complete: true, warnings: [] });
          expect((await disturbed.text('disturbed')) === (await calm.text('calm'))).toBe(true);
        }
      }),
    ),
  );

  it.each([
    ['deleted', (path: string) => rm(path)],
    ['empty', (path: string) => writeFile(path, '')],
    ['changed', (path: string) => writeFile(path, 'x'.repeat(1_000_000))],
  ])('starts again with resume and force if the partial file is %s', (_, damage) =>
    withMuseum(
      { records: 130, faults: [{ kind: 'status', status: 500, after: 2, count: 5 }] },
      async ({ run, text, path }) => {
        await run('out.csv', { format: 'csv', concurrency: 1 });
        await damage(path('out.csv.part'));
        const again = await run('out.csv', { format: 'csv', resume: true, force: true });
        expect(again).toMatchObject({ complete: true, manifest: { records: 130, resumed: 0 } });
        expect(await readRows(await text('out.csv'))).toHaveLength(131);
      },
    ),
  );

  it('reports a gap for a failed page, keeps the target, and fills the gap when it is resumed', () =>
    withMuseum({ records: 130 }, (calm) =>
      // The requests for one page fail until its retries are used up.
      withMuseum(
        { records: 130, faults: [{ kind: 'status', status: 500, after: 2, count: 5 }] },
        async ({ run, text, path, folder }) => {
          await calm.run('out.csv', { format: 'csv' });
          await writeFile(path('out.csv'), 'the one before');
          const first = await run('out.csv', { format: 'csv', concurrency: 1, force: true });
          expect(first.complete).toBe(false);
          expect(first.reasons).toEqual([expect.stringContaining('records 41 to 60 are missing')]);
          expect(first.manifest.gaps).toMatchObject([{ offset: 40, limit: 20 }]);
          expect(await text('out.csv')).toBe('the one before');
          expect(await readRows(await text('out.incomplete.csv'))).toHaveLength(111);

          const options = { format: 'csv', concurrency: 1, resume: true, force: true } as const;
          const second = await run('out.csv', options);
          expect(second).toMatchObject({ complete: true });
          expect(second.manifest).toMatchObject({ records: 130, received: 130, resumed: 1 });
          expect((await text('out.csv')) === (await calm.text('out.csv'))).toBe(true);
          expect((await readdir(folder)).sort()).toEqual(['out.csv', 'out.csv.manifest.json']);
        },
      ),
    ));
});
