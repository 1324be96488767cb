/**
 * Exports on a full disk keep the received records, exit with 6, and print the command that resumes the export. The resumed
 * export writes the same bytes as an uninterrupted run. A limit on the size of files (`ulimit -f`) simulates a full disk: it
 * needs no special rights, and every system supports it.
 */
import { spawn } from 'node:child_process';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { digest, findCommand, readUninterrupted, setUpExport, waitForRequests } from './export-setup.js';
import { COMMAND, createFolder, splitCommandLine, start, waitForEnd } from './opac.js';

const RECORDS = { records: 300 };
const SLOW = { ...RECORDS, latency: 40 };
const LINE = 'objects export --page-size 10 --concurrency 2';

/** Returns a pattern for the complete message: the file, the reason, the hint, and the file with the saved records. */
function createPattern(file: string, reason: string, part: string): RegExp {
  return new RegExp(
    `^opac: cannot write "${file}": ${reason}; \\d+ records are in "${part}"; resume with: opac .* --resume.*\\n$`,
  );
}

const FULL = 'the file grew too large for the file system; allow larger files \\(ulimit -f\\)';

describe('a full disk', () => {
  it.each([
    ['out.csv', '', 100_000],
    ['out.csv.gz', '', 100_000],
    ['out.xlsx', ' --columns id,title', 100_000],
    ['out.csv', ' --split 50', 100_000],
  ])(
    'causes no loss of records in an export to %s%s, nor with --resume',
    async (target, more, largestFile) => {
      const line = `${LINE}${more} -o ${target}`;
      const results = more.includes('--split') ? [1, 2, 3, 4, 5, 6].map((n) => `out-00${n}.csv`) : [target];
      const setup = await setUpExport(RECORDS);
      const first = await setup.run(line, { largestFile });
      expect(first).toMatchObject({ code: 6, stdout: '' });
      expect(first.stderr).toMatch(createPattern(`${target}.part`, FULL, `${target}.part`));
      const partialFiles = [`${target}.part`, `${target}.part.json`];
      expect(await setup.names()).toEqual(partialFiles);

      const again = await setup.run(findCommand(first.stderr), { largestFile });
      expect(again).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(createPattern(`${target}.part`, FULL, `${target}.part`)),
      });
      const withoutSpace = await setup.run(findCommand(again.stderr), { largestFile: 0 });
      expect(withoutSpace).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(createPattern(target, FULL, `${target}.part`)),
      });
      expect(await setup.names()).toEqual(partialFiles);

      expect((await setup.run(findCommand(withoutSpace.stderr))).code).toBe(0);
      const complete = await setUpExport(RECORDS);
      await complete.run(line);
      for (const name of results)
        expect(digest(await setup.text(name))).toBe(digest(await complete.text(name)));
      expect(await setup.names()).toEqual([...results, `${target}.manifest.json`]);
    },
  );

  it('causes exit code 6 of sync', async () => {
    const setup = await setUpExport(RECORDS);
    const { code, stderr } = await setup.run('sync mirror', { largestFile: 0 });
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('too large') });
  });

  it('is reported before the first request if opac cannot write anything', async () => {
    const setup = await setUpExport(RECORDS);
    expect(await setup.run('objects export -o out.csv', { largestFile: 0 })).toEqual({
      code: 6,
      stdout: '',
      stderr:
        'opac: cannot write "out.csv": the file grew too large for the file system; allow larger files (ulimit -f), or write to another folder with -o\n',
    });
    expect(setup.museum.requests).toEqual([]);
    expect(await setup.names()).toEqual([]);
  });

  it('is reported in one line by an export to standard output', async () => {
    const setup = await setUpExport(RECORDS);
    const temporary = await createFolder();
    const full = await open('/dev/full', 'w');
    const runRedirected = async (format: string) => {
      const [program, ...before] = COMMAND;
      const child = spawn(
        program,
        [...before, ...splitCommandLine(`objects export -o - -f ${format}`), '--base-url', setup.museum.url],
        { stdio: ['ignore', full.fd, 'pipe'], env: { OPAC_CONFIG_DIR: '/nowhere' } },
      );
      return waitForEnd(child);
    };
    try {
      const [lines, table, withLimit, nowhere] = await Promise.all([
        runRedirected('ndjson'),
        runRedirected('csv'),
        setup.run('objects export -o - -f csv', { largestFile: 100_000, environment: { TMPDIR: temporary } }),
        setup.run('objects export -o - -f csv', { environment: { TMPDIR: setup.path('nowhere') } }),
      ]);
      const message =
        'opac: cannot write to standard output: the disk is full; free some space, and run the command again; with -o <file>, opac can resume the export\n';
      for (const each of [lines, table]) expect(each).toMatchObject({ code: 6, stderr: message });
      const elsewhere = 'write to a file with -o, or set TMPDIR to another folder\n';
      expect(withLimit).toMatchObject({
        code: 6,
        stdout: '',
        stderr: expect.stringMatching(`too large .*; ${elsewhere}$`),
      });
      expect(nowhere).toMatchObject({
        code: 1,
        stderr: `opac: cannot write in "${setup.path('nowhere')}": the folder or file does not exist; ${elsewhere}`,
      });
      expect(await readdir(temporary)).toEqual([]);
    } finally {
      await full.close();
    }
  });
});

