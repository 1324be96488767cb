/** Replacing a file in a folder where other users may plant files and links. */
import { chmod, chown, lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { moveIntoPlace, replaceFile } from '../../src/system/replace-file.js';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-replace-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it('moveIntoPlace does not change the permissions of a file through a link', async () => {
  const folder = await newFolder();
  const [old, fresh, victim] = ['o.csv', 'o.csv.new', 'victim'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(old, 'old');
  await chmod(old, 0o666);
  await writeFile(victim, 'private', { mode: 0o600 });
  await symlink(victim, fresh);
  await expect(moveIntoPlace(fresh, old)).rejects.toThrow('is not a regular file');
  expect((await stat(victim)).mode & 0o777).toBe(0o600);
  expect(await readFile(old, 'utf8')).toBe('old');
});

it('replaceFile keeps the permissions of the old file', async () => {
  const path = join(await newFolder(), 'o.csv');
  await writeFile(path, 'old');
  await chmod(path, 0o640);
  await replaceFile(path, 'new');
  expect([await readFile(path, 'utf8'), (await lstat(path)).mode & 0o777]).toEqual(['new', 0o640]);
});

it.skipIf(process.getuid?.() !== 0)(
  'moveIntoPlace keeps no permissions from a file of another user (needs root)',
  async () => {
    const folder = await newFolder();
    const [old, fresh] = [join(folder, 'o.csv'), join(folder, 'o.csv.new')];
    await writeFile(old, 'old');
    await chmod(old, 0o604);
    await chown(old, 65534, 65534);
    await writeFile(fresh, 'new');
    await chmod(fresh, 0o660);
    await moveIntoPlace(fresh, old);
    const { mode, gid } = await lstat(old);
    expect([mode & 0o777, gid]).toEqual([0o600, 0]);
  },
);
