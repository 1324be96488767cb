import { spawnSync } from 'node:child_process';
import promises, { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createLockFile, isAlive, removeLockFile } from '../../src/system/lock-file.js';

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-lock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  lock = join(folder, 'lock');
});

/** Fails with that code after the task, until the test has ended. Mocks of modules come too late where other files have loaded them. */
function failLinks(code: string, task = async (_: string) => {}): void {
  const real = promises.link;
  const put = (link: typeof promises.link) => {
    promises.link = link;
    syncBuiltinESMExports();
  };
  put(async (from) => {
    await task(String(from));
    throw Object.assign(new Error('no link'), { code });
  });
  onTestFinished(() => put(real));
}

it.each([
  ['has links', () => undefined],
  ['has none (exFAT)', () => failLinks('EPERM')],
])('only one of many takes it, where the file system %s', async (_, prepare) => {
  prepare();
  const names = Array.from({ length: 8 }, (_, n) => `${n}`);
  const taken = await Promise.all(names.map((name) => createLockFile(lock, name)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await readFile(lock, 'utf8')).toBe(names[taken.indexOf(true)]);
  expect(await readdir(folder)).toEqual(['lock']);
  await removeLockFile(lock);
  expect(await createLockFile(lock, 'again')).toBe(true);
});

it('takes away what killed processes left beside it, and nothing else', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const left = [`lock.${dead}.0123456789ab`, `lock.${process.pid}.0123456789ab`];
  const others = [`lock.${process.ppid}.0123456789ab`, `lock.${dead}.txt`, `other.${dead}.0123456789ab`];
  for (const name of [...left, ...others]) await writeFile(join(folder, name), 'stale');
  await createLockFile(lock, 'mine');
  expect((await readdir(folder)).sort()).toEqual(['lock', ...others].sort());
});

it('is not taken when a holder on another machine removed what was to become it', async () => {
  failLinks('ENOENT', (beside) => rm(beside));
  expect(await createLockFile(lock, 'mine')).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

it('is not followed when it is a link', async () => {
  await symlink(join(folder, 'nowhere'), lock);
  expect(await createLockFile(lock, 'mine')).toBe(false);
  expect(await readdir(folder)).toEqual(['lock']);
});

it('tells whether a process lives', () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(2 ** 30)).toBe(false);
});