describe('a folder in the place of a file', () => {
  // No user can write a file at the path of a folder.
  const REASON = 'it is a folder; move that folder away';

  it.each([
    ['the file', 'out.csv.gz', 'out.csv.gz.part.new', 'out.csv.gz.part.new', 'out.csv.gz.part'],
    [
      'the manifest',
      'out.csv',
      'out.csv.manifest.json.pending.opac-new',
      'out.csv.manifest.json.pending',
      'out.csv.part',
    ],
    [
      'the name of the manifest',
      'out.ndjson',
      'out.ndjson.manifest.json',
      'out.ndjson.manifest.json',
      'out.ndjson.part',
    ],
  ])('causes no loss of records if it blocks %s', async (_, target, obstacle, file, kept) => {
    const line = `${LINE} -o ${target}`;
    const setup = await setUpExport(RECORDS);
    await mkdir(setup.path(obstacle));
    const [first, whole] = await Promise.all([setup.run(line), readUninterrupted(target, line, RECORDS)]);
    expect(first).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(createPattern(file, REASON, kept)),
    });
    expect(first.stderr).toContain('; 300 records are in ');
    await rm(setup.path(obstacle), { recursive: true });
    const pages = () => setup.museum.requests.filter(({ query }) => query.has('view')).length;
    const before = pages();
    expect((await setup.run(findCommand(first.stderr))).code).toBe(0);
    expect(pages() - before).toBeLessThan(2);
    expect(digest(await setup.text(target))).toBe(digest(whole));
    // The last response has no total, because it is past the end. This is not a change of the total.
    expect(await setup.manifest(target)).toMatchObject({ warnings: [], totals: { first: 300, last: 300 } });
    expect(await setup.names()).toEqual([target, `${target}.manifest.json`]);
  });

  it('does not damage the previous checkpoint if it blocks the next one during a run', async () => {
    const line = `${LINE} -o out.csv`;
    const setup = await setUpExport(SLOW);
    const child = setup.begin(line);
    const end = waitForEnd(child);
    await waitForRequests(setup, 8);
    await mkdir(setup.path('out.csv.part.json.opac-new'));
    const [first, whole] = await Promise.all([end, readUninterrupted('out.csv', line, RECORDS)]);
    expect(first).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(createPattern('out.csv.part.json', REASON, 'out.csv.part')),
    });
    await rm(setup.path('out.csv.part.json.opac-new'), { recursive: true });
    expect((await setup.run(findCommand(first.stderr))).code).toBe(0);
    expect(digest(await setup.text('out.csv'))).toBe(digest(whole));
  });
});

describe('a target folder', () => {
  it.each([
    ['disappears', false],
    ['disappears and reappears', true],
  ])('causes exit code 6 and a hint if it %s', async (_, reappears) => {
    const setup = await setUpExport({ records: 2000, latency: 40 });
    const folder = setup.path('gone');
    await mkdir(folder);
    const end = waitForEnd(setup.begin(`${LINE} -o gone/out.csv`));
    await waitForRequests(setup, 8);
    // The run creates its lock again while the folder is being removed.
    await rm(folder, { recursive: true, maxRetries: 20 });
    if (reappears) await mkdir(folder);
    const { code, stderr } = await end;
    expect(code).toBe(6);
    expect(stderr).toMatch(
      /^opac: cannot write "gone\/out\.csv\.part.*": the folder (?:"gone"|or file) does not exist; no records were saved; check that the folder exists, or write to another folder with -o, and run the command again\n$/,
    );
    // The run stopped before it requested all 200 pages.
    expect(setup.museum.requests.length).toBeLessThan(200);
    if (reappears) expect(await readdir(folder)).toEqual([]);
    else await expect(stat(folder)).rejects.toThrow('ENOENT');
  });
});

it('exits with 6 and leaves no files if a download cannot write its plan', async () => {
  const folder = await createFolder();
  const run = start(splitCommandLine('images download pictures --mock --limit 30'), {
    folder,
    largestFile: 512,
  });
  expect(await waitForEnd(run)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('allow larger files'),
  });
  expect(await readdir(folder)).toEqual([]);
});
