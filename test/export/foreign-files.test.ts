/** Damaged or foreign manifests, checkpoints and locks: opac reports which part is damaged, and keeps the records. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readRecords } from '../../src/export/collect/partial-file.js';
import { createJsonConverter } from '../../src/export/convert/lines.js';
import { startMuseum } from '../../src/mock/index.js';
import { OpacError } from '../../src/service/errors.js';
import { formatNumber } from '../../src/service/format-numbers.js';
import { AppendFile } from '../../src/system/append-file.js';
import { writeNewFile } from '../../src/system/replace-file.js';
import { opac } from '../cli/run-in-process.js';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-foreign-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('opac verify', () => {
  it.each<[string, (manifest: Record<string, unknown>) => unknown]>([
    ['files', ({ files: _, ...rest }) => rest],
    [
      'files',
      (manifest) => ({
        ...manifest,
        files: [{ name: '../../etc/passwd', bytes: 1, sha256: '', records: 1 }],
      }),
    ],
    ['files', (manifest) => ({ ...manifest, files: [null] })],
    ['files', (manifest) => ({ ...manifest, files: Array(100_001).fill((manifest.files as unknown[])[0]) })],
    ['files', (manifest) => ({ ...manifest, files: [{ name: 'o.csv', bytes: -5, sha256: '', records: 1 }] })],
    ['job', (manifest) => ({ ...manifest, job: null })],
    ['reasons', (manifest) => ({ ...manifest, complete: false, reasons: 7 })],
    ['totals', (manifest) => ({ ...manifest, totals: [] })],
    ['records', (manifest) => ({ ...manifest, records: '3' })],
    ['columns', ({ columns: _, ...manifest }) => manifest],
  ])('reports a manifest with wrong "%s" as damaged (case %#)', async (place, change) => {
    const target = join(await newFolder(), 'o.csv');
    expect((await opac(['objects', 'export', '--mock', '-o', target, '--limit', '3'])).code).toBe(0);
    const path = `${target}.manifest.json`;
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    await writeFile(path, JSON.stringify(change(manifest)));
    const { code, stderr } = await opac(['verify', target]);
    expect(stderr).toContain(`its "${place}" is damaged`);
    expect(code).toBe(6);
  });
});

describe('opac export --resume', () => {
  it.each(['.part'])('refuses a checkpoint if the file %s is shorter than it states', async (ending) => {
    const { target, resume } = await stopExport();
    const { size } = await stat(`${target}${ending}`);
    await truncate(`${target}${ending}`, size - 1);
    const { code, stderr } = await opac(resume);
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining(
        `o.csv${ending}": it has ${formatNumber(size - 1)} bytes instead of ${formatNumber(size)}`,
      ),
    ]);
    expect(stderr).toContain('start again with --force');
  });

  it.each([-1, 1])(
    'refuses a checkpoint whose record count is wrong by %i, and keeps the partial file',
    async (more) => {
      const { target, resume } = await stopExport();
      const path = `${target}.part.json`;
      const checkpoint = JSON.parse(await readFile(path, 'utf8')) as { tally: { written: number } };
      const { written } = checkpoint.tally;
      const tally = { ...checkpoint.tally, written: written + more };
      await writeFile(path, JSON.stringify({ ...checkpoint, tally }));
      const { size } = await stat(`${target}.part`);
      const { code, stderr } = await opac(resume);
      expect([code, stderr]).toEqual([
        6,
        expect.stringContaining(
          `the checkpoint counts ${written + more} records, but the partial file has ${written}`,
        ),
      ]);
      expect((await stat(`${target}.part`)).size).toBe(size);
    },
  );
});

const EXPORT = ['objects', 'export', '--mock', '--limit', '30', '--page-size', '10'];

describe('opac export', () => {
  const exportWithLock = async (content: string) => {
    const target = join(await newFolder(), 'o.csv');
    await writeFile(`${target}.lock`, content);
    const ended = await opac([...EXPORT, '-o', target]);
    return { ...ended, left: await readFile(`${target}.lock`, 'utf8') };
  };

  it.each([
    'null',
    '[]',
    '{',
    '"7"',
    JSON.stringify({ host: hostname() }),
    JSON.stringify({ pid: 7 }),
    ...[-1, 0, 1.5, 1e300, '7', null].map((pid) => JSON.stringify({ pid, host: hostname() })),
    JSON.stringify({ pid: 7, host: { toString: 'x' } }),
  ])('reports a damaged lock and keeps it: %s', async (content) => {
    const { code, stderr, left } = await exportWithLock(content);
    expect([code, left]).toEqual([2, content]);
    expect(stderr).toMatch(
      /cannot use the lock ".*o\.csv\.lock": opac did not write it; remove it if no other run/,
    );
  });
});

/** Things that can exist at the path of one of opac's files. */
const OBSTACLES: readonly (readonly [what: string, put: (path: string) => Promise<unknown>])[] = [
  ['a pipe (needs mkfifo)', (path) => promisify(execFile)('mkfifo', [path])],
  ['a folder', (path) => mkdir(path)],
  ['a link to a device (needs /dev)', (path) => symlink('/dev/zero', path)],
  ['a dangling link', (path) => symlink(`${path}.nowhere`, path)],
  [
    'a link to a file',
    async (path) => {
      await writeFile(`${path}.victim`, '{}');
      await symlink(`${path}.victim`, path);
    },
  ],
];

