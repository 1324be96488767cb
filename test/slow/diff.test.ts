/** A comparison of many records. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findDifferences } from '../diff/compare.js';
import { writePlantedExports } from '../diff/planted.js';

it('finds 500 edits of each kind among 100,000 records, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opac-diff-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [older, newer] = [join(folder, 'older.ndjson'), join(folder, 'newer.ndjson')];
  const expected = await writePlantedExports(
    { records: 100_000, each: 500 },
    createWriteStream(older),
    createWriteStream(newer),
  );
  expect(expected).toHaveLength(16 * 500);
  expect(await findDifferences(older, newer)).toEqual(expected);
  const again = join(folder, 'again.ndjson');
  await writePlantedExports(
    { records: 100_000, each: 500 },
    createWriteStream(join(folder, 'unused')),
    createWriteStream(again),
  );
  expect(await findDifferences(newer, again)).toEqual([]);
});
