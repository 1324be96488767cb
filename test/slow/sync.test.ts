/** Mirrors over many runs, many kills and many records. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { opac } from '../cli/run-in-process.js';
import { ChangingMuseum, changed, FIRST, lineOf } from '../mirror/changing-museum.js';
import { killOften } from '../mirror/kills.js';

it('is a whole state after each of 50 kills', async () => {
  const museum = await ChangingMuseum.start();
  onTestFinished(() => museum.close());
  expect(await killOften(museum, 50, Number(process.env.OPAC_SEED ?? 20_101))).toBe(50);
});

it('equals a museum that changed between 20 runs and during them', async () => {
  const museum = await ChangingMuseum.start();
  onTestFinished(() => museum.close());
  let records = [...FIRST];
  await museum.publish(records);
  const mirror = join(museum.folder, 'mirror');
  const words = [
    'sync',
    mirror,
    '--kinds',
    'objects',
    '--base-url',
    museum.url,
    '--newest-first',
    'modified:5',
  ];
  for (let run = 0; run < 20; run++) {
    records = changed(records, 2 * run + 1);
    await museum.publish(records);
    records = changed(records, 2 * run + 2);
    museum.publishDuring(1 + (run % 6), records);
    expect(await opac(words)).toMatchObject({ code: 0 });
  }
  // What changed behind the last page of a run shows in the next one.
  expect(await opac(words)).toMatchObject({ code: 0 });
  const lines = gunzipSync(await readFile(join(mirror, 'objects.ndjson.gz')))
    .toString()
    .trimEnd()
    .split('\n');
  expect(lines.sort()).toEqual(records.map(lineOf).sort());
});

it('asks for at most a fiftieth of 100,000 records when nothing changed', async () => {
  const museum = await startMuseum({ records: 100_000 });
  const folder = await mkdtemp(join(tmpdir(), 'opac-mirror-'));
  onTestFinished(async () => {
    await museum.close();
    await rm(folder, { recursive: true, force: true });
  });
  const words = [
    'sync',
    join(folder, 'mirror'),
    '--kinds',
    'objects',
    '--base-url',
    museum.url,
    '--newest-first',
    'name',
  ];
  const detailsOf = async () => {
    const before = museum.requests.length;
    await opac(words);
    return museum.requests.slice(before).filter(({ query }) => query.has('view')).length;
  };
  const [full, quick] = [await detailsOf(), await detailsOf()];
  expect(quick * 50).toBeLessThanOrEqual(full);
});
