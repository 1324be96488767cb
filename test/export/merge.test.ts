/** Parts of an export, made apart and joined. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mergeParts } from '../../src/export/merge.js';
import type { Manifest, ManifestFile } from '../../src/export/run/manifest.js';
import { verifyFile } from '../../src/export/verify.js';
import { RECORD_COLUMN_NAMES } from '../../src/service/records/columns.js';
import { exists } from '../../src/system/file-errors.js';
import { type ExportSetup, type ExportSetupOptions, withMuseum, withService } from './export-setup.js';
import { type SmallRecord, startSmallService } from './source/small-service.js';

const USUAL: ExportSetupOptions = { pageSize: 20, checkpointEvery: 60_000 };

async function exportParts(
  { run, path }: ExportSetup,
  ending: string,
  of: number,
  options: ExportSetupOptions = {},
): Promise<string[]> {
  const numbers = Array.from({ length: of }, (_, n) => n + 1);
  for (const number of numbers) {
    const part = { part: { number, of }, extra: { part: `${number}/${of}` } };
    await run(`part-${number}.${ending}`, { ...USUAL, ...options, ...part });
  }
  return numbers.map((number) => path(`part-${number}.${ending}`));
}

function merge({ path }: Pick<ExportSetup, 'path'>, parts: readonly string[], name: string) {
  return mergeParts({ parts, target: path(name), command: 'opac merge' });
}

describe.each([
  ['csv', 'csv', {}],
  ['csv', 'csv.gz', { window: 60 }],
  ['csv', 'csv', { excel: true, window: 60 }],
  ['csv', 'csv', { multi: 'rows=maker_name', columns: 'id,maker_name' }],
  ['tsv', 'tsv', { window: 60 }],
  ['ndjson', 'ndjson', { window: 60 }],
  ['json', 'json', {}],
  ['ids', 'ids', {}],
  ['csv', 'csv', { kind: 'records' }],
] as const)('parts as %s in .%s %j', (format, ending, options) => {
  it('are the whole when they are merged, in whatever order', () =>
    withMuseum({}, async (setup) => {
      const whole = await setup.run(`all.${ending}`, { ...USUAL, format, ...options });
      const parts = await exportParts(setup, ending, 3, { format, ...options });
      const { manifest } = await merge(setup, parts, `one.${ending}`);
      await merge(setup, parts.toReversed(), `two.${ending}`);
      const { records, received, rows, columns, heads, job, totals, files } = whole.manifest;
      expect(manifest).toMatchObject({ records, received, columns, job, complete: true, reasons: [] });
      expect(manifest).toMatchObject({ duplicates: 0, withoutId: 0, resumed: 0, command: 'opac merge' });
      expect([manifest.rows, manifest.heads, manifest.job.part]).toEqual([rows, heads, undefined]);
      expect(manifest.totals).toEqual({ ...totals, drift: [{ offset: 0, total: records }] });
      expect(manifest.files).toEqual([{ ...files[0], name: `one.${ending}` }]);
      expect(await setup.text(`one.${ending}`)).toBe(await setup.text(`all.${ending}`));
      expect(await setup.text(`two.${ending}`)).toBe(await setup.text(`one.${ending}`));
      expect((await verifyFile(setup.path(`one.${ending}`))).problems).toEqual([]);
    }));
});

it('parts that were split are named as they were with -o, also those of one file', () =>
  withMuseum({}, async (setup) => {
    await setup.run('all.csv', { ...USUAL, format: 'csv' });
    await exportParts(setup, 'csv', 3, { format: 'csv', split: 80 });
    const named = [1, 2, 3].map((n) => setup.path(`part-${n}.csv`));
    const { manifest } = await merge(setup, named, 'merged.csv');
    expect(manifest.records).toBe(163);
    expect(await setup.text('merged.csv')).toBe(await setup.text('all.csv'));
  }));

it('parts that were compressed since are read as they were', () =>
  withMuseum({}, async (setup) => {
    const parts = await exportParts(setup, 'csv', 2, { format: 'csv' });
    await merge(setup, parts, 'all.csv');
    const manifests = parts.map((part) => `${part}.manifest.json`);
    await merge(setup, manifests, 'named.csv');
    expect(await setup.text('named.csv')).toBe(await setup.text('all.csv'));
    for (const part of parts) {
      await writeFile(`${part}.gz`, gzipSync(await readFile(part)));
      await rm(part);
    }
    const compressed = parts.map((part) => `${part}.gz`);
    const { manifest } = await merge(setup, compressed, 'again.csv');
    expect([manifest.plan?.total, manifest.plan?.next]).toEqual([163, undefined]);
    expect(await setup.text('again.csv')).toBe(await setup.text('all.csv'));
  }));

it('parts whose columns come up in another order are put in order', () =>
  withMuseum({}, async (setup) => {
    const parts = await exportParts(setup, 'csv', 2, { format: 'csv' });
    const [first = '', second = ''] = parts;
    const text = await readFile(second, 'utf8');
    expect((await readFile(first, 'utf8')).split('\n')[0]).not.toBe(text.split('\n')[0]);
    const { manifest } = await merge(setup, parts, 'all.csv');
    expect(new Set(manifest.columns).size).toBe(manifest.columns.length);
    expect((await verifyFile(setup.path('all.csv'))).problems).toEqual([]);
  }));

it('parts that are merged over an earlier table keep its columns, new ones at the end, and are described', () =>
  withMuseum({}, async (setup) => {
    const { path } = setup;
    const head = [...RECORD_COLUMN_NAMES, 'gone', 'name'];
    await writeFile(path('all.csv'), `${head.join(',')}\n`);
    const parts = await exportParts(setup, 'csv', 2, { format: 'csv' });
    const merged = await mergeParts({
      parts,
      target: path('all.csv'),
      command: 'opac merge',
      describe: true,
    });
    const { columns } = merged.manifest;
    expect(columns.slice(0, head.length + 1)).toEqual([...head, 'accession_no']);
    expect((await setup.text('all.csv')).split('\n')[0]).toBe(columns.join(','));
    expect((await verifyFile(path('all.csv'))).problems).toEqual([]);
    expect(merged.description).toBe(path('all.csv.datapackage.json'));
    const [resource] = JSON.parse(await setup.text('all.csv.datapackage.json')).resources;
    expect(resource).toMatchObject({ path: 'all.csv', records: 163, rows: 163 });
    expect(resource.schema.fields.map(({ name }: { name: string }) => name)).toEqual(columns);
  }));

it('parts as NDJSON become the Parquet file that one export writes, with its types', () =>
  withMuseum({}, async (setup) => {
    await setup.run('all.parquet', { ...USUAL, format: 'parquet', window: 60 });
    const parts = await exportParts(setup, 'ndjson', 3, { format: 'ndjson', window: 60 });
    const { manifest } = await merge(setup, parts.toReversed(), 'merged.parquet');
    expect([manifest.records, manifest.job.format]).toEqual([163, 'parquet']);
    expect(await readFile(setup.path('merged.parquet'))).toEqual(await readFile(setup.path('all.parquet')));
    expect((await verifyFile(setup.path('merged.parquet'))).problems).toEqual([]);
    const tables = await exportParts(setup, 'parquet', 2, { format: 'parquet' });
    await expect(merge(setup, tables, 'tables.parquet')).rejects.toThrow('parquet files cannot be merged');
  }));

it('what the parts counted is counted together', () =>
  withMuseum({}, async (setup) => {
    const { path, text } = setup;
    const parts = await exportParts(setup, 'ids', 2, { format: 'ids' });
    const of = async (n: number, change: Partial<Manifest>) => {
      const name = `part-${n}.ids.manifest.json`;
      const manifest = JSON.parse(await text(name)) as Manifest;
      await writeFile(path(name), JSON.stringify({ ...manifest, ...change }));
      return manifest;
    };
    const first = await of(1, {
      started: '2026-01-02T00:00:00.000Z',
      elapsed: 10,
      resumed: 1,
      received: 105,
      duplicates: 5,
      withoutId: 1,
      formulas: 7,
      warnings: ['a', 'b'],
      pages: [[0, 105, 0]],
      notFound: ['x'],
    });
    await of(2, {
      started: '2026-01-01T00:00:00.000Z',
      elapsed: 4,
      resumed: 2,
      received: 70,
      duplicates: 7,
      withoutId: 2,
      formulas: 3,
      warnings: ['c'],
      pages: [[100, 70, 2]],
    });
    const begun = new Date().toISOString();
    const { manifest } = await merge(setup, parts, 'all.ids');
    expect(manifest).toMatchObject({
      tool: first.tool,
      started: '2026-01-01T00:00:00.000Z',
      elapsed: 14,
      resumed: 3,
      received: 175,
      records: 163,
      duplicates: 12,
      withoutId: 3,
      formulas: 10,
      warnings: ['a', 'b', 'c'],
      pages: [
        [0, 105, 0],
        [100, 70, 2],
      ],
      totals: { first: 163, last: 163, drift: [{ offset: 0, total: 163 }] },
    });
    expect([manifest.finished >= begun, manifest.rows, manifest.plan?.total]).toEqual([true, undefined, 163]);
    expect(JSON.parse(await text('all.ids.manifest.json'))).toEqual(JSON.parse(JSON.stringify(manifest)));
  }));

it.each([
  ['json', '[]\n'],
  ['ndjson', ''],
  ['csv', `${RECORD_COLUMN_NAMES.join(',')}\n`],
] as const)('parts of nothing are nothing, as %s', (format, whole) =>
  withMuseum({ records: 5 }, async (setup) => {
    const query = [['query', 'name:"nothing has this name"']] as const;
    const parts = await exportParts(setup, format, 2, { format, query });
    const { manifest } = await merge(setup, parts, `all.${format}`);
    expect([manifest.records, await setup.text(`all.${format}`)]).toEqual([0, whole]);
  }),
);

it('a record that two parts have is dropped from the later, with all its rows', () =>
  withMuseum({ records: 150 }, async (setup) => {
    const options = { format: 'tsv', columns: 'id,maker_name', multi: 'rows=maker_name' } as const;
    const parts = await exportParts(setup, 'tsv', 2, options);
    const [head = '', ...lines] = (await setup.text('part-1.tsv')).trimEnd().split('\n');
    const idOf = (line: string) => line.split('\t')[0];
    const id = lines.map(idOf).find((each, n, ids) => ids[n + 1] === each);
    const again = lines.filter((line) => idOf(line) === id);
    expect(again.length).toBeGreaterThan(1);
    // At the end of the second part they stand once more.
    const changed = Buffer.from(`${await setup.text('part-2.tsv')}${again.join('\n')}\n`);
    await writeFile(setup.path('part-2.tsv'), changed);
    const manifest = JSON.parse(await readFile(setup.path('part-2.tsv.manifest.json'), 'utf8')) as Manifest;
    const { records, rows = 0 } = manifest;
    const counts = { records: records + 1, rows: rows + again.length };
    const sha256 = createHash('sha256').update(changed).digest('hex');
    const files = [{ name: 'part-2.tsv', bytes: changed.length, sha256, ...counts }];
    await writeFile(
      setup.path('part-2.tsv.manifest.json'),
      JSON.stringify({ ...manifest, ...counts, files }),
    );
    const merged = await merge(setup, parts, 'all.tsv');
    expect(merged.manifest).toMatchObject({ records: 150, duplicates: 1, rows: lines.length + rows });
    const text = await setup.text('all.tsv');
    expect(text.startsWith(`${head}\n`)).toBe(true);
    expect(text.split('\n').filter((line) => idOf(line) === id)).toEqual(again);
  }));

it('parts without records are passed over, also where the next begins', () =>
  withMuseum({ records: 50 }, async (setup) => {
    const parts = await exportParts(setup, 'ndjson', 3, { format: 'ndjson' });
    expect((await setup.text('part-1.ndjson')) + (await setup.text('part-2.ndjson'))).toBe('');
    const { manifest } = await merge(setup, parts, 'all.ndjson');
    expect([manifest.records, await setup.text('all.ndjson')]).toEqual([
      50,
      await setup.text('part-3.ndjson'),
    ]);
  }));

describe('a set that is not one export', () => {
  it('is refused by name', () =>
    withMuseum({}, async (setup) => {
      const { run, path } = setup;
      const parts = await exportParts(setup, 'ndjson', 3, { format: 'ndjson' });
      const [one = '', two = '', three = ''] = parts;
      const named = async (name: string, options: ExportSetupOptions) => {
        await run(name, { ...USUAL, format: 'ndjson', ...options });
        return path(name);
      };
      const part = { part: { number: 3, of: 3 }, extra: { part: '3/3' } };
      const whole = await named('whole.ndjson', {});
      const query = await named('query.ndjson', { ...part, query: [['query', 'maker_name:*']] });
      const windowed = await named('window.ndjson', { ...part, window: 60 });
      const other = await named('other.ndjson', { part: { number: 4, of: 4 }, extra: { part: '4/4' } });
      const changed = path('changed.ndjson');
      await writeFile(changed, `${await readFile(three, 'utf8')} `);
      const manifest = await readFile(`${three}.manifest.json`, 'utf8');
      await writeFile(`${changed}.manifest.json`, manifest.replace('part-3.ndjson', 'changed.ndjson'));
      const said = async (name: string, from: string | RegExp, to: string) => {
        const file = path(`${name}.ndjson`);
        await writeFile(file, await readFile(three));
        await writeFile(`${file}.manifest.json`, manifest.replace(from, to));
        return file;
      };
      const version = await said('version', /"tool": ".*"/, '"tool": "opac 9.9.9"');
      const hundreds = await said('hundreds', '"3/3"', '"3/300"');
      const total = await said('total', '"total": 163,\n    "window"', '"total": 164,\n    "window"');
      const fourth = await said('fourth', '"3/3"', '"4/3"');
      const none = await said('zeroth', '"3/3"', '"0/3"');
      const planless = await said('planless', '"plan": {', '"later": {');
      const incomplete = await said(
        'incomplete',
        /"complete": true,\s*"reasons": \[\]/,
        '"complete": false, "reasons": ["a gap", "a doubt"]',
      );
      const ROWS: [string[], RegExp][] = [
        [[one, two], /^part 3\/3 missing$/],
        [[three], /^parts 1\/3, 2\/3 missing$/],
        [[one, two, three, two], /^part 2\/3 is there twice: ".*part-2.ndjson" and ".*part-2.ndjson"$/],
        [[one, two, whole], /^".*whole.ndjson" is not a part of an export$/],
        [[one, two, query], /the query is .* in one and .*maker_name/],
        [[one, two, windowed], /the plan is "/],
        [[one, two, other], /the number of parts is 3 in one and 4 in the other/],
        [[one, two, version], /the version is "opac .*" in one and "opac 9.9.9" in the other/],
        [[one, two, hundreds], /the number of parts is 3 in one and 300 in the other/],
        [[hundreds], /^parts 1\/300, .*, 21\/300 and 279 more missing$/],
        [[one, two, total], /the total is 163 in one and 164 in the other/],
        [[one, two, changed], /^"changed.ndjson" has [\d,]+ bytes; the manifest says [\d,]+$/],
        [[one, two, path('none.ndjson')], /^no manifest found/],
        [[one, two, fourth], /^there is no part 4 of 3: ".*fourth.ndjson"$/],
        [[one, two, none], /^".*zeroth.ndjson" is not a part of an export$/],
        [[one, two, planless], /^".*planless.ndjson" is not a part of an export$/],
        [[one, two, incomplete], /^".*incomplete.ndjson" is incomplete: a gap; a doubt$/],
      ];
      for (const text of ['x3/3', '3/3x', '3', '3/'])
        ROWS.push([[await said(`part${text.length}`, '"3/3"', `"${text}"`)], /is not a part of an export$/]);
      const HINTS: [string[], string, string | undefined][] = [
        [[one, two], 'all.ndjson', 'export it with --part 3/3'],
        [[one, two, whole], 'all.ndjson', 'export parts with --part 1/8, --part 2/8, …'],
        [[one, two, query], 'all.ndjson', 'export the parts again, all with the same command and in one go'],
        [[one, two, changed], 'all.ndjson', 'export this part again'],
        [[one, two, incomplete], 'all.ndjson', 'get the rest of it with --resume'],
        [parts, 'all.csv', 'name a file that ends in .ndjson'],
        [parts, 'part-1.ndjson', 'name another file with -o'],
      ];
      for (const [set, message] of ROWS)
        await expect(merge(setup, set, 'all.ndjson')).rejects.toThrow(message);
      for (const [set, name, hint] of HINTS)
        await expect(merge(setup, set, name)).rejects.toMatchObject({ hint });
      const all = { part: { number: 1, of: 1 }, extra: { part: '1/1' } };
      const alone = async (name: string, change: object) => {
        const file = await named(`${name}.ndjson`, all);
        const made = JSON.parse(await setup.text(`${name}.ndjson.manifest.json`)) as Manifest;
        const job = { ...made.job, ...change };
        await writeFile(`${file}.manifest.json`, JSON.stringify({ ...made, job }));
        return [file];
      };
      await expect(
        merge(setup, await alone('strange', { format: 'xml' }), 'all.ndjson'),
      ).rejects.toMatchObject({
        kind: 'usage',
        message: 'xml files cannot be merged',
        hint: 'export the parts as csv, tsv, ndjson or json',
      });
      // Parquet is made of the service's own records.
      for (const change of [{ flat: true }, { format: 'csv', excel: false }])
        await expect(merge(setup, await alone('other-1', change), 'all.parquet')).rejects.toMatchObject({
          kind: 'usage',
          message: `the parts are ${change.format ?? 'ndjson'}, not parquet`,
          hint: `name a file that ends in .${change.format ?? 'ndjson'}`,
        });
      await expect(merge(setup, [], 'all.ndjson')).rejects.toThrow('no parts to merge');
      await expect(merge(setup, parts, 'all.csv')).rejects.toThrow('the parts are ndjson, not csv');
      await expect(merge(setup, parts, 'part-1.ndjson')).rejects.toThrow('would replace');
      const left = (await readdir(setup.folder)).filter((name) => /part\.new$|lock$/.test(name));
      expect(left).toEqual([]);
      await expect(readFile(path('all.ndjson'))).rejects.toThrow();
    }));

  it('whose manifests do not tell what is in the files is refused', () =>
    withMuseum({}, async (setup) => {
      const parts = await exportParts(setup, 'csv', 2, { format: 'csv' });
      const [one = ''] = parts;
      const manifest = JSON.parse(await readFile(`${one}.manifest.json`, 'utf8')) as Manifest;
      const { files, columns } = manifest;
      const ROWS: [Partial<Manifest>, string][] = [
        [{ files: [] }, '"part-1.csv.manifest.json" holds 0 records; the manifest says 100'],
        [{ records: 9 }, '"part-1.csv.manifest.json" holds 100 records; the manifest says 9'],
        [{ rows: 11 }, '"part-1.csv.manifest.json" holds 100 rows; the manifest says 11'],
        [{ columns: [] }, 'the columns of "part-1.csv" are not those of its manifest'],
        [{ columns: columns.toReversed() }, 'the columns of "part-1.csv" are not those of its manifest'],
        [{ columns: Array(1e5).fill('id') }, 'the columns of "part-1.csv" are not those of its manifest'],
        [{ files: [{ ...(files[0] as ManifestFile), name: 'folder' }] }, '"folder" is not a regular file'],
      ];
      await mkdir(setup.path('folder'));
      for (const [change, message] of ROWS) {
        await writeFile(`${one}.manifest.json`, JSON.stringify({ ...manifest, ...change }));
        await expect(
          merge(setup, [`${one}.manifest.json`, ...parts.slice(1)], 'all.csv'),
          message,
        ).rejects.toMatchObject({ kind: 'incomplete', message });
        expect(await exists(setup.path('all.csv')), message).toBe(false);
      }
    }));

  it('in which records are missing is refused, and nothing is written', () =>
    withMuseum({ quirks: { shuffles: true } }, async (setup) => {
      const parts = await exportParts(setup, 'ids', 3, { format: 'ids' });
      await expect(merge(setup, parts, 'all.ids')).rejects.toThrow(
        /^\d+ of 163 records are in none of the parts$/,
      );
      await expect(readFile(setup.path('all.ids'))).rejects.toThrow();
    }));

  it('in which records are missing that no slice reaches is refused with what they are', async () => {
    const records = Array.from({ length: 200 }, (_, n): SmallRecord => ({ id: [String(1000 + n)] }));
    await withService(await startSmallService({ records, window: 60 }), async (setup) => {
      const parts = await exportParts(setup, 'ids', 2, { format: 'ids', window: 60 });
      await expect(merge(setup, parts, 'all.ids')).rejects.toMatchObject({
        message: '140 of 200 records are in none of the parts: 140 records of all records beyond the window',
        hint: 'the service gives no way to these records; look for them with --where',
      });
    });
  });

  const added: SmallRecord = { id: ['9'] };
  const shifts = (all: SmallRecord[]) => all.push(added) && all.shift();
  const SHIFTED = /^".*last.*" does not begin where the part before it ends$/;
  it.each<[string, 'ndjson' | 'csv' | 'ids', (records: SmallRecord[]) => void, RegExp]>([
    ['gained one', 'ids', (all) => all.push(added), /the total is 300 in one and 301 in the other/],
    ['has another order', 'ids', (all) => all.reverse(), /^100 of 300 records are in none of the parts$/],
    ['gained as many as it lost', 'ids', shifts, SHIFTED],
    ['gained as many as it lost', 'csv', shifts, SHIFTED],
    ['gained as many as it lost', 'ndjson', shifts, SHIFTED],
  ])('of a service that %s before the last part, as %s, is refused', async (_, format, move, message) => {
    const records = Array.from({ length: 300 }, (_, n): SmallRecord => ({ id: [String(1000 + n)] }));
    await withService(await startSmallService({ records, window: 1000 }), async (setup) => {
      const options = { ...USUAL, format, pageSize: 50 };
      const [one = '', two = ''] = await exportParts(setup, format, 3, options);
      move(records);
      await setup.run('last', { ...options, part: { number: 3, of: 3 }, extra: { part: '3/3' } });
      await expect(merge(setup, [one, two, setup.path('last')], 'all')).rejects.toThrow(message);
      await expect(readFile(setup.path('all'))).rejects.toThrow();
    });
  });
});