describe.each(OBSTACLES)('%s', (what, put) => {
  it.each(['.lock', '.part.json', '.part'])(
    'causes an error at the path of the file %s, and is not read',
    async (ending) => {
      const { target, resume } = await stopExport();
      await rm(`${target}${ending}`, { force: true });
      await put(`${target}${ending}`);
      const { code, stderr } = await opac(resume);
      expect([2, 6]).toContain(code);
      expect(stderr).toContain(`o.csv${ending}`);
      expect(stderr).toMatch(/is not a regular file|it is a folder/);
    },
  );

  it('causes an error in opac verify at the path of a manifest or an exported file', async () => {
    const target = join(await newFolder(), 'o.csv');
    expect((await opac([...EXPORT, '-o', target])).code).toBe(0);
    const manifest = `${target}.manifest.json`;
    const content = await readFile(manifest, 'utf8');
    await rm(manifest);
    await put(manifest);
    const { code, stderr } = await opac(['verify', target]);
    // For a dangling link, opac searches for the manifest elsewhere.
    expect([code, stderr]).toEqual(
      what === 'a dangling link'
        ? [6, expect.stringContaining('no manifest found')]
        : [2, expect.stringContaining('o.csv.manifest.json" is not a regular file')],
    );
    await rm(manifest, { recursive: true });
    await writeFile(manifest, content);
    await put(join(dirname(target), 'other.csv'));
    const { code: other } = await opac(['verify', join(dirname(target), 'other.csv')]);
    expect(other).toBe(what === 'a folder' ? 2 : 6);
  });

  it('does not block a resumed export at the paths of the manifests', async () => {
    const { target, resume } = await stopExport();
    await rm(`${target}.part`);
    await put(`${target}.manifest.json`);
    await put(`${target}.manifest.json.pending`);
    const { code, stderr } = await opac(resume);
    expect([code, stderr]).toEqual([6, expect.stringContaining('o.csv.part": ')]);
  });
});

