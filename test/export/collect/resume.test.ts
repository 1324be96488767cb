import { createHash } from 'node:crypto';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/service/errors.js';
import { RECORD_COLUMN_NAMES } from '../../../src/service/records/columns.js';
import { AppendFile } from '../../../src/system/append-file.js';
import { acquireLock } from '../../../src/system/lock.js';
import { type ExportSetup, type ExportSetupOptions, withMuseum } from '../export-setup.js';

const SHAPES: readonly (readonly [name: string, options: ExportSetupOptions])[] = [
  ['out.ndjson', { format: 'ndjson' }],
  ['out.json', { format: 'json' }],
  ['out.csv', { format: 'csv' }],
  ['all.csv', { format: 'csv', columns: 'all', excel: true }],
  ['rows.tsv', { format: 'tsv', multi: 'rows=maker_name,production_role' }],
  ['out.csv.gz', { format: 'csv' }],
  ['split.csv', { format: 'csv', split: 33 }],
];

/** The lock of a run that was killed on this machine. No process has this id. */
const STALE_LOCK = await createStaleLock();

async function createStaleLock(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-lock-'));
  const lock = await acquireLock(join(folder, 'lock'), 'target');
  const owner = JSON.parse(await readFile(join(folder, 'lock'), 'utf8')) as object;
  await lock.release();
  await rm(folder, { recursive: true });
  return JSON.stringify({ ...owner, pid: 999_999_999, id: 'another' });
}

async function readContent({ folder, text }: ExportSetup): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.manifest.json'));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await text(name)])));
}

/** Returns the size and the SHA-256 of a file without the code under test. */
async function computeDigest(path: string): Promise<[number, string]> {
  const content = await readFile(path);
  return [content.length, createHash('sha256').update(content).digest('hex')];
}

async function emptyFolder({ folder }: ExportSetup): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}

