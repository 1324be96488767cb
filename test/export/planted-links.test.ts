/** Links at the paths of opac's own files: opac does not change the files that the links point to. */
import { execFile } from 'node:child_process';
import {
  appendFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppendFile } from '../../src/system/append-file.js';
import { getPathType } from '../../src/system/output-path.js';
import { opac } from '../cli/run-in-process.js';

const ENDINGS = [
  '',
  '.part',
  '.part.json',
  '.part.json.opac-new',
  '.manifest.json.opac-new',
  '.lock',
  '.tmp',
  '.opac-new',
];

async function createVictim(dangling: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'opac-links-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const victim = join(folder, 'victim');
  if (!dangling) await writeFile(victim, 'mine');
  const target = join(folder, 'o.csv');
  return { folder, victim, target };
}

const readVictim = (path: string) => readFile(path, 'utf8').catch(() => undefined);

describe.each([
  ['list', ['--limit', '3']],
  ['export', ['--limit', '30', '--page-size', '10']],
])('symbolic link next to the target of objects %s', (verb, options) => {
  it.each(ENDINGS.flatMap((ending) => [[ending, false] as const, [ending, true] as const]))(
    'is not followed at the path TARGET%s (dangling: %s)',
    async (ending, dangling) => {
      const { victim, target } = await createVictim(dangling);
      await symlink(victim, `${target}${ending}`);
      const { code } = await opac(['objects', verb, '--mock', '-o', target, ...options]);
      expect(await readVictim(victim)).toBe(dangling ? undefined : 'mine');
      // opac does not replace a link at the target. It treats a link at the path of the lock as the lock of another run.
      if (code !== 0) return expect(['', '.lock']).toContain(ending);
      expect(ending).not.toBe('');
      expect((await lstat(target)).isFile()).toBe(true);
      expect((await readFile(target, 'utf8')).split('\n').length).toBeGreaterThan(3);
    },
  );
});

it.each([
  ['list', 0],
  ['export', 2],
])(
  'keeps a link to a device (%s), and detects streams by their paths (needs /dev and /proc)',
  async (verb, code) => {
    const { target } = await createVictim(false);
    await symlink('/dev/null', target);
    const args = ['objects', verb, '--mock', '--limit', '3', '-f', 'ndjson', '-o'];
    expect((await opac([...args, target])).code).toBe(code);
    expect(await readlink(target)).toBe('/dev/null');
    expect(await getPathType('/dev/stdout')).toBe('stream');
    const handle = await open(`${target}.open`, 'w');
    // The shell passes such a path: a link of the system to an open file.
    expect(await getPathType(`/proc/self/fd/${handle.fd}`)).toBe('stream');
    await handle.close();
  },
);

describe('image folder', () => {
  const download = (folder: string) => opac(['images', 'download', folder, '--mock', '--limit', '2']);

  it('causes an error if its journal is a link, which is not followed', async () => {
    const { folder, victim } = await createVictim(false);
    const pictures = join(folder, 'pictures');
    await mkdir(join(pictures, '.opac'), { recursive: true });
    await symlink(victim, join(pictures, '.opac', 'done.ndjson'));
    const { code, stderr } = await download(pictures);
    expect([code, stderr]).toEqual([2, expect.stringContaining('done.ndjson" is not a regular file')]);
    expect(await readVictim(victim)).toBe('mine');
  });

  it('causes an error if its folder .opac is a link, which is not followed', async () => {
    const { folder, victim } = await createVictim(false);
    const pictures = join(folder, 'pictures');
    await mkdir(pictures);
    await symlink(folder, join(pictures, '.opac'));
    const { code, stderr } = await download(pictures);
    expect([code, stderr]).toEqual([2, expect.stringContaining('.opac" is not a folder')]);
    expect(await readVictim(victim)).toBe('mine');
  });

  it('causes an error if its index is a named pipe (needs mkfifo)', async () => {
    const { folder } = await createVictim(false);
    await promisify(execFile)('mkfifo', [join(folder, 'index.ndjson')]);
    const { code, stderr } = await download(folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('index.ndjson" is not a regular file')]);
  });
});

it('does not resume a partial file that is a link', async () => {
  const { victim, target } = await createVictim(false);
  await symlink(victim, `${target}.part`);
  await expect(AppendFile.resume(`${target}.part`, { bytes: 2 })).rejects.toThrow('o.csv.part');
  expect(await readVictim(victim)).toBe('mine');
});

it.each<[string, (path: string, victim: string) => Promise<unknown>]>([
  ['replaced by a link', (path, victim) => rm(path).then(() => symlink(victim, path))],
  ['replaced by a file', (path, victim) => rename(victim, path)],
  ['truncated', (path) => truncate(path, 1)],
  ['extended', (path) => appendFile(path, 'x')],
])('throws for a partial file that another program has %s', async (_, change) => {
  const { victim, target } = await createVictim(false);
  const part = await AppendFile.create(`${target}.part`);
  await part.append(Buffer.from('id\n1\n'));
  await part.sync();
  await change(part.path, victim);
  await expect(part.sync()).rejects.toThrow('o.csv.part": another program changed it in the meantime');
  await part.close();
});

it('keeps a device at the path of a partial file (needs /dev/null)', async () => {
  const before = await lstat('/dev/null');
  const part = await AppendFile.create('/dev/null');
  await part.close();
  const after = await lstat('/dev/null');
  expect([after.isCharacterDevice(), after.ino]).toEqual([true, before.ino]);
});
