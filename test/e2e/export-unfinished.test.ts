/** Exports that cannot end: what was got is kept, the next step is named, and that step ends with the undisturbed bytes. */
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireLock } from '../../src/system/lock.js';
import { asked, commandIn, digest, setUpExport, stopped, undisturbed } from './export-setup.js';
import { ended, newFolder, opac } from './opac.js';

const HOLDINGS = { records: 600 };
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
      expect(pages() - before).toBeLessThan(60);
      expect(await setup.manifest('out.csv')).toMatchObject({ resumed: 1, received: 600, duplicates: 0 });
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
    expect(await setup.manifest('out.csv')).toMatchObject({ resumed: 1, records: 600 });
    const anew = await copies.run(`${LINE} --force`);
    expect(anew.stderr).toContain(
      `"out.csv": starting from the first record; discarded ${left} records of an unfinished export\n`,
    );
    expect(await copies.manifest('out.csv')).toMatchObject({ resumed: 0, records: 600 });
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

describe('a token that expires', () => {
  it('without a secret to renew it ends with 4, and another token goes on', async () => {
    const whole = await undisturbed('out.csv', LINE, HOLDINGS);
    const setup = await setUpExport({ ...HOLDINGS, access: 'authorized', oauth: { tokenUses: 20 } });
    const first = await setup.run(LINE, { environment: { OPAC_ACCESS_TOKEN: setup.museum.issueToken() } });
    expect(first.code).toBe(4);
    expect(first.stderr).toMatch(
      /\(401\).*\d+0 records are in "out\.csv\.part"; resume with: opac .* --resume\n$/,
    );
    let runs = 0;
    let last = first;
    while (last.code === 4 && runs++ < 9) {
      const environment = { OPAC_ACCESS_TOKEN: setup.museum.issueToken() };
      last = await setup.run(commandIn(last.stderr), { environment });
    }
    expect({ code: last.code, runs, same: digest(await setup.text('out.csv')) }).toEqual({
      code: 0,
      runs: 3,
      same: digest(whole),
    });
  });
});

describe('a page that keeps failing', () => {
  const FAULTS = { ...HOLDINGS, faults: [{ kind: 'status', status: 500, after: 20, count: 1 }] } as const;

  it('leaves a gap that the manifest names, and --resume fills it', async () => {
    const whole = await undisturbed('out.csv', LINE, HOLDINGS);
    const setup = await setUpExport(FAULTS);
    const first = await setup.run(`${LINE} --retries 0`);
    expect(first.code).toBe(6);
    expect(first.stderr).toMatch(
      /^opac: the export is incomplete: records (\d+)1 to \d+0 are missing: the service failed \(500\).*; 590 records are in out\.incomplete\.csv; export the rest with: opac .* --resume\n$/,
    );
    const incomplete = await setup.manifest('out.incomplete.csv');
    expect(incomplete).toMatchObject({ complete: false, records: 590, gaps: [{ limit: 10 }] });
    expect(incomplete.reasons).toHaveLength(1);
    expect((await setup.run('verify out.incomplete.csv')).code).toBe(6);

    const again = await setup.run(commandIn(first.stderr));
    expect({ code: again.code, same: digest(await setup.text('out.csv')) }).toEqual({
      code: 0,
      same: digest(whole),
    });
    expect(await setup.manifest('out.csv')).toMatchObject({ complete: true, gaps: [], records: 600 });
    // What the incomplete run had got is in the whole file.
    expect(await setup.names()).toEqual(['out.csv', 'out.csv.manifest.json']);
  });

  it('is one of too many, when three in a row fail: the run stops and can go on', async () => {
    const whole = await undisturbed('out.csv', LINE, HOLDINGS);
    const setup = await setUpExport({
      ...HOLDINGS,
      faults: [{ kind: 'status', status: 500, after: 20, count: 6 }],
    });
    const first = await setup.run(`${LINE} --retries 0`);
    expect(first.code).toBe(6);
    expect(first.stderr).toMatch(
      /^opac: the service failed \(500\).*try again later.*; resume with: opac .* --resume\n$/,
    );
    const again = await setup.run(commandIn(first.stderr).replace(' --retries 0', ''));
    expect({ code: again.code, same: digest(await setup.text('out.csv')) }).toEqual({
      code: 0,
      same: digest(whole),
    });
  });

  it('to standard output, is said where nothing can be resumed', async () => {
    const setup = await setUpExport({ ...HOLDINGS, faults: [{ kind: 'status', status: 500, after: 20 }] });
    const { code, stdout, stderr } = await setup.run('objects export --page-size 10 --retries 0 -f csv');
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(/^opac: the service failed \(500\)/);
    expect(stderr).not.toMatch(/part|resume/);
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
    const { code } = await setup.run(`${LINE} -f tsv --columns id,title --multi first --split 400 --resume`);
    expect(code).toBe(0);
    expect((await setup.text('out-001.csv')).startsWith('id\ttitle\n')).toBe(true);
    expect(await setup.manifest('out.csv')).toMatchObject({ resumed: 1, records: 600 });
  });

  it('needs a file', async () => {
    const setup = await setUpExport(HOLDINGS);
    for (const target of ['', ' -o -']) {
      const { code, stderr } = await setup.run(`objects export${target} --resume`);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('-o <file>') });
    }
    expect(setup.museum.requests).toEqual([]);
  });

  it('of a whole export, or of none, makes it anew', async () => {
    const setup = await setUpExport(HOLDINGS);
    expect(await setup.run(`${LINE} --resume`)).toMatchObject({ code: 0 });
    expect(await setup.run(`${LINE} --resume`)).toMatchObject({ code: 0 });
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

  it('that cannot be is refused before anything is asked', async () => {
    const setup = await setUpExport(HOLDINGS);
    await mkdir(setup.path('folder'));
    const rows = [
      ['folder', 1, 'it is a folder; name a file in this folder'],
      ['no/such/out.csv', 1, 'the folder "no/such" does not exist'],
      ['/dev/null', 2, 'is not a regular file; write to standard output with -o -'],
    ] as const;
    for (const [target, exit, message] of rows) {
      const { code, stderr } = await setup.run(`objects export -o ${target}`);
      expect({ target, code, stderr }).toEqual({
        target,
        code: exit,
        stderr: expect.stringContaining(message),
      });
    }
    expect(setup.museum.requests).toEqual([]);
    expect(await setup.names()).toEqual(['folder']);
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
