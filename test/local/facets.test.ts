/** Facets of records in files. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { opac } from '../cli/run-in-process.js';
import { createFolder } from '../e2e/opac.js';

it('sorts ranges by their first years', async () => {
  const createLine = (value: string, id: number) =>
    JSON.stringify({
      opacObjectId: String(id),
      opacObjectFieldSets: [{ identifier: 'production_date', opacObjectFields: [{ value }] }],
    });
  const file = join(await createFolder(), 'objects.ndjson');
  await writeFile(file, `${['1850', '0950', '1066'].map(createLine).join('\n')}\n`);
  const { stdout } = await opac(['facets', 'get', 'objects', 'production_date', '--from', file, '-f', 'csv']);
  expect(stdout.match(/\d+-\d+/g)).toEqual(['950-999', '1050-1099', '1850-1899']);
});
