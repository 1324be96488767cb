/** The ends of runs: one that died between its last renames, and what an incomplete one left. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { targetOf } from '../../src/export/target.js';
import { recoverOutputs } from '../../src/export/write-outputs.js';
import { EMPTY_MANIFEST } from './empty-manifest.js';
import { type ExportSetupOptions, withFolder, withMuseum } from './export-setup.js';

const STARTED = '2026-01-01T00:00:00.000Z';
const FILE = {
  name: 'o.csv',
  bytes: 3,
  sha256: createHash('sha256').update('id\n').digest('hex'),
  records: 0,
};
const MANIFEST = { ...EMPTY_MANIFEST, files: [FILE], started: STARTED, columns: ['id'] };

const PENDING = 'o.csv.manifest.json.pending';
const PLACE = 'o.csv.manifest.json';

it.each<[string, string, object, string | undefined, boolean]>([
  ['whose manifest waits', PENDING, {}, 'id\n', true],
  ['that lacks only the end of its part', PLACE, {}, 'id\n', true],
  ['of another time', PENDING, { started: 'once' }, 'id\n', false],
  ['without its file', PENDING, {}, undefined, false],
  ['whose file is longer', PENDING, {}, 'id\n\n', false],
  ['whose file holds something else', PENDING, {}, 'ix\n', false],
  [
    'whose file is as long as it says, and another',
    PENDING,
    { files: [{ ...FILE, bytes: 4 }] },
    'id\n',
    false,
  ],
  [
    'of two files, one of which is missing',
    PENDING,
    { files: [FILE, { ...FILE, name: 'b' }] },
    'id\n',
    false,
  ],
  ['of a folder', PENDING, { files: [{ ...FILE, name: 'folder' }] }, 'id\n', false],
  ['whose manifest is damaged', PENDING, { files: 7 }, 'id\n', false],
])('a run %s: %s', (_, place, change, content, isDone) =>
  withFolder(async (path) => {
    const target = targetOf(path('o.csv'));
    await mkdir(path('folder'));
    await writeFile(path(place), JSON.stringify({ ...MANIFEST, ...change }));
    await writeFile(target.part, 'id\n');
    if (content !== undefined) await writeFile(target.path, content);
    const outputs = [{ target, spec: MANIFEST.job as never }];
    const found = await recoverOutputs(outputs, target, { started: STARTED } as never);
    const written = isDone ? [{ path: target.path, manifest: MANIFEST }] : undefined;
    expect(found).toEqual({ written, isMoved: isDone });
    const left = (await readdir(path('.'))).filter((name) => name !== 'folder').sort();
    const before = [...(content === undefined ? [] : ['o.csv']), place, 'o.csv.part'].sort();
    expect(left).toEqual(isDone ? ['o.csv', PLACE] : before);
  }),
);

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
      expect((await run('o.ids', { ...job, extra: { other: true }, force: true })).complete).toBe(true);
      expect((await readdir(folder)).sort()).toEqual([...whole, ...left]);
      expect((await run('o.ids', job)).complete).toBe(true);
      expect((await readdir(folder)).sort()).toEqual(whole);
    },
  ));

describe('the part of a finished run', () => {
  it.each<[string, ExportSetupOptions, boolean]>([
    ['o.ndjson', { format: 'ndjson' }, true],
    ['o.ndjson', { format: 'ndjson', split: 100 }, false],
    ['o.ndjson', { format: 'ndjson', flat: true }, false],
    ['o.ndjson.gz', { format: 'ndjson' }, false],
    ['o.json', { format: 'json' }, false],
    ['o.csv', { format: 'csv', columns: 'id' }, false],
    ['o.ids', { format: 'ids' }, false],
  ])('of %s %j is the file: %s', (name, options, isFile) =>
    withMuseum({ records: 45 }, async ({ run, path }) => {
      let part: number | undefined;
      const { complete } = await run(name, {
        ...options,
        onProgress: () => {
          part = statSync(path(`${name}.part`)).ino;
        },
      });
      expect([complete, (await stat(path(name)).catch(() => undefined))?.ino === part]).toEqual([
        true,
        isFile,
      ]);
    }),
  );

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
