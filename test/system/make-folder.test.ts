import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../src/system/folders.js';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-folder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it('makes the folders above it too, with the mode, and may be there already', async () => {
  const folder = await temporaryFolder();
  for (let times = 0; times < 2; times++) await makeFolder(join(folder, 'a/b/c'), 0o700);
  for (const path of ['a', 'a/b', 'a/b/c']) {
    const { mode } = await stat(join(folder, path));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o700);
  }
});

it('makes the same parents for several tasks at the same time', async () => {
  const folder = await temporaryFolder();
  const names = Array.from({ length: 200 }, (_, n) => join(folder, `${n % 20}/x/y/${n}`));
  await Promise.all(names.map((name) => makeFolder(name)));
  for (const name of names) expect((await stat(name)).isDirectory()).toBe(true);
});

it('fails where a file or a dangling link is in the way', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'nowhere'), join(folder, 'link'));
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'file/a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolder(join(folder, 'link/a'))).rejects.toMatchObject({ code: 'EEXIST' });
});

// `mkdir` with `recursive` never returns there on Node 20.
it.runIf(process.platform === 'linux')(
  'fails below /proc, which takes no folders (needs Linux)',
  async () => {
    await expect(makeFolder('/proc/opac/a/b')).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
