/**
 * Exports that a signal, another process or a reader ends: what was got is kept, the next step is named, and that step ends with
 * the undisturbed bytes. Those that the service ends: test/cli/unfinished-exports.test.ts.
 */
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireLock } from '../../src/system/lock.js';
import { asked, commandIn, digest, setUpExport, stopped, undisturbed } from './export-setup.js';
import { ended, newFolder, opac } from './opac.js';

const HOLDINGS = { records: 300 };
const SLOW = { ...HOLDINGS, latency: 40 };
const LINE = 'objects export --page-size 10 --concurrency 2 -o out.csv';

describe('an interrupted run', () => {
  it.skipIf(process.env.PROGRAM)('exits 130 also while the program is being loaded', async () => {
    const file = join(await newFolder(), 'signal.cjs');
    await writeFile(file, 'setImmediate(() => process.kill(process.pid, "SIGHUP"));');
    const environment = { NODE_OPTIONS: `--require ${file}` };
    expect(await opac(['objects', 'count', '--mock'], { environment })).toMatchObject({ code: 130 });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s exits 130, names the part and the command that goes on',
    async (signal) => {
      const whole = await undisturbed('out.csv', LINE, HOLDINGS);
      const setup = await setUpExport(SLOW);
      const child = setup.begin(LINE);
      await asked(setup, 12);
      const { code, stdout, stderr } = await stopped(child, signal);
      expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
      expect(stderr).toMatch(
        /^opac: interrupted(?: by SIG\w+)?; \d+0 records are in "out\.csv\.part"; resume with: opac objects export .* --resume\n$/,
      );
      expect(await setup.names()).toEqual(['out.csv.part', 'out.csv.part.json']);
      const pages = () => setup.museum.requests.filter(({ query }) => query.has('view')).length;
      const before = pages();
      const again = await setup.run(commandIn(stderr));
      expect({ code: again.code, same: digest(await setup.text('out.csv')) }).toEqual({
        code: 0,
        same: digest(whole),
      });
      // It went on, and did not begin anew.
      expect(pages() - before).toBeLessThan(30);
      expect(await setup.manifest('out.csv')).toMatchObject({ resumed: 1, received: 300, duplicates: 0 });
    },
  );

  it('is continued without --resume too, and discarded only by --force; both are said', async () => {
    const setup = await setUpExport(SLOW);
    const child = setup.begin(LINE);
    await asked(setup, 12);
    const [, left = 'none'] = (await stopped(child, 'SIGINT')).stderr.match(/; (\d+) records are in/) ?? [];
    const copies = await setUpExport(HOLDINGS);
    await cp(setup.folder, copies.folder, { recursive: true });
    const continued = await setup.run(LINE);
    expect(continued.stderr).toContain(
      `resuming "out.csv" after ${left} records; to start again, use --force\n`,
    );
    expect(continued.code).toBe(0);
    expect(await setup.manifest('out.csv')).toMatchObject({ resumed: 1, records: 300 });
    const anew = await copies.run(`${LINE} --force`);
    expect(anew.stderr).toContain(
      `"out.csv": starting from the first record; discarded ${left} records of an unfinished export\n`,
    );
    expect(await copies.manifest('out.csv')).toMatchObject({ resumed: 0, records: 300 });
    const none = await setup.run(`${LINE} --resume --verbose`);
    expect(none.stderr).toContain('nothing to resume for "out.csv"; starting from the first record\n');
  });

  it('leaves an existing target as it was', async () => {
    const setup = await setUpExport(SLOW);
    await writeFile(setup.path('out.csv'), 'of last year');
    const child = setup.begin(`${LINE} --force`);
    await asked(setup, 8);
    await stopped(child, 'SIGINT');
    expect(await readFile(setup.path('out.csv'), 'utf8')).toBe('of last year');
  });
});

describe('--resume', () => {
  it.each(['', ' --resume'])('of another job is refused, with the difference%s', async (resume) => {
    const setup = await setUpExport(SLOW);
    const child = setup.begin(LINE);
    await asked(setup, 12);
    await stopped(child, 'SIGINT');
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
  });

  it('continues to another format and other columns', async () => {
    const setup = await setUpExport(SLOW);
    const child = setup.begin(LINE);
    await asked(setup, 12);
    await stopped(child, 'SIGINT');
    const { code } = await setup.run(`${LINE} -f tsv --columns id,title --multi first --split 200 --resume`);
    expect(code).toBe(0);
    expect((await setup.text('out-001.csv')).startsWith('id\ttitle\n')).toBe(true);
    expect(await setup.manifest('out.csv')).toMatchObject({ resumed: 1, records: 300 });
  });
});

describe('the target', () => {
  it('that another export is writing is refused', async () => {
    const setup = await setUpExport(HOLDINGS);
    // This process holds it as an export does, for as long as the test needs.
    const lock = await acquireLock(setup.path('out.csv.lock'), 'out.csv');
    const second = await setup.run(LINE);
    expect(second.code).toBe(8);
    expect(second.stderr).toMatch(
      /^opac: another run is writing "out\.csv" \(process \d+ on .*\); use --wait-lock 5m, /,
    );
    const waiting = setup.begin(`${LINE} --wait-lock 5m`);
    waiting.stderr?.once('data', () => void lock.release());
    expect(await ended(waiting)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('waiting for it'),
    });
  });
});

it('a reader that goes away ends an export to standard output quietly', async () => {
  const setup = await setUpExport({ records: 5000 });
  const child = setup.begin('objects export -f ndjson');
  child.stderr?.setEncoding('utf8');
  let stderr = '';
  child.stderr?.on('data', (text) => (stderr += text));
  child.stdout?.once('data', () => child.stdout?.destroy());
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
