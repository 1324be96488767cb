/** One export into several files (`-o` repeated): the same bytes as an export into each alone, from one reading of the service. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../src/export/convert/formats.js';
import type { ExportFile } from '../../src/export/export-records.js';
import { verifyFile } from '../../src/export/verify/verify-files.js';
import { type ExportSetup, withMuseum } from './export-setup.js';

function file({ path }: ExportSetup, name: string, format: ExportFormat, more: object = {}): ExportFile {
  return { target: path(name), formatOptions: { kind: 'objects', format, ...more } };
}

const NAMES = ['o.ndjson', 'o.csv.gz', 'o.parquet', 'o.ids'] as const;

function others(setup: ExportSetup): readonly ExportFile[] {
  return [file(setup, 'o.csv.gz', 'csv'), file(setup, 'o.parquet', 'parquet'), file(setup, 'o.ids', 'ids')];
}

async function withoutManifests(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => !name.endsWith('.manifest.json')).sort();
}

it('writes the bytes that an export into each file alone writes', () =>
  withMuseum({ records: 90 }, async (setup) => {
    const { run, path, folder } = setup;
    const outcome = await run('o.ndjson', { format: 'ndjson', additionalFiles: others(setup) });
    expect(outcome).toMatchObject({ complete: true, files: [path('o.ndjson')] });
    expect(outcome.outputs.map(({ files }) => files)).toEqual(NAMES.map((name) => [path(name)]));
    expect(await withoutManifests(folder)).toEqual([...NAMES].sort());
    for (const [n, name] of NAMES.entries()) {
      expect((await verifyFile(path(name))).problems).toEqual([]);
      const { manifest } = outcome.outputs[n] as (typeof outcome.outputs)[number];
      expect(manifest.records).toBe(90);
      await run(`alone-${name}`, { format: manifest.job.format as ExportFormat });
      expect(await readFile(path(name))).toEqual(await readFile(path(`alone-${name}`)));
    }
  }));

it('refuses one name for two files', () =>
  withMuseum({ records: 5 }, async (setup) => {
    const additionalFiles = [file(setup, 'o.csv', 'csv')];
    await expect(setup.run('o.csv', { format: 'csv', additionalFiles })).rejects.toMatchObject({
      kind: 'usage',
      message: `"${setup.path('o.csv')}" is named twice`,
    });
  }));

it('refuses two names of one file', () =>
  withMuseum({ records: 5 }, async (setup) => {
    await mkdir(setup.path('real'));
    await symlink(setup.path('real'), setup.path('link'));
    const additionalFiles = [file(setup, 'link/o.csv', 'csv')];
    await expect(setup.run('real/o.csv', { format: 'csv', additionalFiles })).rejects.toMatchObject({
      kind: 'usage',
      message: `"${setup.path('link/o.csv')}" is named twice`,
    });
  }));

it('replaces no file when one of them cannot be written', () =>
  withMuseum({ records: 30 }, async (setup) => {
    const { run, path, folder } = setup;
    await mkdir(path('o.csv.gz.part.new'));
    const failed = run('o.ndjson', { format: 'ndjson', additionalFiles: others(setup) });
    await expect(failed).rejects.toMatchObject({ kind: 'incomplete' });
    await rm(path('o.csv.gz.part.new'), { recursive: true });
    expect(await withoutManifests(folder)).toEqual(['o.ndjson.part', 'o.ndjson.part.json']);
    expect(
      await run('o.ndjson', { format: 'ndjson', additionalFiles: others(setup), resume: true }),
    ).toMatchObject({
      complete: true,
      manifest: { records: 30, resumed: 1 },
    });
  }));

it('keeps apart what an incomplete export got, in every format', () =>
  withMuseum(
    { records: 45, faults: [{ kind: 'status', status: 500, after: 2, count: 5 }] },
    async (setup) => {
      const { run, folder } = setup;
      const additionalFiles = [file(setup, 'p.csv', 'csv')];
      expect((await run('o.ids', { format: 'ids', additionalFiles, concurrency: 1 })).complete).toBe(false);
      const left = ['o.ids.part', 'o.ids.part.json', 'o.incomplete.ids', 'p.incomplete.csv'];
      expect(await withoutManifests(folder)).toEqual(left);
      expect((await run('o.ids', { format: 'ids', additionalFiles, resume: true })).complete).toBe(true);
      expect(await withoutManifests(folder)).toEqual(['o.ids', 'p.csv']);
    },
  ));

describe('a run that was killed', () => {
  /** Stops after the first page. */
  async function stopped({ run, path }: ExportSetup, first: string, additionalFiles: readonly ExportFile[]) {
    const death = run(first, { format: 'ndjson', additionalFiles, onProgress: () => expect.unreachable() });
    await expect(death).rejects.toThrow();
    expect(existsSync(path(`${first}.part`))).toBe(true);
  }

  it('is continued whatever the order of the files', () =>
    withMuseum({ records: 90 }, async (setup) => {
      const { run, folder } = setup;
      await stopped(setup, 'o.ndjson', others(setup));
      const additionalFiles = [file(setup, 'o.ndjson', 'ndjson')];
      const outcome = await run('o.csv.gz', { format: 'csv', additionalFiles, resume: true });
      expect(outcome.manifest).toMatchObject({ resumed: 1, records: 90 });
      expect(await withoutManifests(folder)).toEqual(['o.csv.gz', 'o.ndjson']);
    }));

  it('of another export at any of the files is refused', () =>
    withMuseum({ records: 90 }, async (setup) => {
      await stopped(setup, 'o.ndjson', []);
      const additionalFiles = [file(setup, 'o.ndjson', 'ndjson')];
      const other = { format: 'csv', additionalFiles, selection: { other: true } } as const;
      await expect(setup.run('p.csv', other)).rejects.toMatchObject({ kind: 'usage' });
      expect((await setup.run('p.csv', { ...other, force: true })).complete).toBe(true);
    }));

  it('between its last renames is ended', () =>
    withMuseum({ records: 30 }, async (setup) => {
      const { run, path, folder } = setup;
      const options = { format: 'ndjson', additionalFiles: others(setup) } as const;
      await stopped(setup, 'o.ndjson', others(setup));
      const checkpoint = await readFile(path('o.ndjson.part.json'));
      const part = await readFile(path('o.ndjson.part'));
      await run('o.ndjson', { ...options, resume: true });
      const whole = await readFile(path('o.csv.gz'));
      await rename(path('o.ndjson.manifest.json'), path('o.ndjson.manifest.json.pending'));
      await writeFile(path('o.ndjson.part.json'), checkpoint);
      await writeFile(path('o.ndjson.part'), part);
      await rm(path('o.csv.gz'));
      const again = await run('o.ndjson', { ...options, resume: true });
      expect([again.complete, again.outputs.length]).toEqual([true, 4]);
      expect(await readFile(path('o.csv.gz'))).toEqual(whole);
      expect(await withoutManifests(folder)).toEqual([...NAMES].sort());
    }));
});
