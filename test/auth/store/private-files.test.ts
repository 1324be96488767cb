/** Modes of the folder and the file that hold credentials. */
import { chmod, lchown, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { assertOwner, assertPrivateFile, makePrivateFolder } from '../../../src/auth/store/private-files.js';
import { temporaryFolder } from '../temporary-folder.js';

const PLATFORM = process.platform;
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: PLATFORM });
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;

async function folderOf(mode: number): Promise<string> {
  const folder = join(await temporaryFolder(), 'folder');
  await mkdir(folder);
  await chmod(folder, mode);
  return folder;
}

async function fileOf(mode: number): Promise<string> {
  const path = join(await temporaryFolder(), 'profiles.json');
  await writeFile(path, '');
  await chmod(path, mode);
  return path;
}

describe.runIf(PLATFORM !== 'win32')('on a system with the modes of POSIX', () => {
  it.each([
    [0o755, undefined, 0o700],
    [0o777, 0o022, 0o755],
    [0o500, undefined, 0o500],
    // Shared on purpose, as /tmp is.
    [0o1777, undefined, 0o1777],
  ])('a folder of mode %i, from which %s is taken, gets %i', async (mode, removed, after) => {
    const folder = await folderOf(mode);
    await makePrivateFolder(folder, removed);
    expect(await modeOf(folder)).toBe(after);
  });

  it('of what others could have changed says what to do', async () => {
    const path = await fileOf(0o640);
    const code = 'permission-denied';
    const message = `cannot use "${path}": other users can read or change it`;
    const hint = `run: chmod 600 "${path}"`;
    await expect(assertPrivateFile(path)).rejects.toMatchObject({ kind: 'internal', message, hint, code });
    const folder = await folderOf(0o700);
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

  it('modes are left to Windows, which has others', async () => {
    const [folder, path] = [await folderOf(0o777), await fileOf(0o666)];
    Object.defineProperty(process, 'platform', { value: 'win32' });
    await makePrivateFolder(folder);
    await assertPrivateFile(path);
    expect([await modeOf(folder), await modeOf(path)]).toEqual([0o777, 0o666]);
  });
});

it.skipIf(process.getuid?.() !== 0)(
  'a link of another user is refused, wherever it leads (needs root)',
  async () => {
    const link = join(await temporaryFolder(), 'link');
    await symlink(await folderOf(0o700), link);
    await assertOwner(link, 0);
    await lchown(link, 12_345, 12_345);
    await expect(assertOwner(link, 0)).rejects.toThrow('it belongs to another user');
  },
);

it('what is not there is nobody else’s, and stays away', async () => {
  const path = join(await temporaryFolder(), 'none');
  await assertOwner(path, 7);
  await assertPrivateFile(path);
  await expect(stat(path)).rejects.toThrow('ENOENT');
  const below = join(await fileOf(0o600), 'below');
  await expect(assertOwner(below, 7)).rejects.toThrow('ENOTDIR');
  await expect(assertPrivateFile(below)).rejects.toThrow('ENOTDIR');
});
