/** After exit code 0 of `opac sync`, the mirror is current, even if earlier runs failed or records changed during the run. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { opac } from '../cli/run-in-process.js';
import { createMirror } from './mirror-of.js';
import { createRecords, editRecord, formatLines, SmallMuseum } from './small-museum.js';

describe('sync after a failed run', () => {
  it('reads a kind again that the failed run had already read', async () => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(250);
    museum.records.persons = createRecords(120);
    const mirror = await createMirror(museum, 'objects,persons');
    expect(await mirror.sync()).toMatchObject({ code: 0 });
    museum.records.objects = editRecord(museum.records.objects, '1', { name: 'first edit' });
    museum.fault = ({ kind }) => (kind === 'persons' ? { status: 503 } : undefined);
    expect(await mirror.sync('--retries', '0')).toMatchObject({ code: 6 });
    museum.fault = () => undefined;
    museum.records.objects = [
      ...editRecord(museum.records.objects, '2', { name: 'second edit' }).slice(0, 240),
      ...createRecords(5, '2026-01-01', 900),
    ];
    expect(await mirror.sync()).toMatchObject({ code: 0 });
    expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
    const [log] = await mirror.changeLogs();
    const ids = (change: string) => log?.changes.filter((each) => each.change === change).map(({ id }) => id);
    expect(ids('removed')).toEqual(Array.from({ length: 10 }, (_, n) => String(241 + n)));
    expect(ids('changed')).toEqual(['1', '2']);
    expect(ids('added')).toEqual(['900', '901', '902', '903', '904']);
  });
});

describe('sync while records change', () => {
  it('keeps all records if one is replaced between two pages and the total stays the same', async () => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(450);
    const mirror = await createMirror(museum);
    let isDone = false;
    museum.before = ({ offset, isStub }) => {
      if (isDone || offset < 200 || isStub) return;
      isDone = true;
      museum.records.objects = [...museum.records.objects.slice(1), ...createRecords(1, '2026-01-01', 9000)];
    };
    expect(await mirror.sync('--concurrency', '1')).toMatchObject({ code: 0 });
    expect(isDone).toBe(true);
    expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
  });

  it('writes all records if one is replaced while opac lists the ids', async () => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(450);
    const mirror = await createMirror(museum);
    let isDone = false;
    museum.before = ({ offset, isStub }) => {
      if (isDone || offset < 200 || !isStub) return;
      isDone = true;
      museum.records.objects = [...museum.records.objects.slice(1), ...createRecords(1, '2026-01-01', 9000)];
    };
    expect(await mirror.sync('--concurrency', '1')).toMatchObject({ code: 0 });
    expect(isDone).toBe(true);
    expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
  });

  it('leaves the mirror unchanged if the ids change during every list of ids', async () => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(450);
    const mirror = await createMirror(museum);
    expect(await mirror.sync()).toMatchObject({ code: 0 });
    const before = await mirror.lines();
    let added = 0;
    museum.before = ({ isStub }) => {
      if (isStub)
        museum.records.objects = [
          ...createRecords(1, '2026-01-01', 9000 + added++),
          ...museum.records.objects,
        ];
    };
    const { code, stderr } = await mirror.sync('--concurrency', '1');
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining('the mirror is unchanged'),
    });
    expect(await mirror.lines()).toEqual(before);
  });
});

it.each([
  ['returns one record per page', 1, 1],
  ['rounds offsets down to whole pages', 20, 20],
])('mirrors a deployment that %s', async (_, cap, alignment) => {
  const museum = await SmallMuseum.start();
  Object.assign(museum, { cap, alignment });
  museum.records.objects = createRecords(70);
  const mirror = await createMirror(museum);
  expect(await mirror.sync()).toMatchObject({ code: 0 });
  museum.records.objects = museum.records.objects.slice(1);
  expect(await mirror.sync()).toMatchObject({ code: 0 });
  expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
});

it('fails if the deployment no longer offers a kind of the mirror', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(3);
  museum.records.persons = createRecords(3);
  const mirror = await createMirror(museum);
  const words = ['sync', mirror.folder, '--base-url', museum.url];
  expect(await opac(words)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('venues: this deployment does not offer this kind'),
  });
  museum.fault = ({ kind }) => (kind === 'persons' ? { status: 404 } : undefined);
  expect(await opac(words)).toMatchObject({ code: 6 });
});

it('writes one record per line, even if the responses are indented JSON', async () => {
  const museum = await SmallMuseum.start();
  museum.indent = 2;
  museum.records.objects = createRecords(120);
  const mirror = await createMirror(museum);
  const words = ['--newest-first', 'modified'];
  expect(await mirror.sync(...words)).toMatchObject({ code: 0 });
  museum.records.objects = [
    ...editRecord(museum.records.objects, '7', { name: 'edited', modified: '2026-11-22' }),
    ...createRecords(2, '2019-01-01', 500),
  ];
  expect(await mirror.sync(...words)).toMatchObject({ code: 0 });
  expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
});

it('exits with 5 if the first request fails, and with 6 if a later request fails', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(150);
  const mirror = await createMirror(museum);
  museum.fault = () => ({ status: 503 });
  expect(await mirror.sync('--retries', '0')).toMatchObject({ code: 5 });
  museum.fault = ({ offset }) => (offset > 0 ? { status: 503 } : undefined);
  expect(await mirror.sync('--retries', '0')).toMatchObject({ code: 6 });
  await museum.close();
  expect(await mirror.sync('--retries', '0')).toMatchObject({ code: 5 });
});

it.each([
  ['all records', '2020-01-01', 4],
  ['the newest records', '2019-01-01', 2],
])('warns about records with bytes that are not UTF-8 when it reads %s', async (_, oldest, requests) => {
  const museum = await SmallMuseum.start();
  const records = editRecord(createRecords(150), '3', { name: 'caf?' });
  // If all days are equal, opac cannot see that the museum sorts.
  museum.records.objects = editRecord(records, '9', { modified: oldest });
  const latin1: typeof museum.fault = ({ isStub, offset, sort }) =>
    isStub || (offset > 0 && sort === undefined)
      ? undefined
      : { body: Buffer.from(pageOf(museum, offset, sort).replace('caf?', 'caf\xe9'), 'latin1') };
  museum.fault = latin1;
  const mirror = await createMirror(museum);
  const words = ['--newest-first', 'modified'];
  expect((await mirror.sync(...words)).stderr).toMatch(
    /warning: objects: 1 record with bytes that are not UTF-8.*: 3/,
  );
  museum.records.objects = editRecord(museum.records.objects, '3', {
    name: 'again caf?',
    modified: '2026-11-22',
  });
  let details = 0;
  museum.before = ({ isStub }) => {
    if (!isStub) details++;
  };
  const second = await mirror.sync(...words);
  expect(second.stderr).toMatch(/warning: objects: 1 record with bytes that are not UTF-8.*: 3/);
  expect(second.stdout).toContain('1 changed, 150 in total\n');
  expect(details).toBe(requests);
  expect((await mirror.sync(...words, '--quiet')).stderr).toMatch(/warning: objects: 1 record with bytes/);
  museum.fault = () => undefined;
  museum.records.objects = editRecord(museum.records.objects, '3', { name: 'tea', modified: '2026-11-23' });
  expect((await mirror.sync(...words)).stderr).not.toContain('UTF-8');
});

function pageOf({ records }: SmallMuseum, offset: number, sort: string | undefined): string {
  const found = sort
    ? records.objects.toSorted(
        (one, other) => Number(other.modified > one.modified) || -Number(one.modified > other.modified),
      )
    : records.objects;
  const page = found.slice(offset, offset + 100).flatMap((record) => formatLines('objects', [record]));
  return `{"opacObjects":[${page.join(',')}],"totalObjects":${found.length}}`;
}

it('names change logs after the time of the mirror, even if that time is in the future', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(3);
  const mirror = await createMirror(museum);
  await mirror.sync();
  const path = join(mirror.folder, 'mirror.json');
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(/"updated": "[^"]*"/, '"updated": "2126-01-01T00:00:00.000Z"'),
  );
  for (const name of ['one', 'two']) {
    museum.records.objects = editRecord(museum.records.objects, '1', { name });
    await mirror.sync();
  }
  expect((await mirror.changeLogs()).map(({ name }) => name)).toEqual([
    '2126-01-01T00-00-00-001Z.ndjson',
    '2126-01-01T00-00-00-002Z.ndjson',
  ]);
});

it.each([
  ['without --newest-first', []],
  ['with --newest-first', ['--newest-first', 'modified']],
])('refuses an empty deployment until the user deletes the snapshot, %s', async (_, words) => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(90);
  const mirror = await createMirror(museum);
  await mirror.sync(...words);
  const before = await mirror.lines();
  museum.records.objects = [];
  for (let times = 0; times < 2; times++)
    expect(await mirror.sync('--quiet', ...words)).toMatchObject({
      code: 6,
      stdout: '',
      stderr: expect.stringMatching(
        /^opac: the deployment returned no objects, but the mirror has 90 records; the mirror is unchanged; if the records were really removed, delete ".*objects\.ndjson\.gz" and run the command again\n$/,
      ),
    });
  expect(await mirror.lines()).toEqual(before);
  await rm(join(mirror.folder, 'objects.ndjson.gz'));
  for (const stderr of [/objects\.ndjson\.gz" is missing/, /^$/])
    expect(await mirror.sync('--quiet', ...words)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(stderr),
    });
  expect(await mirror.lines()).toEqual([]);
});
