/** Pages of a mirror that were kept are those that were read, in files of our own. */
import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type Mirror, mirrorOf } from './mirror-of.js';
import { edited, linesOf, SmallMuseum, someRecords } from './small-museum.js';

async function museumWithEtags() {
  const museum = await SmallMuseum.start();
  museum.hasEtags = true;
  museum.records.objects = someRecords(350);
  return { museum, mirror: await mirrorOf(museum) };
}

const pagesOf = async ({ folder }: Mirror) =>
  (await readdir(join(folder, '.pages'))).map((name) => join(folder, '.pages', name));

it.each([
  ['cut', 1, (page: string) => page.slice(0, 4000)],
  // A run asks for it once more.
  ['empty', 2, () => '{"totalObjects":350}'],
])('does not keep a page that came %s once', async (_, times, damaged) => {
  const { museum, mirror } = await museumWithEtags();
  const whole = `{"opacObjects":[${linesOf('objects', museum.records.objects.slice(200, 300)).join(',')}],"totalObjects":350}`;
  let faults = 0;
  museum.fault = ({ offset, isStub }) =>
    offset === 200 && !isStub && faults++ < times ? { body: damaged(whole) } : undefined;
  await mirror.sync('--retries', '0');
  for (let run = 0; run < 2; run++) expect(await mirror.sync('--retries', '0')).toMatchObject({ code: 0 });
  expect(await mirror.lines()).toEqual(linesOf('objects', museum.records.objects));
  expect(museum.notModified).toBeGreaterThan(0);
});

it('asks unconditionally for a page whose copy could not be read', async () => {
  const { museum, mirror } = await museumWithEtags();
  await mirror.sync();
  for (const path of await pagesOf(mirror)) {
    const bytes = await readFile(path);
    await writeFile(
      path,
      Buffer.concat([bytes.subarray(0, bytes.indexOf('\n') + 1), gzipSync('{"opacObjects":[{"opacObj')]),
    );
  }
  expect(await mirror.sync()).toMatchObject({ code: 0, stdout: expect.stringContaining('0 changed') });
  expect(await mirror.lines()).toEqual(linesOf('objects', museum.records.objects));
});

it('is not kept waiting by pipes, follows no links, and reads no bomb (needs mkfifo)', async () => {
  const { museum, mirror } = await museumWithEtags();
  await mirror.sync();
  const victim = join(mirror.folder, '..', 'victim');
  await writeFile(victim, 'mine');
  const paths = await pagesOf(mirror);
  for (const [n, path] of paths.entries()) {
    const head = (await readFile(path)).subarray(0, (await readFile(path)).indexOf('\n') + 1);
    await rm(path);
    if (n % 4 === 0) await promisify(execFile)('mkfifo', [path, `${path}.new`]);
    if (n % 4 === 1) await symlink(victim, path);
    if (n % 4 === 2) await symlink(victim, `${path}.new`);
    if (n % 4 === 3)
      await writeFile(path, Buffer.concat([head, gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20))]));
  }
  museum.records.objects = edited(museum.records.objects, '1', { name: 'edited' });
  const before = process.memoryUsage().rss;
  expect(await mirror.sync()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 changed') });
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  expect(await readFile(victim, 'utf8')).toBe('mine');
  expect(await mirror.lines()).toEqual(linesOf('objects', museum.records.objects));
});

it('refuses a link for the folder of pages, and leaves alone what it leads to', async () => {
  const { mirror } = await museumWithEtags();
  await mirror.sync();
  const victim = join(mirror.folder, '..', 'victim');
  await mkdir(victim);
  await rm(join(mirror.folder, '.pages'), { recursive: true });
  await symlink(victim, join(mirror.folder, '.pages'));
  expect(await mirror.sync()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('.pages" is not a folder; remove it'),
  });
  expect(await readdir(victim)).toEqual([]);
  expect((await lstat(join(mirror.folder, '.pages'))).isSymbolicLink()).toBe(true);
});

it('does not trust the date of a page that may have changed again within the same second', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = someRecords(5);
  // It is not over yet when the responses are sent.
  museum.lastModified = new Date(Date.now() + 60_000).toUTCString();
  const mirror = await mirrorOf(museum);
  await mirror.sync();
  museum.records.objects = edited(museum.records.objects, '1', { name: 'edited' });
  expect(await mirror.sync()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 changed') });
});
