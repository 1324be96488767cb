/** One export to several files (`-o` repeated) writes the same bytes as separate exports, but reads the service once. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../src/export/convert/formats.js';
import type { ExportFile } from '../../src/export/export-records.js';
import { verifyFile } from '../../src/export/verify/verify-files.js';
import { type ExportSetup, withMuseum } from './export-setup.js';

function createExportFile(
  { path }: ExportSetup,
  name: string,
  format: ExportFormat,
  more: object = {},
): ExportFile {
  return { target: path(name), formatOptions: { kind: 'objects', format, ...more } };
}

const NAMES = ['o.ndjson', 'o.csv.gz', 'o.parquet', 'o.ids'] as const;

function createOtherFiles(setup: ExportSetup): readonly ExportFile[] {
  return [
    createExportFile(setup, 'o.csv.gz', 'csv'),
    createExportFile(setup, 'o.parquet', 'parquet'),
    createExportFile(setup, 'o.ids', 'ids'),
  ];
}

async function listExportFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => !name.endsWith('.manifest.json')).sort();
}

it('writes the same bytes as a separate export to each file', () =>
  withMuseum({ records: 90 }, async (setup) => {
    const { run, path, folder } = setup;
    const outcome = await run('o.ndjson', { format: 'ndjson', additionalFiles: createOtherFiles(setup) });
    expect(outcome).toMatchObject({ complete: true, files: [path('o.ndjson')] });
    expect(outcome.outputs.map(({ files }) => files)).toEqual(NAMES.map((name) => [path(name)]));
    expect(await listExportFiles(folder)).toEqual([...NAMES].sort());
    for (const [n, name] of NAMES.entries()) {
      expect((await verifyFile(path(name))).problems).toEqual([]);
      const { manifest } = outcome.outputs[n] as (typeof outcome.outputs)[number];
      expect(manifest.records).toBe(90);
      await run(`alone-${name}`, { format: manifest.job.format as ExportFormat });
      expect(await readFile(path(name))).toEqual(await readFile(path(`alone-${name}`)));
    }
  }));

it('refuses the same path for two files', () =>
  withMuseum({ records: 5 }, async (setup) => {
    const additionalFiles = [createExportFile(setup, 'o.csv', 'csv')];
    await expect(setup.run('o.csv', { format: 'csv', additionalFiles })).rejects.toMatchObject({
      kind: 'usage',
      message: `"${setup.path('o.csv')}" is named twice`,
    });
  }));

it('refuses two paths of the same file', () =>
  withMuseum({ records: 5 }, async (setup) => {
    await mkdir(setup.path('real'));
    await symlink(setup.path('real'), setup.path('link'));
    const additionalFiles = [createExportFile(setup, 'link/o.csv', 'csv')];
    await expect(setup.run('real/o.csv', { format: 'csv', additionalFiles })).rejects.toMatchObject({
      kind: 'usage',
      message: `"${setup.path('link/o.csv')}" is named twice`,
    });
  }));

it('writes no file if one of the files cannot be written', () =>
  withMuseum({ records: 30 }, async (setup) => {
    const { run, path, folder } = setup;
    await mkdir(path('o.csv.gz.part.new'));
    const failed = run('o.ndjson', { format: 'ndjson', additionalFiles: createOtherFiles(setup) });
    await expect(failed).rejects.toMatchObject({ kind: 'incomplete' });
    await rm(path('o.csv.gz.part.new'), { recursive: true });
    expect(await listExportFiles(folder)).toEqual(['o.ndjson.part', 'o.ndjson.part.json']);
    expect(
      await run('o.ndjson', { format: 'ndjson', additionalFiles: createOtherFiles(setup), resume: true }),
    ).toMatchObject({
      complete: true,
      manifest: { records: 30, resumed: 1 },
    });
  }));

it('writes the records of an incomplete export to separate files in every format', () =>
  withMuseum(
    { records: 45, faults: [{ kind: 'status', status: 500, after: 2, count: 5 }] },
    async (setup) => {
      const { run, folder } = setup;
      const additionalFiles = [createExportFile(setup, 'p.csv', 'csv')];
      expect((await run('o.ids', { format: 'ids', additionalFiles, concurrency: 1 })).complete).toBe(false);
      const left = ['o.ids.part', 'o.ids.part.json', 'o.incomplete.ids', 'p.incomplete.csv'];
      expect(await listExportFiles(folder)).toEqual(left);
      expect((await run('o.ids', { format: 'ids', additionalFiles, resume: true })).complete).toBe(true);
      expect(await listExportFiles(folder)).toEqual(['o.ids', 'p.csv']);
    },
  ));

describe('stopped run', () => {
  /** Starts an export that stops after the first page. */
  async function startAndStop(
    { run, path }: ExportSetup,
    first: string,
    additionalFiles: readonly ExportFile[],
  ) {
    const stoppedRun = run(first, {
      format: 'ndjson',
      additionalFiles,
      onProgress: () => expect.unreachable(),
    });
    await expect(stoppedRun).rejects.toThrow();
    expect(existsSync(path(`${first}.part`))).toBe(true);
  }

  it('is resumed even if the files have another order', () =>
    withMuseum({ records: 90 }, async (setup) => {
      const { run, folder } = setup;
      await startAndStop(setup, 'o.ndjson', createOtherFiles(setup));
      const additionalFiles = [createExportFile(setup, 'o.ndjson', 'ndjson')];
      const outcome = await run('o.csv.gz', { format: 'csv', additionalFiles, resume: true });
      expect(outcome.manifest).toMatchObject({ resumed: 1, records: 90 });
      expect(await listExportFiles(folder)).toEqual(['o.csv.gz', 'o.ndjson']);
    }));

  it('is removed after a run that was killed before its first checkpoint', () =>
    withMuseum({ records: 20 }, async (setup) => {
      await writeFile(setup.path('o.ndjson.part'), '{}\n');
      const additionalFiles = [createExportFile(setup, 'o.ndjson', 'ndjson')];
      await setup.run('o.csv.gz', { format: 'csv', additionalFiles });
      expect(await listExportFiles(setup.folder)).toEqual(['o.csv.gz', 'o.ndjson']);
    }));

  it('causes an error if it belongs to another export at one of the paths', () =>
    withMuseum({ records: 90 }, async (setup) => {
      await startAndStop(setup, 'o.ndjson', []);
      const additionalFiles = [createExportFile(setup, 'o.ndjson', 'ndjson')];
      const other = { format: 'csv', additionalFiles, selection: { other: true } } as const;
      await expect(setup.run('p.csv', other)).rejects.toMatchObject({ kind: 'usage' });
      expect((await setup.run('p.csv', { ...other, force: true })).complete).toBe(true);
    }));

  it('is finished by the next run if it stopped between its last renames', () =>
    withMuseum({ records: 30 }, async (setup) => {
      const { run, path, folder } = setup;
      const options = { format: 'ndjson', additionalFiles: createOtherFiles(setup) } as const;
      await startAndStop(setup, 'o.ndjson', createOtherFiles(setup));
      const checkpoint = await readFile(path('o.ndjson.part.json'));
      const part = await readFile(path('o.ndjson.part'));
      await run('o.ndjson', { ...options, resume: true });
      const content = await readFile(path('o.csv.gz'));
      await rename(path('o.ndjson.manifest.json'), path('o.ndjson.manifest.json.pending'));
      await writeFile(path('o.ndjson.part.json'), checkpoint);
      await writeFile(path('o.ndjson.part'), part);
      await rm(path('o.csv.gz'));
      const again = await run('o.ndjson', { ...options, resume: true });
      expect([again.complete, again.outputs.length]).toEqual([true, 4]);
      expect(await readFile(path('o.csv.gz'))).toEqual(content);
      expect(await listExportFiles(folder)).toEqual([...NAMES].sort());
    }));
});
