import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../src/system/folders.js';

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-folder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it('makeFolder creates missing parents with the mode, and accepts an existing folder', async () => {
  const folder = await createFolder();
  for (let times = 0; times < 2; times++) await makeFolder(join(folder, 'a/b/c'), 0o700);
  for (const path of ['a', 'a/b', 'a/b/c']) {
    const { mode } = await stat(join(folder, path));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o700);
  }
});

it('makeFolder creates the same parents for parallel calls', async () => {
  const folder = await createFolder();
  const names = Array.from({ length: 200 }, (_, n) => join(folder, `${n % 20}/x/y/${n}`));
  await Promise.all(names.map((name) => makeFolder(name)));
  for (const name of names) expect((await stat(name)).isDirectory()).toBe(true);
});

it('makeFolder fails if a file or a dangling link is in the path', async () => {
  const folder = await createFolder();
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'nowhere'), join(folder, 'link'));
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'file/a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolder(join(folder, 'link/a'))).rejects.toMatchObject({ code: 'EEXIST' });
});

// On Node 20, `mkdir` with `recursive` never returns below /proc.
it.runIf(process.platform === 'linux')(
  'makeFolder fails below /proc, which allows no new folders (needs Linux)',
  async () => {
    await expect(makeFolder('/proc/opac/a/b')).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