describe('pending manifest of a killed run', () => {
  it.each<[string, (manifest: Record<string, unknown>) => unknown]>([
    ['no files', ({ files: _, ...rest }) => rest],
    ['invalid files', (manifest) => ({ ...manifest, files: [null] })],
    [
      'a file in another folder',
      (manifest) => ({ ...manifest, files: [{ ...getFirstFile(manifest), name: '../o.csv' }] }),
    ],
    ['a device', (manifest) => ({ ...manifest, files: [{ ...getFirstFile(manifest), name: 'zero' }] })],
  ])('is ignored if it lists %s', async (_, change) => {
    const { target, resume } = await stopExport();
    const completeTarget = join(dirname(target), 'whole.csv');
    expect((await opac([...EXPORT, '-o', completeTarget])).code).toBe(0);
    const manifest = JSON.parse(await readFile(`${completeTarget}.manifest.json`, 'utf8')) as Record<
      string,
      unknown
    >;
    await symlink('/dev/zero', join(dirname(target), 'zero'));
    await rm(`${target}.part`);
    await writeFile(`${target}.manifest.json.pending`, JSON.stringify(change(manifest)));
    const { code, stderr } = await opac(resume);
    expect([code, stderr]).toEqual([6, expect.stringContaining('o.csv.part": ')]);
  });
});

describe('opac', () => {
  it.each([
    ['o.csv.manifest.json', 'verify FOLDER/o.csv', 'is larger than 128 MB'],
    ['o.csv.part.json', 'objects export --mock --resume -o FOLDER/o.csv', 'is larger than 128 MB'],
    ['o.csv.lock', 'objects export --mock -o FOLDER/o.csv', 'is larger than 128 MB'],
    ['mirror.json', 'sync FOLDER --mock', 'is larger than 128 MB'],
    ['index.ndjson', 'images download FOLDER --mock --limit 1', 'a line has more than 16 million characters'],
  ])('refuses a file of 16 GiB at the path of %s', async (name, command, message) => {
    const folder = await newFolder();
    await writeFile(join(folder, name), '');
    await truncate(join(folder, name), 2 ** 34);
    const { code, stderr } = await opac(command.replace('FOLDER', folder).split(' '));
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

const getFirstFile = ({ files }: Record<string, unknown>) => (files as Record<string, unknown>[])[0];

describe('abort signal', () => {
  const SIZE = 400 << 20;
  const reason = new OpacError('interrupted', 'stop');

  async function createLargeFile() {
    const path = join(await newFolder(), 'large.csv');
    await writeFile(path, '');
    await truncate(path, SIZE);
    const interruption = new AbortController();
    setImmediate(() => interruption.abort(reason));
    return { path, signal: interruption.signal };
  }

  it('stops the reading of a resumed partial file', async () => {
    const { path, signal } = await createLargeFile();
    await expect(AppendFile.resume(path, { bytes: SIZE, signal })).rejects.toBe(reason);
  });

  it('stops opac verify', async () => {
    const { path, signal } = await createLargeFile();
    const target = join(await newFolder(), 'o.csv');
    expect((await opac([...EXPORT, '-o', target])).code).toBe(0);
    const manifest = JSON.parse(await readFile(`${target}.manifest.json`, 'utf8'));
    const files = [{ name: 'large.csv', bytes: SIZE, sha256: '', records: 1 }];
    await writeFile(`${path}.manifest.json`, JSON.stringify({ ...manifest, files }));
    expect(await opac(['verify', path], { signal })).toMatchObject({ code: 130, stdout: '' });
  });

  it('stops the writing of an exported file', async () => {
    const { path, signal } = await createLargeFile();
    const lines = createJsonConverter('array').convert(readRecords({ path, start: 0, end: SIZE }));
    await expect(writeNewFile(`${path}.new`, lines, { signal })).rejects.toBe(reason);
  });
});

/** Starts an export that stops after its first pages. Returns its target and the arguments that resume it. */
async function stopExport() {
  const museum = await startMuseum({
    faults: [{ kind: 'status', status: 401, on: 'objects.search', after: 2, count: 1 }],
  });
  onTestFinished(() => museum.close());
  const target = join(await newFolder(), 'o.csv');
  const args = ['objects', 'export', '--base-url', museum.url, '-o', target];
  const paging = ['--limit', '30', '--page-size', '10', '--concurrency', '1'];
  const { code } = await opac([...args, ...paging]);
  expect([code, (await stat(`${target}.part`)).size > 0]).toEqual([4, true]);
  return { target, resume: [...args, ...paging, '--resume'] };
}
