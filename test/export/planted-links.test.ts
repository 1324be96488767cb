/** Links that wait at the names of our files: what they lead to stays as it was. */
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

async function trap(dangling: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'opac-links-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const victim = join(folder, 'victim');
  if (!dangling) await writeFile(victim, 'mine');
  const target = join(folder, 'o.csv');
  return { folder, victim, target };
}

const victimOf = (path: string) => readFile(path, 'utf8').catch(() => undefined);

describe.each([
  ['list', ['--limit', '3']],
  ['export', ['--limit', '30', '--page-size', '10']],
])('a link beside the target of %s', (verb, options) => {
  it.each(ENDINGS.flatMap((ending) => [[ending, false] as const, [ending, true] as const]))(
    'at %s is not followed (dangling: %s)',
    async (ending, dangling) => {
      const { victim, target } = await trap(dangling);
      await symlink(victim, `${target}${ending}`);
      const { code } = await opac(['objects', verb, '--mock', '-o', target, ...options]);
      expect(await victimOf(victim)).toBe(dangling ? undefined : 'mine');
      // opac does not replace a link at the target. A link in the place of a lock is another run's, as far as anyone can tell.
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
  '%s never replaces a link to a device, nor a name of the system (needs /dev and /proc)',
  async (verb, code) => {
    const { target } = await trap(false);
    await symlink('/dev/null', target);
    const words = ['objects', verb, '--mock', '--limit', '3', '-f', 'ndjson', '-o'];
    expect((await opac([...words, target])).code).toBe(code);
    expect(await readlink(target)).toBe('/dev/null');
    expect(await getPathType('/dev/stdout')).toBe('stream');
    const handle = await open(`${target}.open`, 'w');
    // As the shell has it: a link of the system to a file.
    expect(await getPathType(`/proc/self/fd/${handle.fd}`)).toBe('stream');
    await handle.close();
  },
);

describe('in a folder of images', () => {
  const download = (folder: string) => opac(['images', 'download', folder, '--mock', '--limit', '2']);

  it('a link in the place of the journal is not followed', async () => {
    const { folder, victim } = await trap(false);
    const pictures = join(folder, 'pictures');
    await mkdir(join(pictures, '.opac'), { recursive: true });
    await symlink(victim, join(pictures, '.opac', 'done.ndjson'));
    const { code, stderr } = await download(pictures);
    expect([code, stderr]).toEqual([2, expect.stringContaining('done.ndjson" is not a regular file')]);
    expect(await victimOf(victim)).toBe('mine');
  });

  it('a link in the place of our folder empties no other', async () => {
    const { folder, victim } = await trap(false);
    const pictures = join(folder, 'pictures');
    await mkdir(pictures);
    await symlink(folder, join(pictures, '.opac'));
    const { code, stderr } = await download(pictures);
    expect([code, stderr]).toEqual([2, expect.stringContaining('.opac" is not a folder')]);
    expect(await victimOf(victim)).toBe('mine');
  });

  it('a pipe in the place of the index is not waited for (needs mkfifo)', async () => {
    const { folder } = await trap(false);
    await promisify(execFile)('mkfifo', [join(folder, 'index.ndjson')]);
    const { code, stderr } = await download(folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('index.ndjson" is not a regular file')]);
  });
});

it('a link in the place of a part is not resumed into', async () => {
  const { victim, target } = await trap(false);
  await symlink(victim, `${target}.part`);
  await expect(AppendFile.resume(`${target}.part`, { bytes: 2 })).rejects.toThrow('o.csv.part');
  expect(await victimOf(victim)).toBe('mine');
});

it.each<[string, (path: string, victim: string) => Promise<unknown>]>([
  ['replaced by a link', (path, victim) => rm(path).then(() => symlink(victim, path))],
  ['replaced by a file', (path, victim) => rename(victim, path)],
  ['cut', (path) => truncate(path, 1)],
  ['added to', (path) => appendFile(path, 'x')],
])('a part that another program has %s does not become the target', async (_, change) => {
  const { victim, target } = await trap(false);
  const part = await AppendFile.create(`${target}.part`);
  await part.append(Buffer.from('id\n1\n'));
  await part.sync();
  await change(part.path, victim);
  await expect(part.sync()).rejects.toThrow('o.csv.part": another program changed it in the meantime');
  await part.close();
});

it('a device in the place of a part is neither removed nor replaced (needs /dev/null)', async () => {
  const before = await lstat('/dev/null');
  const part = await AppendFile.create('/dev/null');
  await part.close();
  const after = await lstat('/dev/null');
  expect([after.isCharacterDevice(), after.ino]).toEqual([true, before.ino]);
});
