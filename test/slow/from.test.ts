import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
// @ts-expect-error: a script of the bench, without types.
import { recordOf } from '../bench/records.js';
import { createRandomSearches } from '../cli/random-searches.js';
import { opac } from '../cli/run-in-process.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-from-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the records of a real collection with OPAC_TEST_RECORDS=objects.ndjson; otherwise generated records. */
async function readLines(): Promise<string[]> {
  const { OPAC_TEST_RECORDS } = process.env;
  if (OPAC_TEST_RECORDS) return (await readFile(OPAC_TEST_RECORDS, 'utf8')).trim().split('\n');
  return Array.from({ length: 5109 }, (_, n) => JSON.stringify(recordOf(n)));
}

it.each([
  ['NDJSON', 'objects.ndjson', (text: string) => text],
  ['gzip', 'objects.json.gz', (text: string) => gzipSync(text, { level: 0 })],
])('returns the same bytes from %s as from a museum, for 200 random searches', async (...row) => {
  const [, name, encode] = row;
  const lines = await readLines();
  const path = join(folder, name);
  await writeFile(path, encode(`${lines.join('\n')}\n`));
  const museum = await startMuseum({ data: [path] });
  let found = 0;
  try {
    for (const words of createRandomSearches(lines, 'objects', 200)) {
      const served = await opac([...words, '--base-url', museum.url]);
      const read = await opac([...words, '--from', path]);
      expect({ code: read.code, stdout: read.stdout }, words.join(' ')).toEqual({
        code: served.code,
        stdout: served.stdout,
      });
      if (read.code === 0 && read.stdout.split('\n').length > 2) found++;
    }
  } finally {
    await museum.close();
  }
  expect(found).toBeGreaterThan(100);
});
