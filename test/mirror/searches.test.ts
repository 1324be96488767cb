/** A mirror of a search contains the same records as a list of the same search. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { opac } from '../cli/run-in-process.js';
import { createFolder } from '../e2e/opac.js';
import { createMirror } from './mirror-of.js';
import { createRecords, formatLines, SmallMuseum } from './small-museum.js';

async function listIds(words: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await opac([...words, '-f', 'ids']);
  expect({ code, stderr: stderr.replace(/^(?!opac).*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').filter(Boolean).sort();
}

it.each([
  ['values in a file', 'accession_no=@FILE', [], 29],
  ['the title', 'title=fern', [], 4],
  ['a column that the service cannot search', 'image.url=', [], 50],
  ['values in a file and a title', 'accession_no=@FILE', ['--where', 'title=Unfinished study of a fern'], 2],
])('mirrors the same records as a list of a search for %s', async (_, where, more, records) => {
  const folder = await createFolder();
  const numbers = await opac([
    'objects',
    'list',
    '--mock',
    '--columns',
    'accession_no',
    '-f',
    'tsv',
    '--limit',
    '30',
  ]);
  await writeFile(join(folder, 'numbers.txt'), numbers.stdout.split('\n').slice(1).join('\n'));
  const words = [...(where ? ['--where', where.replace('FILE', join(folder, 'numbers.txt'))] : []), ...more];
  const mirror = join(folder, 'mirror');
  const { code, stderr } = await opac(['sync', mirror, '--mock', '--kinds', 'objects', ...words]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const listed = await listIds(['objects', 'list', '--mock', '--all', ...words]);
  expect(listed.length).toBe(records);
  expect(await listIds(['objects', 'list', '--from', mirror, '--all'])).toEqual(listed);
  expect(await opac(['sync', mirror, '--mock', '--kinds', 'objects', ...words])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 added, 0 removed, 0 changed'),
  });
  expect(await opac(['sync', mirror, '--mock', '--kinds', 'objects'])).toMatchObject({ code: 2 });
});

it('updates a mirror of values in a file, but refuses another list of values', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = [
    ...createRecords(300),
    ...createRecords(2, '2020-01-01', 1000).map((record) => ({ ...record, name: 'record 7' })),
  ];
  const mirror = await createMirror(museum);
  const list = join(mirror.folder, '../list.txt');
  const names = Array.from({ length: 250 }, (_, n) => `record ${n + 1}`);
  await writeFile(list, names.join('\n'));
  const words = ['--where', `name=@${list}`];
  expect(await mirror.sync(...words)).toMatchObject({ code: 0 });
  museum.records.objects = museum.records.objects.slice(10);
  expect(await mirror.sync(...words)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 added, 10 removed'),
  });
  const wanted = museum.records.objects.filter(({ name }) => names.includes(name));
  expect(await mirror.lines()).toEqual(formatLines('objects', wanted));
  await writeFile(list, names.slice(1).join('\n'));
  expect(await mirror.sync(...words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('mirror with another search'),
  });
});

it('warns about values of a list without a record, and fails with --strict', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(3);
  const mirror = await createMirror(museum);
  const list = join(mirror.folder, '../list.txt');
  await writeFile(list, 'record 1\nrecord 9\n');
  const words = ['--where', `name=@${list}`];
  const missing = 'objects: 1 entry of the list was not found: record 9';
  expect(await mirror.sync(...words)).toMatchObject({ code: 0, stderr: expect.stringContaining(missing) });
  const strict = await mirror.sync(...words, '--strict');
  expect(strict).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('run the command without --strict'),
  });
});

it('lists, counts and exports a mirror without records', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(3);
  const mirror = await createMirror(museum, 'objects,persons');
  await mirror.sync();
  expect(await opac(['objects', 'count', '--from', mirror.folder])).toMatchObject({ code: 0, stdout: '3\n' });
  expect(await opac(['persons', 'count', '--from', mirror.folder])).toMatchObject({ code: 0, stdout: '0\n' });
  expect(await opac(['venues', 'count', '--from', mirror.folder])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no venues'),
  });
  museum.records.objects = [];
  await rm(join(mirror.folder, 'objects.ndjson.gz'));
  expect(await mirror.sync()).toMatchObject({ code: 0 });
  for (const command of ['list', 'export'])
    expect(await opac(['objects', command, '--from', mirror.folder, '-f', 'ndjson'])).toMatchObject({
      code: 0,
      stdout: '',
    });
});

it('shows the converted search with --dry-run', async () => {
  const museum = await startMuseum();
  try {
    const words = [
      'sync',
      '/nowhere/mirror',
      '--kinds',
      'objects',
      '--where',
      'id=7',
      '--base-url',
      museum.url,
      '--dry-run',
    ];
    const { code, stdout } = await opac(words);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('external_object_id') });
  } finally {
    await museum.close();
  }
});

it.each([['the views with the field of the title', ['--where', 'title=record 1'], '/opacobjects/views']])(
  'fails and does not change the mirror if opac cannot read %s',
  async (_, words, path) => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(20).map((record) => ({ ...record, collections: '7' }));
    const collections = {
      opacCollections: [{ opacCollectionId: '7', collectionName: 'Natural History' }],
      totalCollections: 1,
    };
    const views = { views: [{ viewName: 'detail', fields: [{ identifier: 'name' }] }] };
    const bodies: Record<string, object> = { '/opaccollections': collections, '/opacobjects/views': views };
    museum.other = (requestPath) => {
      const body = Object.entries(bodies).find(([end]) => requestPath.endsWith(end))?.[1];
      return body && { status: 200, body: JSON.stringify(body) };
    };
    const mirror = await createMirror(museum);
    expect(await mirror.sync(...words)).toMatchObject({ code: 0 });
    const before = await mirror.lines();
    expect(before.length).toBeGreaterThan(0);
    museum.other = (requestPath) => (requestPath.endsWith(path) ? { status: 503, body: '{}' } : undefined);
    expect(await mirror.sync(...words, '--retries', '0')).toMatchObject({ code: 5 });
    expect(await mirror.lines()).toEqual(before);
  },
);
