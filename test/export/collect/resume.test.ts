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

/** As a run leaves it that was killed on this machine: no process has this number. */
const STALE_LOCK = await createStaleLock();

async function createStaleLock(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-lock-'));
  const lock = await acquireLock(join(folder, 'lock'), 'target');
  const owner = JSON.parse(await readFile(join(folder, 'lock'), 'utf8')) as object;
  await lock.release();
  await rm(folder, { recursive: true });
  return JSON.stringify({ ...owner, pid: 999_999_999, id: 'another' });
}

async function contentOf({ folder, text }: ExportSetup): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.manifest.json'));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await text(name)])));
}

/** Size and SHA-256 of a file, by no code of ours. */
async function digest(path: string): Promise<[number, string]> {
  const content = await readFile(path);
  return [content.length, createHash('sha256').update(content).digest('hex')];
}

async function emptied({ folder }: ExportSetup): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}

describe('a run that dies', () => {
  it('when its files are in place is not continued: the next one reads all records anew', () =>
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

  it.each(SHAPES)('at any page is resumed to the same %s', (name, options) =>
    withMuseum({ records: 90 }, async (setup) => {
      await setup.run(name, options);
      const whole = await contentOf(setup);
      await emptied(setup);
      // What a kill leaves behind at each moment: the files as they are then.
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
          await emptied(setup);
          cpSync(moment, setup.folder, { recursive: true });
          // The lock of a process that is gone.
          await writeFile(setup.path(`${name}.lock`), STALE_LOCK);
          const outcome = await setup.run(name, { ...options, resume: true });
          expect(outcome.complete).toBe(true);
          expect(outcome.manifest).toMatchObject({ records: 90, received: 90, duplicates: 0 });
          expect(same(await contentOf(setup), whole)).toBe(true);
          expect(outcome.manifest.files.length).toBeGreaterThan(0);
          for (const { name: file, bytes, sha256 } of outcome.manifest.files)
            expect([bytes, sha256]).toEqual(await digest(setup.path(file)));
        }
      });
    }),
  );

  it('several times is resumed to the same file', () =>
    withMuseum({ records: 130 }, async ({ run, text, path }) => {
      await run('whole.csv', { format: 'csv' });
      let deaths = 0;
      for (let resume = false; deaths < 3; resume = true, deaths++) {
        let pages = 0;
        const death = run('out.csv', {
          format: 'csv',
          resume,
          onProgress: () => {
            if (++pages === 2) throw new Error('death');
          },
        });
        await expect(death).rejects.toMatchObject({ hint: expect.stringContaining('--resume') });
      }
      const outcome = await run('out.csv', { format: 'csv', resume: true });
      expect(outcome.manifest).toMatchObject({ records: 130, received: 130, resumed: 3 });
      expect((await text('out.csv')) === (await text('whole.csv'))).toBe(true);
      await expect(readFile(path('out.csv.part'))).rejects.toThrow();
    }));

  it.each([
    ['heads of one’s own', { columns: 'maker_name=maker,id=nr' }, '', /^maker,nr\n/],
    ['the columns of an earlier file', {}, 'gone,name', /image\.url,gone,name,accession_no,/],
    ['names for databases', { sqlNames: true }, 'gone,name', /,image_url,gone,name,accession_no,/],
  ])('keeps %s when it is resumed', (_, options, kept, head) =>
    withMuseum({ records: 90 }, async ({ run, text, path }) => {
      for (const name of ['whole.csv', 'out.csv']) {
        const { manifest } = await run(name, { format: 'csv', ...options });
        const columns = [...RECORD_COLUMN_NAMES, ...kept.split(',')];
        await writeFile(path(`${name}.manifest.json`), JSON.stringify({ ...manifest, columns }));
      }
      await run('whole.csv', { format: 'csv', ...options });
      let pages = 0;
      const death = run('out.csv', {
        format: 'csv',
        ...options,
        onProgress: () => {
          if (++pages === 2) throw new Error('death');
        },
      });
      await expect(death).rejects.toThrow();
      const { manifest } = await run('out.csv', { format: 'csv', ...options, resume: true });
      expect(manifest.resumed).toBe(1);
      expect(await text('out.csv')).toMatch(head);
      expect(await text('out.csv')).toBe(await text('whole.csv'));
    }),
  );

  it('is told apart from another job, by name', () =>
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
    ['the normal form', { format: 'json', flat: true }, 'out.csv'],
    ['rows of several values', { multi: 'rows=maker_name', excel: true }, 'out.csv'],
    ['several files', { split: 40 }, 'out-002.csv'],
  ])('is resumed to %s', (_, options, file) =>
    withMuseum({ records: 90 }, async ({ run, text }) => {
      const shape = { format: 'csv', ...options } as const;
      await run('whole.csv', shape);
      const death = run('out.csv', { format: 'csv', onProgress: () => expect.unreachable() });
      await expect(death).rejects.toThrow();
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

  it('with a checkpoint of another format is refused', () =>
    withMuseum({ records: 90 }, async ({ run, path }) => {
      await writeFile(path('out.csv.part.json'), '{"format":0}');
      await expect(run('out.csv', { format: 'csv', resume: true })).rejects.toThrow('(format 0');
    }));

  it('without a checkpoint begins anew', () =>
    withMuseum({ records: 30 }, async ({ run, path }) => {
      await writeFile(path('out.csv.part'), '{"objectName":"half a li');
      expect(await run('out.csv', { format: 'csv', resume: true })).toMatchObject({ complete: true });
    }));

  it.each(['out.csv.part'])('and whose %s is lost says to start again', (lost) =>
    withMuseum({ records: 90 }, async ({ run, path }) => {
      // Not even the export that stood there passes for what the run would have brought.
      await run('out.csv', { format: 'csv' });
      const death = run('out.csv', { format: 'csv', onProgress: () => expect.unreachable() });
      await expect(death).rejects.toThrow();
      await rm(path(lost));
      await expect(run('out.csv', { format: 'csv', resume: true })).rejects.toMatchObject({
        kind: 'incomplete',
        message: `cannot resume "${path(lost)}": the folder or file does not exist`,
        hint: 'start again with --force',
      });
    }),
  );

  it.each(['out.csv.part'])('and whose %s was damaged on the disk says to start again', (damaged) =>
    withMuseum({ records: 90 }, async ({ run, path }) => {
      const death = run('out.csv', { format: 'csv', onProgress: () => expect.unreachable() });
      await expect(death).rejects.toThrow();
      const bytes = await readFile(path(damaged));
      expect(bytes.length).toBeGreaterThan(100);
      // Of the same length, as a disk leaves it that lost a block.
      await writeFile(path(damaged), bytes.fill(0, 40, 60));
      await expect(run('out.csv', { format: 'csv', resume: true })).rejects.toMatchObject({
        kind: 'incomplete',
        message: `cannot resume "${path(damaged)}": its content has changed`,
        hint: 'start again with --force',
      });
    }),
  );

  it('between its last renames is ended', () =>
    withMuseum({ records: 30 }, async ({ run, path, text }) => {
      await run('out.csv', { format: 'csv' });
      const whole = await text('out.csv');
      const manifest = await text('out.csv.manifest.json');
      await expect(
        run('out.csv', { format: 'csv', onProgress: () => expect.unreachable() }),
      ).rejects.toThrow();
      await rename(path('out.csv.manifest.json'), path('out.csv.manifest.json.pending'));
      const outcome = await run('out.csv', { format: 'csv', resume: true });
      expect(outcome).toMatchObject({ complete: true });
      expect([await text('out.csv'), manifest === (await text('out.csv.manifest.json'))]).toEqual([
        whole,
        false,
      ]);
      expect((await readdir(path('.'))).sort()).toEqual(['out.csv', 'out.csv.manifest.json']);
    }));
});

describe('an interrupted run', () => {
  it('keeps what it has, says how to go on, and goes on', () =>
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

describe('the target', () => {
  it('is written by one run at a time', () =>
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

  it('is written also where a run has died that had the number of this one, as in a container started again', () =>
    withMuseum({ records: 130 }, async ({ run, path }) => {
      await writeFile(path('out.csv.lock'), JSON.stringify({ ...JSON.parse(STALE_LOCK), pid: process.pid }));
      expect(await run('out.csv', { format: 'csv' })).toMatchObject({ complete: true });
    }));

  it('in a folder that is not there is refused before anything is asked', () =>
    withMuseum({ records: 5 }, async ({ run }) => {
      await expect(run('no/such/out.csv', { format: 'csv' })).rejects.toMatchObject({
        kind: 'internal',
        message: expect.stringContaining('no/such" does not exist'),
      });
    }));

  it('whose folder vanishes is an error that names the part', () =>
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

  it('on a full disk is an error that says so (needs /dev/full)', async () => {
    // Every write to this device fails as on a full disk.
    const part = await AppendFile.create('/dev/full');
    await expect(part.append(Buffer.from('a line'))).rejects.toMatchObject({
      kind: 'internal',
      message: 'cannot write "/dev/full": the disk is full',
    });
    // What was lost stays lost: no checkpoint may be written after it.
    await expect(part.sync()).rejects.toThrow('the disk is full');
    await part.close();
  });
});

function same(one: Record<string, string>, other: Record<string, string>): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
