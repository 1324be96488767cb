/** Modes of the folder and the file that contain credentials. */
import { chmod, lchown, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { assertOwner, assertPrivateFile, makePrivateFolder } from '../../../src/auth/store/private-files.js';
import { createTemporaryFolder } from '../temporary-folder.js';

const PLATFORM = process.platform;
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: PLATFORM });
});

const getMode = async (path: string) => (await stat(path)).mode & 0o7777;

async function createFolder(mode: number): Promise<string> {
  const folder = join(await createTemporaryFolder(), 'folder');
  await mkdir(folder);
  await chmod(folder, mode);
  return folder;
}

async function createFile(mode: number): Promise<string> {
  const path = join(await createTemporaryFolder(), 'profiles.json');
  await writeFile(path, '');
  await chmod(path, mode);
  return path;
}

describe.runIf(PLATFORM !== 'win32')('private files (need modes of POSIX)', () => {
  it.each([
    [0o755, undefined, 0o700],
    [0o777, 0o022, 0o755],
    [0o500, undefined, 0o500],
    // Folders with the sticky bit, such as /tmp, are shared on purpose.
    [0o1777, undefined, 0o1777],
  ])('change the mode of their folder from %i, without the bits %s, to %i', async (mode, removed, after) => {
    const folder = await createFolder(mode);
    await makePrivateFolder(folder, removed);
    expect(await getMode(folder)).toBe(after);
  });

  it('cause an error with a hint for unsafe modes, for folders and for other owners', async () => {
    const path = await createFile(0o640);
    const code = 'permission-denied';
    const message = `cannot use "${path}": other users can read or change it`;
    const hint = `run: chmod 600 "${path}"`;
    await expect(assertPrivateFile(path)).rejects.toMatchObject({ kind: 'internal', message, hint, code });
    const folder = await createFolder(0o700);
    await expect(assertPrivateFile(folder)).rejects.toMatchObject({
      message: `cannot use "${folder}": it is not a regular file`,
      hint: 'replace it with a regular file',
      code,
    });
    const { uid } = await stat(path);
    await expect(assertOwner(path, uid + 1)).rejects.toMatchObject({
      message: `cannot store credentials in "${path}": it belongs to another user`,
      hint: 'run opac as its owner, or set OPAC_CONFIG_DIR to a folder that you own',
    });
    for (const user of [uid, undefined]) await assertOwner(path, user);
  });

  it('keep their modes on Windows, also unsafe ones', async () => {
    const [folder, path] = [await createFolder(0o777), await createFile(0o666)];
    Object.defineProperty(process, 'platform', { value: 'win32' });
    await makePrivateFolder(folder);
    await assertPrivateFile(path);
    expect([await getMode(folder), await getMode(path)]).toEqual([0o777, 0o666]);
  });
});

it.skipIf(process.getuid?.() !== 0)(
  'assertOwner refuses a link of another user to a folder of this user (needs root)',
  async () => {
    const link = join(await createTemporaryFolder(), 'link');
    await symlink(await createFolder(0o700), link);
    await assertOwner(link, 0);
    await lchown(link, 12_345, 12_345);
    await expect(assertOwner(link, 0)).rejects.toThrow('it belongs to another user');
  },
);

it('assertOwner and assertPrivateFile accept a missing file, but not a path below a file', async () => {
  const path = join(await createTemporaryFolder(), 'none');
  await assertOwner(path, 7);
  await assertPrivateFile(path);
  await expect(stat(path)).rejects.toThrow('ENOENT');
  const below = join(await createFile(0o600), 'below');
  await expect(assertOwner(below, 7)).rejects.toThrow('ENOTDIR');
  await expect(assertPrivateFile(below)).rejects.toThrow('ENOTDIR');
});