describe('stopped export', () => {
  it('is not resumed if its files are complete: the next run reads all records again', () =>
    withMuseum({ records: 90 }, async (setup) => {
      const left = ['out.ndjson.part', 'out.ndjson.part.json'];
      const before = await setup.run('out.ndjson', {
        onProgress: () => {
          for (const name of left.filter((each) => existsSync(setup.path(each))))
            cpSync(setup.path(name), setup.path(`${name}.copy`));
        },
      });
      for (const name of left) await rename(setup.path(`${name}.copy`), setup.path(name));
      const prior: unknown[] = [];
      const { manifest } = await setup.run('out.ndjson', { resume: true, onStart: (run) => prior.push(run) });
      expect(prior).toEqual([{ resumed: undefined, discarded: 0 }]);
      expect(manifest).toMatchObject({ complete: true, resumed: 0, received: 90 });
      expect(manifest.started).not.toBe(before.manifest.started);
      expect(await readdir(setup.folder)).toEqual(['out.ndjson', 'out.ndjson.manifest.json']);
    }));

  it.each(SHAPES)('is resumed from any page to the same %s', (name, options) =>
    withMuseum({ records: 90 }, async (setup) => {
      await setup.run(name, options);
      const complete = await readContent(setup);
      await emptyFolder(setup);
      // The files that remain after a kill at each page.
      const moments: string[] = [];
      await withMuseum({}, async ({ folder }) => {
        await setup.run(name, {
          ...options,
          onProgress: () => {
            const moment = join(folder, String(moments.length));
            cpSync(setup.folder, moment, { recursive: true });
            moments.push(moment);
          },
        });
        expect(moments.length).toBeGreaterThan(3);
        for (const moment of moments) {
          await emptyFolder(setup);
          cpSync(moment, setup.folder, { recursive: true });
          // The lock of a process that no longer exists.
          await writeFile(setup.path(`${name}.lock`), STALE_LOCK);
          const outcome = await setup.run(name, { ...options, resume: true });
          expect(outcome.complete).toBe(true);
          expect(outcome.manifest).toMatchObject({ records: 90, received: 90, duplicates: 0 });
          expect(isEqual(await readContent(setup), complete)).toBe(true);
          expect(outcome.manifest.files.length).toBeGreaterThan(0);
          for (const { name: file, bytes, sha256 } of outcome.manifest.files)
            expect([bytes, sha256]).toEqual(await computeDigest(setup.path(file)));
        }
      });
    }),
  );

  it('is resumed to the same file after it stopped several times', () =>
    withMuseum({ records: 130 }, async ({ run, text, path }) => {
      await run('whole.csv', { format: 'csv' });
      let stops = 0;
      for (let resume = false; stops < 3; resume = true, stops++) {
        let pages = 0;
        const stoppedRun = run('out.csv', {
          format: 'csv',
          resume,
          onProgress: () => {
            if (++pages === 2) throw new Error('death');
          },
        });
        await expect(stoppedRun).rejects.toMatchObject({ hint: expect.stringContaining('--resume') });
      }
      const outcome = await run('out.csv', { format: 'csv', resume: true });
      expect(outcome.manifest).toMatchObject({ records: 130, received: 130, resumed: 3 });
      expect((await text('out.csv')) === (await text('whole.csv'))).toBe(true);
      await expect(readFile(path('out.csv.part'))).rejects.toThrow();
    }));

  it.each([
    ['custom headers', { columns: 'maker_name=maker,id=nr' }, '', /^maker,nr\n/],
    ['the columns of an earlier file', {}, 'gone,name', /image\.url,gone,name,accession_no,/],
    ['SQL names', { sqlNames: true }, 'gone,name', /,image_url,gone,name,accession_no,/],
  ])('keeps %s when it is resumed', (_, options, kept, header) =>
    withMuseum({ records: 90 }, async ({ run, text, path }) => {
      for (const name of ['whole.csv', 'out.csv']) {
        const { manifest } = await run(name, { format: 'csv', ...options });
        const columns = [...RECORD_COLUMN_NAMES, ...kept.split(',')];
        await writeFile(path(`${name}.manifest.json`), JSON.stringify({ ...manifest, columns }));
      }
      await run('whole.csv', { format: 'csv', ...options });
      let pages = 0;
      const stoppedRun = run('out.csv', {
        format: 'csv',
        ...options,
        onProgress: () => {
          if (++pages === 2) throw new Error('death');
        },
      });
      await expect(stoppedRun).rejects.toThrow();
      const { manifest } = await run('out.csv', { format: 'csv', ...options, resume: true });
      expect(manifest.resumed).toBe(1);
      expect(await text('out.csv')).toMatch(header);
      expect(await text('out.csv')).toBe(await text('whole.csv'));
    }),
  );

  it('is not resumed by another job, and the error shows the difference', () =>
    withMuseum({ records: 90 }, async ({ run }) => {
      const stop = { onProgress: () => expect.unreachable() };
      await expect(run('out.csv', { format: 'csv', ...stop })).rejects.toThrow();
      const other = run('out.csv', { format: 'csv', resume: true, query: [['view', 'label']] });
      await expect(other).rejects.toThrow(UsageError);
      await expect(other).rejects.toThrow('query was "view=detail" and is now "view=label"');
      const OTHERS: [ExportSetupOptions, string][] = [
        [{ kind: 'persons' }, 'kind was "objects" and is now "persons"'],
        [{ selection: { offset: 20 } }, 'offset was nothing and is now 20'],
      ];
      for (const [options, difference] of OTHERS)
        await expect(run('out.csv', { format: 'csv', resume: true, ...options })).rejects.toThrow(difference);
    }));

  it.each<[string, ExportSetupOptions, string]>([
    ['another format', { format: 'tsv', excel: false }, 'out.csv'],
    ['other columns', { columns: 'id,maker_name', sqlNames: true }, 'out.csv'],
    ['flat JSON', { format: 'json', flat: true }, 'out.csv'],
    ['one row per value', { multi: 'rows=maker_name', excel: true }, 'out.csv'],
    ['several files', { split: 40 }, 'out-002.csv'],
  ])('can be resumed with %s', (_, options, file) =>
    withMuseum({ records: 90 }, async ({ run, text }) => {
      const shape = { format: 'csv', ...options } as const;
      await run('whole.csv', shape);
      const stoppedRun = run('out.csv', { format: 'csv', onProgress: () => expect.unreachable() });
      await expect(stoppedRun).rejects.toThrow();
      const { manifest } = await run('out.csv', { ...shape, resume: true });
      expect(manifest).toMatchObject({
        complete: true,
        records: 90,
        resumed: 1,
        job: { format: shape.format },
      });
      expect(await text(file)).toBe(await text(file.replace('out', 'whole')));
    }),
  );

  it('is not resumed from a checkpoint of another format version', () =>
    withMuseum({ records: 90 }, async ({ run, path }) => {
      await writeFile(path('out.csv.part.json'), '{"format":0}');
      await expect(run('out.csv', { format: 'csv', resume: true })).rejects.toThrow('(format 0');
    }));

  it('starts again if it has no checkpoint', () =>
    withMuseum({ records: 30 }, async ({ run, path }) => {
      await writeFile(path('out.csv.part'), '{"objectName":"half a li');
      expect(await run('out.csv', { format: 'csv', resume: true })).toMatchObject({ complete: true });
    }));

  it.each(['out.csv.part'])('causes an error with the hint to use --force if %s is missing', (lost) =>
    withMuseum({ records: 90 }, async ({ run, path }) => {
      // opac must not mistake the earlier export at the target for the result of the stopped run.
      await run('out.csv', { format: 'csv' });
      const stoppedRun = run('out.csv', { format: 'csv', onProgress: () => expect.unreachable() });
      await expect(stoppedRun).rejects.toThrow();
      await rm(path(lost));
      await expect(run('out.csv', { format: 'csv', resume: true })).rejects.toMatchObject({
        kind: 'incomplete',
        message: `cannot resume "${path(lost)}": the folder or file does not exist`,
        hint: 'start again with --force',
      });
    }),
  );

  it.each(['out.csv.part'])('causes an error with the hint to use --force if %s is damaged', (damaged) =>
    withMuseum({ records: 90 }, async ({ run, path }) => {
      const stoppedRun = run('out.csv', { format: 'csv', onProgress: () => expect.unreachable() });
      await expect(stoppedRun).rejects.toThrow();
      const bytes = await readFile(path(damaged));
      expect(bytes.length).toBeGreaterThan(100);
      // The same length, as after the loss of a disk block.
      await writeFile(path(damaged), bytes.fill(0, 40, 60));
      await expect(run('out.csv', { format: 'csv', resume: true })).rejects.toMatchObject({
        kind: 'incomplete',
        message: `cannot resume "${path(damaged)}": its content has changed`,
        hint: 'start again with --force',
      });
    }),
  );

  it('is finished by the next run if it stopped between its last renames', () =>
    withMuseum({ records: 30 }, async ({ run, path, text }) => {
      await run('out.csv', { format: 'csv' });
      const content = await text('out.csv');
      const manifest = await text('out.csv.manifest.json');
      await expect(
        run('out.csv', { format: 'csv', onProgress: () => expect.unreachable() }),
      ).rejects.toThrow();
      await rename(path('out.csv.manifest.json'), path('out.csv.manifest.json.pending'));
      const outcome = await run('out.csv', { format: 'csv', resume: true });
      expect(outcome).toMatchObject({ complete: true });
      expect([await text('out.csv'), manifest === (await text('out.csv.manifest.json'))]).toEqual([
        content,
        false,
      ]);
      expect((await readdir(path('.'))).sort()).toEqual(['out.csv', 'out.csv.manifest.json']);
    }));
});

