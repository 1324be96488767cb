/** A hostile service invents a field in each record: memory and time must not grow with their number. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../e2e/opac.js';
import { opac } from './run-in-process.js';

it.each([
  ['export -o x.parquet', 6, 'the Parquet file would have more than 20,000 columns'],
  ['fields --all -f csv', 5, 'the list of fields would have more than 20,000 columns'],
  ['report -o x.html', 5, 'the list of fields would have more than 20,000 columns'],
  ['list --all -f csv', 5, 'the table would have more than 20,000 columns'],
])('objects %s refuses too many fields', async (line, code, message) => {
  const folder = await newFolder();
  const at = (name: string) => join(folder, name);
  const records = Array.from({ length: 21 }, (_, n) => ({
    opacObjectId: String(n),
    opacObjectFieldSets: Array.from({ length: 1000 }, (_, m) => ({
      identifier: `f${n}x${m}`,
      opacObjectFields: [{ value: 'x' }],
    })),
  }));
  await writeFile(at('wide.ndjson'), records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const words = line.split(' ').map((word) => (word.startsWith('x.') ? at(word) : word));
  const outcome = await opac(['objects', ...words, '--from', at('wide.ndjson')]);
  expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(message)]);
});
