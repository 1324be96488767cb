/** A killed run does not block the next run, also on another machine; a suspended run that lost its lock stops. */
import { spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digest, readUninterrupted, setUpExport, waitForRequests } from './export-setup.js';
import { waitForEnd } from './opac.js';

const RECORDS = { records: 600 };
const SLOW = { ...RECORDS, latency: 150 };
const LINE = 'objects export --page-size 10 --concurrency 2 -o out.csv --resume';
const TOOK_OVER = /took over the lock of a run that was killed/;

const canUnshare = spawnSync('unshare', ['-upf', '--mount-proc', 'true']).status === 0;

describe('a killed export', () => {
  it('writes the same bytes after it is resumed', async () => {
    const setup = await setUpExport(SLOW);
    const child = setup.begin(LINE);
    const end = waitForEnd(child);
    await waitForRequests(setup, 15);
    child.kill('SIGKILL');
    await end;
    const { code, stderr } = await setup.run(`${LINE} --quiet`);
    expect([code, stderr]).toEqual([0, '']);
    const complete = await readUninterrupted('out.csv', LINE, RECORDS);
    expect(digest(await setup.text('out.csv'))).toBe(digest(complete));
  }, 60_000);

  it.runIf(canUnshare)(
    'writes the same bytes even if it had another pid namespace and host name (needs unshare)',
    async () => {
      const setup = await setUpExport(SLOW);
      const program = join(process.cwd(), 'bin', 'opac.js');
      const script = `hostname other; exec "${process.execPath}" "${program}" ${LINE} --base-url ${setup.museum.url}`;
      const child = spawn('unshare', ['-upf', '--kill-child', '--mount-proc', 'sh', '-c', script], {
        cwd: setup.folder,
        stdio: 'ignore',
      });
      await waitForRequests(setup, 15);
      child.kill('SIGKILL');
      const { code, stderr } = await setup.run(LINE);
      expect([code, stderr]).toEqual([0, expect.stringMatching(TOOK_OVER)]);
      expect(stderr).toContain('on other)');
      const complete = await readUninterrupted('out.csv', LINE, RECORDS);
      expect(digest(await setup.text('out.csv'))).toBe(digest(complete));
    },
    90_000,
  );
});

/** The lock of another run. The first run then behaves as if it had been suspended for a long time. */
const OTHER_LOCK = JSON.stringify({ pid: 7, host: 'other', machine: 'other', id: 'other' });

describe('a run whose lock another run took over', () => {
  it.each([
    ['objects export --page-size 10 -o out.csv', 'out.csv.lock'],
    ['sync mirror --kinds objects', 'mirror/.lock'],
    ['images download pictures', 'pictures/.opac/lock'],
  ])(
    'stops with exit code 8 and does not write its file: %s',
    async (line, lock) => {
      const setup = await setUpExport({ records: 3000, latency: 400 });
      const child = setup.begin(line);
      const end = waitForEnd(child);
      await waitForRequests(setup, 4);
      await writeFile(setup.path(lock), OTHER_LOCK);
      const { code, stderr } = await end;
      expect([code, stderr]).toEqual([8, expect.stringContaining('another run took over the lock of')]);
      expect(await readFile(setup.path(lock), 'utf8')).toBe(OTHER_LOCK);
      expect(await setup.names()).not.toContain('out.csv');
    },
    60_000,
  );
});

describe('opac sync', () => {
  it('waits for another run with --wait-lock, and exits with 8 without it', async () => {
    const setup = await setUpExport({ records: 900, latency: 600 });
    const first = setup.begin('sync mirror --kinds objects');
    const end = waitForEnd(first);
    await waitForRequests(setup, 2);
    const refused = await setup.run('sync mirror --kinds objects');
    expect([refused.code, refused.stderr]).toEqual([
      8,
      expect.stringContaining('use --wait-lock 5m, or wait'),
    ]);
    const second = await setup.run('sync mirror --kinds objects --wait-lock 1m');
    expect([second.code, second.stderr]).toEqual([0, expect.stringContaining('waiting for it')]);
    expect((await end).code).toBe(0);
  }, 60_000);

  it('prints nothing with --quiet, and a JSON summary with -f json', async () => {
    const setup = await setUpExport({ records: 30 });
    expect(await setup.run('sync mirror --quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const { stdout } = await setup.run('sync mirror -f json --kinds objects');
    const objects = {
      kind: 'objects',
      records: 30,
      isFirst: false,
      added: 0,
      removed: 0,
      changed: 0,
      missed: 0,
    };
    expect(JSON.parse(stdout)).toEqual({ kinds: [objects], changes: null });
  });
});

it('exits with 5 if the deployment does not respond to a resumed export', async () => {
  const setup = await setUpExport(SLOW);
  const child = setup.begin(LINE);
  const end = waitForEnd(child);
  await waitForRequests(setup, 15);
  child.kill('SIGINT');
  expect((await end).code).toBe(130);
  await setup.museum.close();
  const { code, stderr } = await setup.run(`${LINE} --retries 0`);
  expect([code, stderr]).toEqual([5, expect.stringContaining('resume with: opac objects export')]);
}, 60_000);
