/** `opac check`: its output in each format, and its files. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMuseum } from '../../check/check-museum.js';
import { createFolder } from '../../e2e/opac.js';
import { opac } from '../run-in-process.js';

const ONLY = ['--only', 'access,paging'];

/** Starts a museum that fails one check of paging. Returns the command that checks it. */
async function createFailingCheck() {
  const museum = await openMuseum({ faults: [{ kind: 'offset-in-pages' }] });
  return ['check', '--base-url', museum.url, '--allow-http', ...ONLY];
}

describe('opac check', () => {
  it('prints one row per check as csv, and prints tsv also on a terminal', async () => {
    const words = await createFailingCheck();
    const { code, stdout } = await opac([...words, '-f', 'csv']);
    expect(code).toBe(7);
    const rows = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(11);
    expect(rows[0]).toBe('id,verdict,promise,milliseconds,reason,expected,received,curl,source');
    expect(rows[1]).toMatch(/^access\.works,pass,/);
    expect(rows.find((row) => row.startsWith('paging.offset,'))).toMatch(/^paging\.offset,fail,.+/);
    const onTerminal = await opac([...words, '-f', 'tsv'], { columns: 40 });
    expect(onTerminal.stdout).toMatch(/^id\tverdict\t.*\naccess\.works\tpass\t/);
  });

  it('writes the format of the file extension: .csv or .xlsx', async () => {
    const folder = await createFolder();
    const words = await createFailingCheck();
    expect((await opac([...words, '-o', join(folder, 'x.csv')])).stdout).toBe('');
    expect(await readFile(join(folder, 'x.csv'), 'utf8')).toMatch(
      /^id,verdict,promise,milliseconds,reason,expected,received,curl,source\naccess\.works,pass,/,
    );
    await opac([...words, '-o', join(folder, 'x.xlsx')]);
    expect((await readFile(join(folder, 'x.xlsx'))).subarray(0, 2).toString()).toBe('PK');
  });

  it.each([['-f', 'ids'], ['-f', 'parquet'], ['--flat'], ['--columns', 'id']])(
    'refuses %s before any request (row %#)',
    async (...options) => {
      const museum = await openMuseum();
      const words = ['check', '--base-url', museum.url, '--allow-http', ...options];
      expect(await opac(words, { columns: 80 })).toMatchObject({ code: 2, stdout: '' });
      expect(museum.requests).toEqual([]);
    },
  );
});

it('refuses checks of the baseline without --baseline', async () => {
  const museum = await openMuseum();
  const words = ['check', '--base-url', museum.url, '--allow-http', '--only', 'baseline'];
  expect(await opac(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('need a baseline') });
});

it.each([
  ['--expect objects=99999 --only access', '--expect <kind>=<number> has no effect'],
  ['--expect objects=name --skip expected.fields', '--expect <kind>=<fields> has no effect'],
  ['--expect latency=1s --only paging.*', '--expect latency has no effect'],
  ['--baseline base.json --only access', '--baseline has no effect'],
])('refuses options for checks that do not run: %s', async (options, message) => {
  const museum = await openMuseum();
  const folder = await createFolder();
  const base = join(folder, 'base.json');
  const words = ['check', '--base-url', museum.url, '--allow-http'];
  await opac([...words, '--only', 'access', '--baseline', base, '--update-baseline']);
  const refused = await opac([...words, ...options.replace('base.json', base).split(' ')]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

it('does not report the requests of --wait as unreliable', async () => {
  const museum = await openMuseum();
  const words = ['check', '--base-url', museum.url, '--allow-http', '--wait', '5s', '--fail-on-warning'];
  const { code, stdout } = await opac([...words, '--only', 'access.works', '-f', 'csv']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('access.works,pass,')]);
});

describe('two outputs to the same place', () => {
  it.each([
    [['--report', 'json=-', '--report', 'junit=-']],
    [['--report', 'github', '--report', 'json=-']],
    [['--report', 'json=-', '--report', 'junit=/dev/stdout']],
    [['--report', 'junit=-', '-f', 'json']],
    [['--report', 'json=x.json', '--report', 'junit=./x.json']],
    [['--report', 'json=x.json', '-o', 'x.json']],
    [['--report', 'markdown=FOLDER/known.txt', '--known', 'FOLDER/known.txt']],
  ])('cause exit code 2 without any request: %j', async (options) => {
    const folder = await createFolder();
    await writeFile(join(folder, 'known.txt'), 'paging.cap the cap is 50 here\n');
    const museum = await openMuseum();
    const words = options.map((option) => option.replace('FOLDER', folder));
    const { code, stdout, stderr } = await opac([
      'check',
      '--base-url',
      museum.url,
      '--allow-http',
      ...words,
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/(standard output is used twice|" is used twice);/);
    expect(museum.requests).toEqual([]);
  });
});

describe('--quiet', () => {
  it('prints nothing when all checks pass or only warn', async () => {
    const museum = await openMuseum({ maxPageSize: 50 });
    const words = ['check', '--base-url', museum.url, '--allow-http', ...ONLY, '--quiet'];
    expect(await opac(words)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await opac(words, { columns: 80 })).stdout).toBe('');
    expect((await opac([...words, '--fail-on-warning'])).stdout).toMatch(/^warn {2}paging\.cap /);
  });

  it('prints only failed checks as text, and prints JSON with -f json', async () => {
    const words = [...(await createFailingCheck()), '--quiet'];
    for (const columns of [undefined, 80]) {
      const { code, stdout } = await opac(
        words,
        columns === undefined ? {} : { columns, environment: { NO_COLOR: '1' } },
      );
      expect(code).toBe(7);
      expect(stdout).toMatch(/^FAIL {2}paging\.offset/);
      expect(stdout).not.toContain('pass ');
      expect(stdout).toContain('1 failed');
    }
    expect(JSON.parse((await opac([...words, '-f', 'json'])).stdout)).toMatchObject({ summary: { fail: 1 } });
  });

  it('writes no file if the format is refused', async () => {
    const folder = await createFolder();
    await opac(['check', '--mock', ...ONLY, '-o', join(folder, 'x.ids')]);
    expect(await readdir(folder)).toEqual([]);
  });
});
