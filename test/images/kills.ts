/** Kills a download of images at random moments. `OPAC_SEED` determines the moments. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { seededRandom } from '../../src/mock/random.js';
import { setUpExport } from '../e2e/export-setup.js';
import { waitForEnd } from '../e2e/opac.js';

const SEED = Number(process.env.OPAC_SEED ?? 1503);
const LINE = 'images download pictures --derivative SMALL --sidecar -q';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Kills the same download several times, then lets it end. Checks that the folder contains exactly the images of the museum. */
export async function expectImagesAfter(kills: number): Promise<void> {
  const setup = await setUpExport({ latency: 20 });
  const { museum, path } = setup;
  const pictures = () => museum.requests.filter(({ path: asked }) => asked.startsWith('/records/images'));
  const random = seededRandom(SEED);
  for (let kill = 0; kill < kills; kill++) {
    const before = museum.requests.length;
    const child = setup.begin(LINE);
    const end = waitForEnd(child);
    // Kills before the first image, between images, and sometimes while opac writes the index.
    const after = 1 + random.below(30);
    while (museum.requests.length < before + after && child.exitCode === null) await pause(2);
    await pause(random.below(30));
    child.kill('SIGKILL');
    await end;
  }
  expect(pictures().length).toBeGreaterThan(kills);
  expect(await setup.run(LINE)).toEqual({ code: 0, stdout: '', stderr: '' });

  const lines = (await readFile(path('pictures/index.ndjson'), 'utf8')).trimEnd().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as { file: string; sourceUrl: string; sha256: string });
  const files = rows.flatMap(({ file }) => [file, `${file}.json`]);
  expect((await readdir(path('pictures'))).sort()).toEqual([...files, 'index.csv', 'index.ndjson'].sort());
  const fetched = pictures().length;
  for (const row of rows) {
    const response = await fetch(row.sourceUrl);
    const expected = sha256(new Uint8Array(await response.arrayBuffer()));
    const file = sha256(await readFile(path(`pictures/${row.file}`)));
    expect([row.file, file, row.sha256]).toEqual([row.file, expected, expected]);
  }
  expect(rows).toHaveLength(222);

  const after = pictures().length;
  expect(after).toBe(fetched + rows.length);
  expect((await setup.run(LINE)).code).toBe(0);
  expect(pictures().length).toBe(after);
}
