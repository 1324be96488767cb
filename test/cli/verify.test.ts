/** `opac verify` compares exported files with their manifests. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../src/service/format-numbers.js';
import { type FolderSetup, opac, setUpExport } from './run-in-folder.js';

async function verifyFile({ run }: FolderSetup, file: string) {
  const { code, stdout, stderr } = await run(`verify ${file}`);
  return { code, output: `${stdout}${stderr}` };
}

describe('opac verify', () => {
  it.each([
    ['out.csv', ''],
    ['out.ndjson.gz', ''],
    ['out.json', '--flat'],
    ['out.tsv', '--multi rows=maker_name'],
    ['out.ids', ''],
    ['sheet.csv', '--excel --columns id,title'],
  ])('accepts an unchanged file: %s %s', async (name, options) => {
    const setup = await setUpExport();
    await setup.run(`objects export ${options} -o ${name}`);
    expect(await verifyFile(setup, name)).toEqual({
      code: 0,
      output: expect.stringMatching(new RegExp(`^${name}: complete; 163 records, exported \\d{4}-.*Z\\n$`)),
    });
  });

  it('reports a file that was changed, truncated or deleted', async () => {
    const setup = await setUpExport();
    await setup.run('objects export -o out.csv');
    const bytes = await readFile(setup.path('out.csv'));
    const changed = Buffer.from(bytes);
    changed[changed.length - 3] = 0x7a;
    await writeFile(setup.path('out.csv'), changed);
    expect(await verifyFile(setup, 'out.csv')).toEqual({
      code: 6,
      output: expect.stringMatching(
        /"out\.csv" was changed: its SHA-256 differs\nopac: "out\.csv" is incomplete or was changed/,
      ),
    });
    await writeFile(setup.path('out.csv'), bytes.subarray(0, -3));
    expect((await verifyFile(setup, 'out.csv')).output).toContain(
      `"out.csv" has ${formatNumber(bytes.length - 3)} bytes; the manifest says ${formatNumber(bytes.length)}`,
    );
    await rm(setup.path('out.csv'));
    expect(await verifyFile(setup, 'out.csv')).toMatchObject({
      code: 6,
      output: expect.stringContaining('"out.csv" is missing'),
    });
    await rm(setup.path('out.csv.manifest.json'));
    expect(await verifyFile(setup, 'out.csv')).toEqual({
      code: 6,
      output: 'opac: file not found: "out.csv"; give the name of an exported file or of a manifest\n',
    });
  });

  it('checks several files, and prints the results as JSON', async () => {
    const setup = await setUpExport();
    await setup.run('objects export -o one.csv');
    await setup.run('persons export -o other.csv');
    await appendFile(setup.path('other.csv'), '\n');
    const { code, stdout, stderr } = await setup.run('verify one.csv other.csv -f json');
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining('1 of 2 files is incomplete or was changed after the export'),
    });
    expect(JSON.parse(stdout)).toMatchObject([
      { file: 'one.csv', records: 163, complete: true, problems: [] },
      { file: 'other.csv', complete: true, problems: [expect.stringContaining('bytes')] },
    ]);
  });

  it('checks the other files if a file does not exist', async () => {
    const setup = await setUpExport();
    await setup.run('objects export -o one.csv');
    const only = await verifyFile(setup, 'none.csv one.csv');
    expect(only).toEqual({
      code: 6,
      output: expect.stringMatching(
        /^none\.csv: file not found: "none\.csv"\none\.csv: complete; .*\nopac: 1 of 2 files cannot be verified/,
      ),
    });
    const { stderr } = await setup.run('verify one.csv none.csv --error-format json --quiet');
    expect(JSON.parse(stderr)).toMatchObject({ code: 'no-file', exit: 6 });
    await appendFile(setup.path('one.csv'), '\n');
    const together = await verifyFile(setup, 'none.csv one.csv');
    expect(together).toEqual({
      code: 6,
      output: expect.stringContaining('2 of 2 files are incomplete, changed, or cannot be verified'),
    });
  });

  it('prints the error code of a damaged manifest, also for several files', async () => {
    const setup = await setUpExport();
    await setup.run('objects export -o one.csv');
    await setup.run('objects export -o two.csv');
    await writeFile(setup.path('two.csv.manifest.json'), '{');
    const { code, stderr } = await setup.run('verify one.csv two.csv --error-format json --quiet');
    expect([code, JSON.parse(stderr).code]).toEqual([6, 'file-changed']);
  });

  it.each<[string, object, string]>([
    ['that it is complete, and reasons', { reasons: ['records 1-2 are missing'] }, 'records 1-2 are missing'],
    ['that it is complete, and gaps', { gaps: [{ offset: 1, limit: 2, reason: 'lost' }] }, 'lists 1 gap'],
    ['that it is not complete, without reasons', { complete: false }, 'the export was incomplete'],
  ])('reports an incomplete export if the manifest says %s', async (_, change, output) => {
    const setup = await setUpExport();
    await setup.run('objects export -o out.csv');
    const manifest = JSON.parse(await readFile(setup.path('out.csv.manifest.json'), 'utf8'));
    await writeFile(setup.path('out.csv.manifest.json'), JSON.stringify({ ...manifest, ...change }));
    expect(await verifyFile(setup, 'out.csv')).toEqual({ code: 6, output: expect.stringContaining(output) });
  });

  it('accepts a file that was moved with its manifest', async () => {
    const setup = await setUpExport();
    const other = await setUpExport();
    await setup.run('objects export -o out.csv');
    for (const name of await setup.names()) await rename(setup.path(name), other.path(name));
    expect((await verifyFile(other, 'out.csv')).code).toBe(0);
  });
});

describe('opac verify with a rotated file', () => {
  it.each([
    ['compressed since', 'gzip out.csv', 'out.csv.gz'],
    ['compressed since, by its old name', 'gzip out.csv', 'out.csv'],
    ['renamed without its manifest', 'mv out.csv nightly.csv', 'nightly.csv'],
    [
      'numbered with its manifest',
      'mv out.csv out.csv.1; mv out.csv.manifest.json out.csv.manifest.json.1',
      'out.csv.1',
    ],
    ['renamed and compressed', 'mv out.csv old.csv; gzip old.csv', 'old.csv.gz'],
    ['moved', 'mkdir old; mv out.csv* old', 'old/out.csv'],
  ])('accepts an unchanged file: %s', async (_, rotation, name) => {
    const setup = await setUpExport();
    await setup.run('objects export -o out.csv');
    execFileSync('sh', ['-c', rotation], { cwd: setup.folder });
    expect(await verifyFile(setup, name)).toEqual({
      code: 0,
      output: expect.stringContaining('163 records'),
    });
  });

  it('reports a file that was changed before the rotation', async () => {
    const setup = await setUpExport();
    await setup.run('objects export -o out.csv');
    await appendFile(setup.path('out.csv'), 'x');
    execFileSync('gzip', ['out.csv'], { cwd: setup.folder });
    expect((await verifyFile(setup, 'out.csv.gz')).code).toBe(6);
  });
});

it('prints problems, but nothing about a complete file, with --quiet', async () => {
  const setup = await setUpExport();
  await setup.run('objects export -o out.csv');
  expect(await setup.run('verify out.csv --quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  await appendFile(setup.path('out.csv'), 'x');
  expect(await setup.run('verify out.csv --quiet')).toMatchObject({
    code: 6,
    stdout: expect.stringContaining('the manifest says'),
  });
});

describe('opac verify with a split export', () => {
  it('accepts its name, a file or the manifest, and reports extra and missing files', async () => {
    const setup = await setUpExport();
    await writeFile(setup.path('out.csv'), 'left by an older export');
    await setup.run('objects export -o out.csv --split 50');
    expect(await verifyFile(setup, 'out.csv')).toEqual({
      code: 6,
      output: expect.stringContaining('the manifest does not list "out.csv"'),
    });
    await rm(setup.path('out.csv'));
    for (const name of ['out.csv', 'out-002.csv', 'out.csv.manifest.json']) {
      expect(await verifyFile(setup, name)).toEqual({
        code: 0,
        output: expect.stringContaining('complete; 163 records'),
      });
    }
    await rm(setup.path('out-003.csv'));
    expect((await verifyFile(setup, 'out.csv')).output).toContain('"out-003.csv" is missing');
  });
});

it('reports a damaged compressed copy', async () => {
  const { run, folder } = await setUpExport();
  await run('objects export -o out.csv');
  const bytes = gzipSync(await readFile(join(folder, 'out.csv')));
  await writeFile(join(folder, 'out.csv.gz'), bytes.subarray(0, -20));
  const { code, stdout } = await run('verify out.csv.gz');
  expect([code, stdout]).toEqual([6, 'out.csv.gz: "out.csv.gz" is damaged and cannot be decompressed\n']);
});

describe('--online', () => {
  it('prints whether the total of the service has changed', async () => {
    // The export sends two requests: for its page, and for the end after the page. The third request is from verify.
    const setup = await setUpExport({
      records: 50,
      faults: [{ kind: 'missing', records: 4, first: 3 }],
    });
    await setup.run('objects export -o out.csv');
    const before = setup.museum.requests.length;
    const first = await setup.run('verify out.csv --online');
    const second = await setup.run('verify out.csv --online');
    expect(setup.museum.requests.length - before).toBe(2);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(`${first.stdout}${second.stdout}`).toMatch(
      /complete; 46 records, exported \S+; the total of the service has not changed\n.*; the total of the service was 46 and is now 50\n/,
    );
  });

  it('refuses a deployment other than that of the export', async () => {
    const setup = await setUpExport();
    const other = await setUpExport();
    await setup.run('objects export -o out.csv');
    const { code, stderr } = await other.run('verify out.csv --online', { folder: setup.folder });
    expect(code).toBe(2);
    expect(stderr).toContain(`the file was exported from ${setup.museum.url}, not from ${other.museum.url}`);
    const mocked = await opac(['verify', 'out.csv', '--online', '--mock'], { folder: setup.folder });
    expect(mocked).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--base-url ${setup.museum.url}`),
    });
  });

  it('quotes the URL of a manifest in its hint', async () => {
    const setup = await setUpExport();
    await setup.run('objects export -o out.csv');
    const path = join(setup.folder, 'out.csv.manifest.json');
    const manifest = await readFile(path, 'utf8');
    await writeFile(path, manifest.replaceAll(setup.museum.url, 'https://x.example/;id'));
    const { stderr } = await setup.run('verify out.csv --online');
    expect(stderr).toContain("use: --base-url 'https://x.example/;id'");
  });

  it('prints the hint --mock for an export of the built-in museum', async () => {
    const setup = await setUpExport();
    await opac(['objects', 'export', '--mock', '-q', '-o', 'mock.csv'], { folder: setup.folder });
    const { code, stderr } = await setup.run('verify mock.csv --online');
    expect([code, stderr]).toEqual([
      2,
      `opac: the file was exported from the built-in museum, not from ${setup.museum.url}; use: --mock\n`,
    ]);
  });
});

describe('the manifest', () => {
  it('contains the command, the deployment, the query, the pages and the files', async () => {
    const setup = await setUpExport({ faults: [{ kind: 'status', status: 503, every: 5 }] });
    await setup.run('objects export -o out.csv --page-size 40 --columns id,title');
    const manifest = await setup.manifest('out.csv');
    const bytes = await readFile(setup.path('out.csv'));
    expect(manifest).toMatchObject({
      format: 1,
      tool: expect.stringMatching(/^opac \d+\.\d+\.\d+/),
      command: `opac objects export -o out.csv --page-size 40 --columns id,title --base-url ${setup.museum.url}`,
      job: {
        deployment: setup.museum.url,
        kind: 'objects',
        query: [['view', 'detail']],
        format: 'csv',
        columns: 'id,title',
        multi: 'join',
      },
      complete: true,
      reasons: [],
      warnings: [],
      resumed: 0,
      totals: { first: 163, last: 163, drift: [{ offset: 0, total: 163 }] },
      received: 163,
      records: 163,
      duplicates: 0,
      gaps: [],
      notFound: [],
      columns: ['id', 'title'],
      files: [
        {
          name: 'out.csv',
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          records: 163,
        },
      ],
    });
    expect(manifest.pages.map(([offset, received]) => [offset, received])).toEqual([
      [0, 40],
      [40, 40],
      [80, 40],
      [120, 40],
      [160, 3],
    ]);
    expect(manifest.pages.reduce((sum, [, , retries]) => sum + retries, 0)).toBe(1);
    expect(Date.parse(manifest.finished)).toBeGreaterThan(Date.parse(manifest.started));
  });
});
