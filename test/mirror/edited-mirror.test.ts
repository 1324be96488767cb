/** `opac sync` does not replace a snapshot that a user edited, and does not copy its records into the next snapshot. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { opac } from '../cli/run-in-process.js';
import { createMirror } from './mirror-of.js';
import { createRecords, editRecord, formatLines, SmallMuseum } from './small-museum.js';

const EDITS: readonly [string, (text: string) => string][] = [
  ['of a value', (text) => text.replace('record 2"', 'my own words"')],
  ['that removes a record', (text) => text.replace(/^.*\n/, '')],
  ['of the same size', (text) => text.replace('record 2"', 'RECORD 2"')],
];

it.each(
  EDITS.flatMap(([name, edit]) => [
    [name, edit, []] as const,
    [`${name}, with --newest-first`, edit, ['--newest-first', 'modified']] as const,
  ]),
)('refuses to replace a snapshot after an edit %s', async (_, edit, words) => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(5);
  const mirror = await createMirror(museum);
  expect(await mirror.sync(...words)).toMatchObject({ code: 0 });
  const file = join(mirror.folder, 'objects.ndjson.gz');
  const text = edit(gunzipSync(await readFile(file)).toString());
  await writeFile(file, gzipSync(text));
  museum.records.objects = editRecord(museum.records.objects, '3', { name: 'new', modified: '2026-11-22' });

  expect(await mirror.sync(...words)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /objects.ndjson.gz" was changed after the export; move it to another folder; the next run reads all records\n$/,
    ),
  });
  expect(gunzipSync(await readFile(file)).toString()).toBe(text);

  await rename(file, `${file}.mine`);
  expect(await mirror.sync(...words)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('is missing, so opac cannot find the changes'),
  });
  expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
  expect(await mirror.sync(...words)).toMatchObject({ code: 0 });
});

it.each([
  ['changes', 'folder'],
  ['old', 'folder'],
  ['objects.ndjson.gz', 'link'],
  ['objects.ndjson.gz', 'dangling link'],
  ['objects.ndjson.gz', 'pipe'],
])('refuses a link or a pipe in the place of %s (%s)', async (name, type) => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(5);
  const mirror = await createMirror(museum);
  expect(await mirror.sync('--keep', '2')).toMatchObject({ code: 0 });
  museum.records.objects = editRecord(museum.records.objects, '3', { name: 'new' });
  const [path, others] = [join(mirror.folder, name), join(mirror.folder, '..', 'others')];
  if (type === 'folder') await mkdir(others);
  else if (type === 'dangling link') await rename(path, join(mirror.folder, '..', 'elsewhere'));
  else await rename(path, others);
  if (type === 'pipe') await promisify(execFile)('mkfifo', [path]);
  else await symlink(others, path);
  const before = await readdir(mirror.folder);

  expect(await mirror.sync('--keep', '2', '--deadline', '5s')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${name}" is not a ${type === 'folder' ? 'folder' : 'regular file'}`),
  });
  expect(await readdir(mirror.folder)).toEqual(before);
  if (type === 'folder') expect(await readdir(others)).toEqual([]);
});

it.each(['objects.ndjson.gz', 'objects.ndjson.gz.manifest.json'])(
  'accepts a link to the mirror, but refuses a link in the place of %s',
  async (name) => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(5);
    const mirror = await createMirror(museum);
    await mirror.sync();
    const link = `${mirror.folder}.link`;
    await symlink(mirror.folder, link);
    const other = `${mirror.folder}.ndjson`;
    await opac(['objects', 'export', '--base-url', museum.url, '-o', other]);
    const commands = [
      ['objects', 'count', '--from', link],
      ['diff', link, other],
    ];
    for (const words of commands) expect(await opac(words)).toMatchObject({ code: 0 });
    const path = join(mirror.folder, name);
    await rename(path, `${mirror.folder}.elsewhere`);
    await symlink(`${mirror.folder}.elsewhere`, path);
    for (const words of commands)
      expect(await opac(words)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${name}" is not a regular file`),
      });
  },
);

it.each(['changes', 'change log'])('refuses to read a change log through a link (%s)', async (type) => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(5);
  const mirror = await createMirror(museum);
  await mirror.sync();
  museum.records.objects = editRecord(museum.records.objects, '3', { name: 'new' });
  await mirror.sync();
  expect(await opac(['diff', mirror.folder])).toMatchObject({ code: 0 });
  const folder = join(mirror.folder, 'changes');
  const [log = ''] = await readdir(folder);
  const path = type === 'changes' ? folder : join(folder, log);
  await rename(path, `${mirror.folder}.elsewhere`);
  await symlink(`${mirror.folder}.elsewhere`, path);
  expect(await opac(['diff', mirror.folder])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/" is not a (folder|regular file)/),
  });
});

it.each(['folder', 'snapshot', 'manifest'])(
  'refuses to read old snapshots through a link (%s)',
  async (type) => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(5);
    const mirror = await createMirror(museum);
    await mirror.sync();
    museum.records.objects = editRecord(museum.records.objects, '3', { name: 'new' });
    await mirror.sync('--keep', '2');
    const words = [
      'objects',
      'report',
      '--from',
      mirror.folder,
      '-o',
      `${mirror.folder}.html`,
      '--no-thumbnails',
    ];
    expect(await opac(words)).toMatchObject({ code: 0 });
    const folder = join(mirror.folder, 'old');
    const isManifest = (name: string) => name.endsWith('.manifest.json');
    const name = (await readdir(folder)).find((each) => isManifest(each) === (type === 'manifest'));
    const path = type === 'folder' ? folder : join(folder, name ?? 'none');
    await rename(path, `${mirror.folder}.elsewhere`);
    await symlink(`${mirror.folder}.elsewhere`, path);
    expect(await opac([...words, '--force'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/" is not a (folder|regular file)/),
    });
  },
);
