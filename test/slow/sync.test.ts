/** Mirrors over many runs, many kills and many records. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { opac } from '../cli/run-in-process.js';
import { ChangingMuseum, changeRecords, FIRST, formatLine } from '../mirror/changing-museum.js';
import { killRuns } from '../mirror/kills.js';

it('leaves a consistent mirror after each of 50 kills', async () => {
  const museum = await ChangingMuseum.start();
  onTestFinished(() => museum.close());
  expect(await killRuns(museum, 50, Number(process.env.OPAC_SEED ?? 20_101))).toBe(50);
});

it('creates a mirror that equals a museum with changes between and during 20 runs', async () => {
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
    records = changeRecords(records, 2 * run + 1);
    await museum.publish(records);
    records = changeRecords(records, 2 * run + 2);
    museum.publishDuring(1 + (run % 6), records);
    expect(await opac(words)).toMatchObject({ code: 0 });
  }
  // The last run may have missed changes that were made after it had read a page.
  expect(await opac(words)).toMatchObject({ code: 0 });
  const lines = gunzipSync(await readFile(join(mirror, 'objects.ndjson.gz')))
    .toString()
    .trimEnd()
    .split('\n');
  expect(lines.sort()).toEqual(records.map(formatLine).sort());
});

it('sends at most a fiftieth of the requests for records if nothing changed', async () => {
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
  const countDetailRequests = async () => {
    const before = museum.requests.length;
    await opac(words);
    return museum.requests.slice(before).filter(({ query }) => query.has('view')).length;
  };
  const [full, quick] = [await countDetailRequests(), await countDetailRequests()];
  expect(quick * 50).toBeLessThanOrEqual(full);
});
