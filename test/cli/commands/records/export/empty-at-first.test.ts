/** A service that first returns no records, for example while it rebuilds its index: exports still contain all records. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../../../e2e/opac.js';
import { createRecords, formatLines, SmallMuseum } from '../../../../mirror/small-museum.js';
import { opac } from '../../../run-in-process.js';

/** Starts a museum with `count` records. Its first `responses` to requests for records are `body`. */
async function startEmptyMuseum(
  count: number,
  responses: number,
  body = '{"totalObjects":0,"opacObjects":[]}',
) {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(count);
  let requests = 0;
  museum.fault = () => (++requests <= responses ? { body } : undefined);
  const folder = await createFolder();
  const run = (line: string, ...more: string[]) =>
    opac([...line.split(' '), '--base-url', museum.url, '--retries', '1', ...more]);
  return { museum, folder, run };
}

it.each([
  ['an empty list', 6, '{"totalObjects":0,"opacObjects":[]}'],
  ['no list', 6, '{"totalObjects":0}'],
  ['an empty list, of several pages', 250, '{"totalObjects":0,"opacObjects":[]}'],
])('exports all records after a response with %s', async (_, count, body) => {
  const { museum, folder, run } = await startEmptyMuseum(count, 1, body);
  const file = join(folder, 'objects.ndjson');
  const { code, stderr } = await run('objects export', '-o', file);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${count} records in`)]);
  expect((await readFile(file, 'utf8')).trimEnd().split('\n').sort()).toEqual(
    formatLines('objects', museum.records.objects),
  );
  expect(JSON.parse(await readFile(`${file}.manifest.json`, 'utf8'))).toMatchObject({
    complete: true,
    records: count,
    idCheck: { isSettled: true },
  });
  expect(await opac(['verify', file])).toMatchObject({ code: 0 });
});

it('exports all records to standard output', async () => {
  const { museum, run } = await startEmptyMuseum(6, 1);
  const { code, stdout } = await run('objects export -f ndjson');
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').sort()).toEqual(formatLines('objects', museum.records.objects));
});

it('copies all records to a mirror', async () => {
  const { folder, run } = await startEmptyMuseum(6, 1);
  const { code, stdout } = await run(`sync ${join(folder, 'mirror')} --kinds objects`);
  expect([code, stdout]).toEqual([0, 'objects: 6 records\n']);
});

it('writes an empty, complete export if the service has no records', async () => {
  const { folder, run } = await startEmptyMuseum(0, 0);
  const file = join(folder, 'objects.csv');
  expect(await run('objects export', '-o', file)).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(`${file}.manifest.json`, 'utf8'))).toMatchObject({
    complete: true,
    records: 0,
  });
  expect(await opac(['verify', file])).toMatchObject({ code: 0 });
  expect((await readdir(folder)).sort()).toEqual(['objects.csv', 'objects.csv.manifest.json']);
  expect(await run('objects export -f ndjson')).toMatchObject({ code: 0, stdout: '' });
});

it('writes an empty export if the service returns neither records nor a total', async () => {
  const { museum, folder, run } = await startEmptyMuseum(0, 0);
  museum.fault = ({ limit }) => ({ body: limit === 0 ? '{}' : '{"opacObjects":[]}' });
  const file = join(folder, 'objects.csv');
  expect(await run('objects export', '-o', file)).toMatchObject({ code: 0 });
  expect(await run('objects list --all -f ids')).toMatchObject({ code: 0, stdout: '' });
});

it('writes an empty, valid export if no records of the built-in museum match', async () => {
  const file = join(await createFolder(), 'none.ndjson');
  const words = ['objects', 'export', '--mock', '--where', 'name=xorowai', '-o', file];
  expect(await opac(words)).toMatchObject({ code: 0, stderr: expect.stringContaining('no records match') });
  expect(await opac(['verify', file])).toMatchObject({ code: 0 });
  expect(await opac(['objects', 'export', '--from', file, '-f', 'ndjson'])).toMatchObject({
    code: 0,
    stdout: '',
  });
});
