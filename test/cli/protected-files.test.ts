/** Files that exports and lists do not replace: edited files, files of other programs, and symbolic links. */
import {
  appendFile,
  chmod,
  chown,
  lchown,
  lstat,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../auth/temporary-folder.js';
import { opac } from './run-in-process.js';

const run = (file: string, ...options: string[]) =>
  opac(['objects', 'export', '--mock', '--limit', '30', '-o', file, ...options]);

async function exportFile(): Promise<string> {
  const file = join(await createTemporaryFolder(), 'o.csv');
  expect((await run(file)).code).toBe(0);
  return file;
}

describe('an export', () => {
  it('replaces its own file, and an edited file only with --force', async () => {
    const file = await exportFile();
    const before = await readFile(file, 'utf8');
    expect((await run(file)).code).toBe(0);
    await appendFile(file, 'edited\n');
    const { code, stderr } = await run(file);
    expect([code, stderr]).toEqual([2, expect.stringContaining('o.csv" was changed after the export; ')]);
    expect(await readFile(file, 'utf8')).toBe(`${before}edited\n`);
    expect((await run(file, '--force')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('does not replace an edited file of the same size', async () => {
    const file = await exportFile();
    const edited = (await readFile(file, 'utf8')).replace('wax', 'WAX');
    await writeFile(file, edited);
    expect((await run(file)).code).toBe(2);
    expect(await readFile(file, 'utf8')).toBe(edited);
  });

  it('replaces a file of another program only with --force', async () => {
    const file = join(await createTemporaryFolder(), 'o.csv');
    await writeFile(file, 'mine');
    const { code, stderr } = await run(file, '--resume');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('exists, but is not an export with a manifest; '),
    ]);
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect((await run(file, '--force')).code).toBe(0);
  });

  it('replaces an edited file of a split export only with --force', async () => {
    const file = join(await createTemporaryFolder(), 'o.csv');
    expect((await run(file, '--split', '10')).code).toBe(0);
    await appendFile(file.replace('.csv', '-002.csv'), 'edited\n');
    expect((await run(file, '--split', '10')).code).toBe(2);
    expect(await readFile(file.replace('.csv', '-002.csv'), 'utf8')).toMatch(/edited\n$/);
    expect((await run(file, '--split', '10', '--resume', '--force')).code).toBe(0);
    expect((await opac(['verify', file])).code).toBe(0);
  });

  it.skipIf(process.getuid?.() !== 0)('keeps the group and the mode of the file (needs root)', async () => {
    const file = await exportFile();
    await chown(file, -1, 33);
    await chmod(file, 0o640);
    expect((await run(file)).code).toBe(0);
    const { gid, mode } = await stat(file);
    expect([gid, mode & 0o777]).toEqual([33, 0o640]);
  });
});

it.skipIf(process.getuid?.() !== 0)(
  'refuses symbolic links of another user in list and images download (needs root)',
  async () => {
    const folder = await createTemporaryFolder();
    const [pipe, pictures] = [join(folder, 'o.csv'), join(folder, 'pictures')];
    await symlink('/dev/zero', pipe);
    await symlink(await createTemporaryFolder(), pictures);
    for (const link of [pipe, pictures]) await lchown(link, 12_345, 12_345);
    const error = { code: 2, stderr: expect.stringContaining('is a symbolic link; name the file') };
    expect(await opac(['objects', 'list', '--mock', '-o', pipe, '--force'])).toMatchObject(error);
    expect(await opac(['images', 'download', pictures, '--mock'])).toMatchObject(error);
    expect(await readdir(pictures)).toEqual([]);
  },
);

it.skipIf(process.getuid?.() !== 0)(
  'neither deletes nor replaces files that a manifest of another user lists (needs root)',
  async () => {
    const folder = await createTemporaryFolder();
    const firstFile = join(folder, 'o-001.csv');
    const manifest = join(folder, 'o.csv.manifest.json');
    expect((await run(join(folder, 'o.csv'), '--split', '100')).code).toBe(0);
    await chown(manifest, 12_345, 12_345);
    await chown(firstFile, 54_321, 54_321);
    const before = await readFile(firstFile, 'utf8');
    expect(await run(join(folder, 'o.csv'), '--force')).toMatchObject({ code: 0 });
    expect(await readFile(firstFile, 'utf8')).toBe(before);
    await chown(manifest, 12_345, 12_345);
    const { code, stderr } = await run(join(folder, 'o.csv'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('o.csv" exists, but is not an export')]);
  },
);

it('refuses to replace the manifest of an export with a list', async () => {
  const file = await exportFile();
  const before = await readFile(`${file}.manifest.json`, 'utf8');
  const { code, stderr } = await opac([
    'objects',
    'list',
    '--mock',
    '-o',
    `${file}.manifest.json`,
    '--force',
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('has the name of a file that opac writes')]);
  expect(await readFile(`${file}.manifest.json`, 'utf8')).toBe(before);
});

describe.each(['export', 'list'])('%s', (verb) => {
  it.each([true, false])(
    'neither replaces nor follows a symbolic link (dangling: %s)',
    async (isDangling) => {
      const file = await exportFile();
      const before = await readFile(file, 'utf8');
      const link = join(await createTemporaryFolder(), 'latest.csv');
      await symlink(file, link);
      if (isDangling) await rm(file);
      for (const options of [[], ['--force']]) {
        const { code, stderr } = await opac(['objects', verb, '--mock', '-o', link, ...options]);
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining('latest.csv" is a symbolic link; name the file'),
        ]);
      }
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      if (!isDangling) expect(await readFile(file, 'utf8')).toBe(before);
    },
  );
});