describe('interrupted export', () => {
  it('keeps its records, has a hint with --resume, and is resumed to the same file', () =>
    withMuseum({ records: 130 }, async ({ run, text }) => {
      await run('whole.ndjson');
      const interruption = new AbortController();
      const interrupted = run('out.ndjson', {
        signal: interruption.signal,
        onProgress: ({ written }) => {
          if (written >= 60) interruption.abort();
        },
      });
      await expect(interrupted).rejects.toMatchObject({
        kind: 'interrupted',
        hint: expect.stringMatching(/^60 records are in ".*out\.ndjson\.part"; .*--resume/),
      });
      await run('out.ndjson', { resume: true });
      expect((await text('out.ndjson')) === (await text('whole.ndjson'))).toBe(true);
    }));
});

describe('export target', () => {
  it('is written by only one run at a time', () =>
    withMuseum({ records: 130 }, async ({ run }) => {
      let second: Promise<unknown> | undefined;
      await run('out.csv', {
        format: 'csv',
        onProgress: () => {
          second ??= expect(run('out.csv', { format: 'csv' })).rejects.toThrow('another run is writing');
        },
      });
      await second;
      expect(await run('out.csv', { format: 'csv' })).toMatchObject({ complete: true });
    }));

  it('is written although a stale lock has the process id of this run, as in a restarted container', () =>
    withMuseum({ records: 130 }, async ({ run, path }) => {
      await writeFile(path('out.csv.lock'), JSON.stringify({ ...JSON.parse(STALE_LOCK), pid: process.pid }));
      expect(await run('out.csv', { format: 'csv' })).toMatchObject({ complete: true });
    }));

  it('causes an error if its folder does not exist', () =>
    withMuseum({ records: 5 }, async ({ run }) => {
      await expect(run('no/such/out.csv', { format: 'csv' })).rejects.toMatchObject({
        kind: 'internal',
        message: expect.stringContaining('no/such" does not exist'),
      });
    }));

  it('causes an error with the path of the partial file if its folder disappears', () =>
    withMuseum({ records: 130 }, async ({ run, folder }) => {
      const lost = run('out.csv', {
        format: 'csv',
        onProgress: () => rmSync(folder, { recursive: true, force: true }),
      });
      await expect(lost).rejects.toMatchObject({
        kind: 'incomplete',
        message: expect.stringContaining('out.csv.part'),
        hint: expect.stringMatching(
          /^no records were saved; check that the folder exists, .* and run the command again$/,
        ),
      });
    }));

  it('causes an error if the disk is full (needs /dev/full)', async () => {
    // Every write to this device fails as on a full disk.
    const part = await AppendFile.create('/dev/full');
    await expect(part.append(Buffer.from('a line'))).rejects.toMatchObject({
      kind: 'internal',
      message: 'cannot write "/dev/full": the disk is full',
    });
    // opac must write no checkpoint after a failed write.
    await expect(part.sync()).rejects.toThrow('the disk is full');
    await part.close();
  });
});

function isEqual(one: Record<string, string>, other: Record<string, string>): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
