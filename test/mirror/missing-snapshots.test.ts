/** A mirror is incomplete if a snapshot is missing that its state lists. Commands then fail instead of reading the rest. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { opac } from '../cli/run-in-process.js';
import { createFolder } from '../e2e/opac.js';
import { createMirror } from './mirror-of.js';
import { createRecords, SmallMuseum } from './small-museum.js';

async function createMirrorWithout(...files: readonly string[]) {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(6);
  museum.records.persons = createRecords(3);
  const mirror = await createMirror(museum, 'objects,persons');
  expect(await mirror.sync()).toMatchObject({ code: 0 });
  for (const file of files) await rm(join(mirror.folder, file));
  return mirror;
}

const READING = [
  'verify mirror',
  'records count --from mirror',
  'records list --from mirror -f ids',
  'records export --from mirror -f ndjson',
  'objects count --from mirror',
];

const MISSING: readonly (readonly [what: string, kind: string, files: readonly string[]])[] = [
  ['a snapshot', 'persons', ['persons.ndjson.gz']],
  ['a snapshot with its manifest', 'persons', ['persons.ndjson.gz', 'persons.ndjson.gz.manifest.json']],
  [
    'every snapshot',
    'objects',
    ['objects', 'persons'].flatMap((kind) => [`${kind}.ndjson.gz`, `${kind}.ndjson.gz.manifest.json`]),
  ],
];

it.each(MISSING)('refuses to read the mirror if %s is missing', async (_, kind, files) => {
  const { folder } = await createMirrorWithout(...files);
  for (const line of READING) {
    const words = line.split(' ').map((word) => (word === 'mirror' ? folder : word));
    expect([line, await opac(words)]).toEqual([
      line,
      {
        code: 6,
        stdout: '',
        stderr: `opac: the mirror "${folder}" has no snapshot of ${kind}; create it again with: opac sync\n`,
      },
    ]);
  }
  const target = await createFolder();
  const exported = ['records', 'export', '--from', folder, '-o', join(target, 'all.ndjson')];
  expect(await opac(exported)).toMatchObject({ code: 6 });
  expect(await readdir(target)).toEqual([]);
});

it('creates the missing snapshot again with sync', async () => {
  const mirror = await createMirrorWithout('persons.ndjson.gz', 'persons.ndjson.gz.manifest.json');
  expect(await mirror.sync()).toMatchObject({ code: 0 });
  expect(await opac(['records', 'count', '--from', mirror.folder])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\b9\n$/),
  });
  expect(await opac(['verify', mirror.folder])).toMatchObject({ code: 0 });
});

it('reads a mirror that was created for one kind', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(6);
  const mirror = await createMirror(museum);
  expect(await mirror.sync()).toMatchObject({ code: 0 });
  expect(await opac(['records', 'count', '--from', mirror.folder])).toMatchObject({ code: 0 });
  expect(await opac(['verify', mirror.folder])).toMatchObject({ code: 0 });
});
