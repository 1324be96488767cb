/**
 * Exports on a disk that takes no more, in all its ways: what was got is kept, the next step is named, exit 6, and that step
 * ends with the bytes of an undisturbed run. The limit on the size of files (`ulimit -f`) stands for the end of a disk: it
 * needs no rights, and every system has it.
 */
import { spawn } from 'node:child_process';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { asked, commandIn, digest, setUpExport, undisturbed } from './export-setup.js';
import { COMMAND, ended, newFolder, start, words } from './opac.js';

const HOLDINGS = { records: 300 };
const SLOW = { ...HOLDINGS, latency: 40 };
const LINE = 'objects export --page-size 10 --concurrency 2';

/** A pattern for the whole of what is said: the file, why, what to do about it, and what is kept in the part. */
function said(file: string, reason: string, part: string): RegExp {
  return new RegExp(
    `^opac: cannot write "${file}": ${reason}; \\d+ records are in "${part}"; resume with: opac .* --resume.*\\n$`,
  );
}

const FULL = 'the file grew too large for the file system; allow larger files \\(ulimit -f\\)';

describe('a disk that fills', () => {
  it.each([
    ['out.csv', '', 100_000],
    ['out.csv.gz', '', 100_000],
    ['out.xlsx', ' --columns id,title', 100_000],
    ['out.csv', ' --split 50', 100_000],
  ])('under -o %s%s, and again under --resume, keeps what was got', async (target, more, largestFile) => {
    const line = `${LINE}${more} -o ${target}`;
    const results = more.includes('--split') ? [1, 2, 3, 4, 5, 6].map((n) => `out-00${n}.csv`) : [target];
    const setup = await setUpExport(HOLDINGS);
    const first = await setup.run(line, { largestFile });
    expect(first).toMatchObject({ code: 6, stdout: '' });
    expect(first.stderr).toMatch(said(`${target}.part`, FULL, `${target}.part`));
    const left = [`${target}.part`, `${target}.part.json`];
    expect(await setup.names()).toEqual(left);

    const again = await setup.run(commandIn(first.stderr), { largestFile });
    expect(again).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(said(`${target}.part`, FULL, `${target}.part`)),
    });
    const unable = await setup.run(commandIn(again.stderr), { largestFile: 0 });
    expect(unable).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(said(target, FULL, `${target}.part`)),
    });
    expect(await setup.names()).toEqual(left);

    expect((await setup.run(commandIn(unable.stderr))).code).toBe(0);
    const whole = await setUpExport(HOLDINGS);
    await whole.run(line);
    for (const name of results) expect(digest(await setup.text(name))).toBe(digest(await whole.text(name)));
    expect(await setup.names()).toEqual([...results, `${target}.manifest.json`]);
  });

  it('ends sync with 6 too, before its first request', async () => {
    const setup = await setUpExport(HOLDINGS);
    const { code, stderr } = await setup.run('sync mirror', { largestFile: 0 });
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('too large') });
  });

  it('before anything is written is said before anything is asked', async () => {
    const setup = await setUpExport(HOLDINGS);
    expect(await setup.run('objects export -o out.csv', { largestFile: 0 })).toEqual({
      code: 6,
      stdout: '',
      stderr:
        'opac: cannot write "out.csv": the file grew too large for the file system; allow larger files (ulimit -f), or write to another folder with -o\n',
    });
    expect(setup.museum.requests).toEqual([]);
    expect(await setup.names()).toEqual([]);
  });

  it('under an export to standard output is said in one line', async () => {
    const setup = await setUpExport(HOLDINGS);
    const temporary = await newFolder();
    const full = await open('/dev/full', 'w');
    const redirected = async (format: string) => {
      const [program, ...before] = COMMAND;
      const child = spawn(
        program,
        [...before, ...words(`objects export -o - -f ${format}`), '--base-url', setup.museum.url],
        { stdio: ['ignore', full.fd, 'pipe'], env: { OPAC_CONFIG_DIR: '/nowhere' } },
      );
      return ended(child);
    };
    try {
      const [lines, table, byFile, nowhere] = await Promise.all([
        redirected('ndjson'),
        redirected('csv'),
        setup.run('objects export -o - -f csv', { largestFile: 100_000, environment: { TMPDIR: temporary } }),
        setup.run('objects export -o - -f csv', { environment: { TMPDIR: setup.path('nowhere') } }),
      ]);
      const message =
        'opac: cannot write to standard output: the disk is full; free some space, and run the command again; with -o <file>, opac can resume the export\n';
      for (const each of [lines, table]) expect(each).toMatchObject({ code: 6, stderr: message });
      const elsewhere = 'write to a file with -o, or set TMPDIR to another folder\n';
      expect(byFile).toMatchObject({
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

describe('a file that cannot be put in its place', () => {
  // A folder under the name of a file cannot be written, whoever asks.
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
  ])('%s, keeps everything', async (_, target, obstacle, file, kept) => {
    const line = `${LINE} -o ${target}`;
    const setup = await setUpExport(HOLDINGS);
    await mkdir(setup.path(obstacle));
    const [first, whole] = await Promise.all([setup.run(line), undisturbed(target, line, HOLDINGS)]);
    expect(first).toMatchObject({ code: 6, stderr: expect.stringMatching(said(file, REASON, kept)) });
    expect(first.stderr).toContain('; 300 records are in ');
    await rm(setup.path(obstacle), { recursive: true });
    const pages = () => setup.museum.requests.filter(({ query }) => query.has('view')).length;
    const before = pages();
    expect((await setup.run(commandIn(first.stderr))).code).toBe(0);
    expect(pages() - before).toBeLessThan(2);
    expect(digest(await setup.text(target))).toBe(digest(whole));
    // That the service has nothing more to say past the end is no change of its total.
    expect(await setup.manifest(target)).toMatchObject({ warnings: [], totals: { first: 300, last: 300 } });
    expect(await setup.names()).toEqual([target, `${target}.manifest.json`]);
  });

  it('the checkpoint, in the middle of a run, keeps what the one before it says', async () => {
    const line = `${LINE} -o out.csv`;
    const setup = await setUpExport(SLOW);
    const child = setup.begin(line);
    const end = ended(child);
    await asked(setup, 8);
    await mkdir(setup.path('out.csv.part.json.opac-new'));
    const [first, whole] = await Promise.all([end, undisturbed('out.csv', line, HOLDINGS)]);
    expect(first).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(said('out.csv.part.json', REASON, 'out.csv.part')),
    });
    await rm(setup.path('out.csv.part.json.opac-new'), { recursive: true });
    expect((await setup.run(commandIn(first.stderr))).code).toBe(0);
    expect(digest(await setup.text('out.csv'))).toBe(digest(whole));
  });
});

describe('a folder', () => {
  it.each([
    ['vanishes', false],
    ['vanishes and comes again', true],
  ])('that %s ends the run with what to do', async (_, comesAgain) => {
    const setup = await setUpExport({ records: 2000, latency: 40 });
    const folder = setup.path('gone');
    await mkdir(folder);
    const end = ended(setup.begin(`${LINE} -o gone/out.csv`));
    await asked(setup, 8);
    // The run creates its lock again while the folder is being removed.
    await rm(folder, { recursive: true, maxRetries: 20 });
    if (comesAgain) await mkdir(folder);
    const { code, stderr } = await end;
    expect(code).toBe(6);
    expect(stderr).toMatch(
      /^opac: cannot write "gone\/out\.csv\.part.*": the folder (?:"gone"|or file) does not exist; no records were saved; check that the folder exists, or write to another folder with -o, and run the command again\n$/,
    );
    // It did not ask for all 200 pages before it found out.
    expect(setup.museum.requests.length).toBeLessThan(200);
    if (comesAgain) expect(await readdir(folder)).toEqual([]);
    else await expect(stat(folder)).rejects.toThrow('ENOENT');
  });
});

it('a download that finds no room for its plan exits 6, and leaves nothing', async () => {
  const folder = await newFolder();
  const run = start(words('images download pictures --mock --limit 30'), { folder, largestFile: 512 });
  expect(await ended(run)).toMatchObject({ code: 6, stderr: expect.stringContaining('allow larger files') });
  expect(await readdir(folder)).toEqual([]);
});
