import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../../../../src/mock/index.js';
import { opac, type RunOptions } from '../../../run-in-process.js';

let folder: string;
const path = (name: string) => join(folder, name);
const text = (name: string) => readFile(path(name), 'utf8');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
  return () => rm(folder, { recursive: true });
});

const run = (line: string, options?: RunOptions) =>
  opac(line.replaceAll('%', `${folder}/`).split(' '), options);

describe('an unsupported file extension', () => {
  const extensions = ['sqlite', 'xls', 'ods', 'doc', 'csv.zip', 'dat', 'txt', 'csv.bz2'];
  it.each(extensions)('causes exit code 2 and a list of the supported extensions: .%s', async (extension) => {
    for (const verb of ['export', 'list']) {
      const { code, stderr } = await run(`objects ${verb} --mock -o %out.${extension}`);
      expect(code).toBe(2);
      expect(stderr).toContain(`".${extension.replace('csv.', '')}" is not the file extension of a format`);
      expect(stderr).toContain('.tsv .csv .json .ndjson .jsonl .ids .xlsx');
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('causes another message if it is .html, which only some commands write', async () => {
    for (const verb of ['export', 'list']) {
      const { code, stderr } = await run(`objects ${verb} --mock -o %out.html`);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('cannot write html') });
    }
  });

  it('causes the suggestion .xlsx if it is .xslx', async () => {
    expect((await run('objects export --mock -o %out.xslx')).stderr).toContain('did you mean .xlsx?');
  });

  it('is allowed with -f', async () => {
    expect((await run('objects export --mock -f csv -o %out.dat')).code).toBe(0);
    expect((await run('objects list --mock -f csv -o %list.xls')).code).toBe(0);
    expect(await text('out.dat')).toMatch(/^id,title,/);
    expect(await text('list.xls')).toMatch(/^id,title,/);
  });
});

describe('XLSX', () => {
  it('is also written by list', async () => {
    const { code, stderr } = await run('objects list --mock --columns id,title -o %out.xlsx');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^20 of 163 records written to .*out\.xlsx \(use --all or export\)\n$/),
    });
    const { readXlsx } = await import('hucre');
    const { sheets } = await readXlsx(await readFile(path('out.xlsx')));
    expect(sheets[0]?.rows.length).toBe(21);
    expect(sheets[0]?.rows[0]).toEqual(['id', 'Title']);
  });

  it('has the same rows with --excel', async () => {
    await run('objects export --mock --columns id,title -o %one.xlsx');
    expect((await run('objects export --mock --columns id,title --excel -o %two.xlsx')).code).toBe(0);
    const { readXlsx } = await import('hucre');
    const rows = async (name: string) => (await readXlsx(await readFile(path(name)))).sheets[0]?.rows;
    expect(await rows('two.xlsx')).toEqual(await rows('one.xlsx'));
  });
});

describe('a finished export', () => {
  it('is replaced by a list only with --force, which deletes the manifest', async () => {
    expect((await run('objects export --mock -o %out.csv')).code).toBe(0);
    const original = await text('out.csv');
    const refused = await run('objects list --mock -o %out.csv');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/out\.csv" is an export with a manifest; .*--force/);
    expect(await text('out.csv')).toBe(original);
    expect((await run('objects list --mock -o %out.csv --force')).code).toBe(0);
    expect((await text('out.csv')).split('\n').length).toBeLessThan(original.split('\n').length);
    expect(await readdir(folder)).toEqual(['out.csv']);
  });

  it('is replaced by a much smaller export with a warning, but not with --strict', async () => {
    await run('objects export --mock -o %out.ids');
    const original = await text('out.ids');
    const strict = await run('objects export --mock --limit 7 --strict -o %out.ids');
    expect(strict.code).toBe(6);
    expect(strict.stderr).toContain('only 7 records; the earlier export has 163');
    expect(strict.stderr).toContain('run the export again, or run it without --strict');
    expect(await text('out.ids')).toBe(original);
    const { code, stderr } = await run('objects export --mock --limit 7 -o %out.ids');
    expect(code).toBe(0);
    expect(stderr.match(/warning: only 7 records; the earlier export has 163\n/g)).toHaveLength(1);
    expect((await text('out.ids')).split('\n')).toHaveLength(8);
    expect(JSON.parse(await text('out.ids.manifest.json'))).toMatchObject({ replaces: 163 });
    expect((await run('objects export --mock --limit 4 -o %out.ids')).stderr).not.toContain('warning');
  });
});

describe('an interrupted export', () => {
  it('continues, and warns that its first records are old', async () => {
    const museum = await startMuseum({
      records: 200,
      faults: [{ kind: 'status', status: 500, after: 6, count: 2 }],
    });
    onTestFinished(() => museum.close());
    const line = `objects export --base-url ${museum.url} --page-size 20 --concurrency 1 --retries 0 -o %out.ndjson`;
    expect((await run(line)).code).toBe(6);
    const checkpoint = JSON.parse(await text('out.ndjson.part.json'));
    const firstStart = new Date(Date.now() - 49 * 3_600_000).toISOString();
    await writeFile(path('out.ndjson.part.json'), JSON.stringify({ ...checkpoint, started: firstStart }));
    const { code, stderr } = await run(line);
    expect(code).toBe(0);
    expect(stderr).toContain(`after ${checkpoint.tally.written} records; to start again, use --force`);
    const ageWarning = `opac received the first records 2 days before the last ones: the first run was on ${firstStart.slice(0, 10)}`;
    expect(stderr).toContain(`warning: ${ageWarning}`);
    expect(JSON.parse(await text('out.ndjson.manifest.json'))).toMatchObject({
      resumed: 1,
      records: 200,
      warnings: [ageWarning],
    });
    expect((await readdir(folder)).sort()).toEqual(['out.ndjson', 'out.ndjson.manifest.json']);
  });

  it('can be resumed after a gap, also if it has fewer than half of the earlier records', async () => {
    const before = await startMuseum({ records: 200 });
    const line = `objects export --base-url ${before.url} --page-size 50 --concurrency 1 --retries 0 -o %out.ndjson`;
    expect((await run(line)).code).toBe(0);
    await before.close();
    const port = Number(new URL(before.url).port);
    const faults = [{ kind: 'status', status: 500, after: 1, count: 1 }] as const;
    const museum = await startMuseum({ records: 60, port, faults });
    onTestFinished(() => museum.close());
    const gap = await run(line);
    expect(gap.code).toBe(6);
    expect(gap.stderr).toContain('--resume');
    expect(gap.stderr).not.toContain('without --strict');
    expect(await readdir(folder)).toContain('out.ndjson.part');
    expect((await run(`${line} --resume`)).code).toBe(0);
    expect((await text('out.ndjson')).split('\n')).toHaveLength(61);
  });
});
