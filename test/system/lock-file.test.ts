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

/** Runs the task and fails with the code in each `link` of the test. A module mock would be too late for loaded modules. */
function failLinks(code: string, task = async (_: string) => {}): void {
  const real = promises.link;
  const setLink = (link: typeof promises.link) => {
    promises.link = link;
    syncBuiltinESMExports();
  };
  setLink(async (from) => {
    await task(String(from));
    throw Object.assign(new Error('no link'), { code });
  });
  onTestFinished(() => setLink(real));
}

it.each([
  ['has links', () => undefined],
  ['has no links (exFAT)', () => failLinks('EPERM')],
])('createLockFile succeeds for only one of 8 parallel calls if the file system %s', async (_, prepare) => {
  prepare();
  const names = Array.from({ length: 8 }, (_, n) => `${n}`);
  const created = await Promise.all(names.map((name) => createLockFile(lock, name)));
  expect(created.filter(Boolean)).toHaveLength(1);
  expect(await readFile(lock, 'utf8')).toBe(names[created.indexOf(true)]);
  expect(await readdir(folder)).toEqual(['lock']);
  await removeLockFile(lock);
  expect(await createLockFile(lock, 'again')).toBe(true);
});

it('createLockFile removes temporary files that killed processes left, and nothing else', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const left = [`lock.${dead}.0123456789ab`, `lock.${process.pid}.0123456789ab`];
  const others = [`lock.${process.ppid}.0123456789ab`, `lock.${dead}.txt`, `other.${dead}.0123456789ab`];
  for (const name of [...left, ...others]) await writeFile(join(folder, name), 'stale');
  await createLockFile(lock, 'mine');
  expect((await readdir(folder)).sort()).toEqual(['lock', ...others].sort());
});

it('createLockFile returns false if a run on another machine removed its temporary file', async () => {
  failLinks('ENOENT', (temporary) => rm(temporary));
  expect(await createLockFile(lock, 'mine')).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

it('createLockFile does not follow a link', async () => {
  await symlink(join(folder, 'nowhere'), lock);
  expect(await createLockFile(lock, 'mine')).toBe(false);
  expect(await readdir(folder)).toEqual(['lock']);
});

it('isAlive returns whether a process exists', () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(2 ** 30)).toBe(false);
});
