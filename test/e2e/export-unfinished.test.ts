/**
 * Exports that a signal, another process or a reader ends. They keep the received records, and print the command that resumes
 * them. Exports that the service ends: test/cli/unfinished-exports.test.ts.
 */
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireLock } from '../../src/system/lock.js';
import {
  digest,
  findCommand,
  readUninterrupted,
  setUpExport,
  stop,
  waitForRequests,
} from './export-setup.js';
import { createFolder, opac, waitForEnd } from './opac.js';

const RECORDS = { records: 300 };
const SLOW = { ...RECORDS, latency: 40 };
const LINE = 'objects export --page-size 10 --concurrency 2 -o out.csv';

describe('an interrupted run', () => {
  it.skipIf(process.env.PROGRAM)('exits with 130 even while the program is loading', async () => {
    const file = join(await createFolder(), 'signal.cjs');
    await writeFile(file, 'setImmediate(() => process.kill(process.pid, "SIGHUP"));');
    const environment = { NODE_OPTIONS: `--require ${file}` };
    expect(await opac(['objects', 'count', '--mock'], { environment })).toMatchObject({ code: 130 });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'exits with 130 after %s, and prints the partial file and the command that resumes it',
    async (signal) => {
      const complete = await readUninterrupted('out.csv', LINE, RECORDS);
      const setup = await setUpExport(SLOW);
      const child = setup.begin(LINE);
      await waitForRequests(setup, 12);
      const { code, stdout, stderr } = await stop(child, signal);
      expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
      expect(stderr).toMatch(
        /^opac: interrupted(?: by SIG\w+)?; \d+0 records are in "out\.csv\.part"; resume with: opac objects export .* --resume\n$/,
      );
      expect(await setup.names()).toEqual(['out.csv.part', 'out.csv.part.json']);
      const pages = () => setup.museum.requests.filter(({ query }) => query.has('view')).length;
      const before = pages();
      const again = await setup.run(findCommand(stderr));
      expect({ code: again.code, same: digest(await setup.text('out.csv')) }).toEqual({
        code: 0,
        same: digest(complete),
      });
      // The run continued from its checkpoint.
      expect(pages() - before).toBeLessThan(30);
      expect(await setup.manifest('out.csv')).toMatchObject({ resumed: 1, received: 300, duplicates: 0 });
    },
  );

  it('continues even without --resume, starts again only with --force, and reports both', async () => {
    const setup = await setUpExport(SLOW);
    const child = setup.begin(LINE);
    await waitForRequests(setup, 12);
    const [, count = 'none'] = (await stop(child, 'SIGINT')).stderr.match(/; (\d+) records are in/) ?? [];
    const copies = await setUpExport(RECORDS);
    await cp(setup.folder, copies.folder, { recursive: true });
    const continued = await setup.run(LINE);
    expect(continued.stderr).toContain(
      `resuming "out.csv" after ${count} records; to start again, use --force\n`,
    );
    expect(continued.code).toBe(0);
    expect(await setup.manifest('out.csv')).toMatchObject({ resumed: 1, records: 300 });
    const restarted = await copies.run(`${LINE} --force`);
    expect(restarted.stderr).toContain(
      `"out.csv": starting from the first record; discarded ${count} records of an unfinished export\n`,
    );
    expect(await copies.manifest('out.csv')).toMatchObject({ resumed: 0, records: 300 });
    const none = await setup.run(`${LINE} --resume --verbose`);
    expect(none.stderr).toContain('nothing to resume for "out.csv"; starting from the first record\n');
  });

  it('does not change an existing target', async () => {
    const setup = await setUpExport(SLOW);
    await writeFile(setup.path('out.csv'), 'of last year');
    const child = setup.begin(`${LINE} --force`);
    await waitForRequests(setup, 8);
    await stop(child, 'SIGINT');
    expect(await readFile(setup.path('out.csv'), 'utf8')).toBe('of last year');
  });
});

describe('--resume', () => {
  it.each(['', ' --resume'])(
    'refuses a different export to the same file, and prints the difference ("%s")',
    async (resume) => {
      const setup = await setUpExport(SLOW);
      const child = setup.begin(LINE);
      await waitForRequests(setup, 12);
      await stop(child, 'SIGINT');
      const before = await setup.names();
      const other = await setUpExport(SLOW);
      const rows = [
        ['--where name=x', 'query was "view=detail" and is now'],
        ['--limit 20', 'limit was null and is now 20'],
      ] as const;
      for (const [words, message] of rows) {
        const { code, stderr } = await setup.run(`${LINE} ${words}${resume}`);
        expect({ words, code, stderr }).toEqual({ words, code: 2, stderr: expect.stringContaining(message) });
      }
      const elsewhere = await other.run(`${LINE}${resume}`, { folder: setup.folder });
      expect(elsewhere.code).toBe(2);
      expect(elsewhere.stderr).toContain(`deployment was "${setup.museum.url}" and is now`);
      expect(await setup.names()).toEqual(before);
    },
  );

  it('continues with another format and other columns', async () => {
    const setup = await setUpExport(SLOW);
    const child = setup.begin(LINE);
    await waitForRequests(setup, 12);
    await stop(child, 'SIGINT');
    const { code } = await setup.run(`${LINE} -f tsv --columns id,title --multi first --split 200 --resume`);
    expect(code).toBe(0);
    expect((await setup.text('out-001.csv')).startsWith('id\ttitle\n')).toBe(true);
    expect(await setup.manifest('out.csv')).toMatchObject({ resumed: 1, records: 300 });
  });
});

describe('the lock of a target', () => {
  it('stops a second export with exit code 8, or lets it wait with --wait-lock', async () => {
    const setup = await setUpExport(RECORDS);
    // This process holds the lock like an export, until the waiting export prints a message.
    const lock = await acquireLock(setup.path('out.csv.lock'), 'out.csv');
    const second = await setup.run(LINE);
    expect(second.code).toBe(8);
    expect(second.stderr).toMatch(
      /^opac: another run is writing "out\.csv" \(process \d+ on .*\); use --wait-lock 5m, /,
    );
    const waiting = setup.begin(`${LINE} --wait-lock 5m`);
    waiting.stderr?.once('data', () => void lock.release());
    expect(await waitForEnd(waiting)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('waiting for it'),
    });
  });
});

it('ends an export to standard output without an error if the reader ends', async () => {
  const setup = await setUpExport({ records: 5000 });
  const child = setup.begin('objects export -f ndjson');
  child.stderr?.setEncoding('utf8');
  let stderr = '';
  child.stderr?.on('data', (text) => (stderr += text));
  child.stdout?.once('data', () => child.stdout?.destroy());
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
