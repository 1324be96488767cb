/** A hostile service may invent new fields in each record. opac limits their number, and so its memory and time. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serve } from '../client/server.js';
import { createFolder } from '../e2e/opac.js';
import { opac } from './run-in-process.js';

const writeRecords = (file: string, records: readonly object[]) =>
  writeFile(file, records.map((each) => `${JSON.stringify(each)}\n`).join(''));

it.each([
  ['export -o x.parquet', 6, 'the Parquet file would have more than 20,000 columns'],
  ['fields --all -f csv', 5, 'the list of fields would have more than 20,000 columns'],
  ['report -o x.html', 5, 'the list of fields would have more than 20,000 columns'],
  ['list --all -f csv', 5, 'the table would have more than 20,000 columns'],
])('refuses too many fields: objects %s', async (line, code, message) => {
  const folder = await createFolder();
  const at = (name: string) => join(folder, name);
  const records = Array.from({ length: 21 }, (_, n) => ({
    opacObjectId: String(n),
    opacObjectFieldSets: Array.from({ length: 1000 }, (_, m) => ({
      identifier: `f${n}x${m}`,
      opacObjectFields: [{ value: 'x' }],
    })),
  }));
  await writeRecords(at('wide.ndjson'), records);
  const words = line.split(' ').map((word) => (word.startsWith('x.') ? at(word) : word));
  const outcome = await opac(['objects', ...words, '--from', at('wide.ndjson')]);
  expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(message)]);
});

it('refuses too many attributes of several fields in objects export', async () => {
  const file = join(await createFolder(), 'attributes.ndjson');
  const opacObjectFieldAttributes = Array.from({ length: 11_000 }, (_, n) => ({ key: `k${n}`, value: 'v' }));
  const opacObjectFieldSets = ['a', 'b'].map((identifier) => ({
    identifier,
    opacObjectFields: [{ value: 'x', opacObjectFieldAttributes }],
  }));
  await writeRecords(file, [{ opacObjectId: '1', opacObjectFieldSets }]);
  const { code, stderr } = await opac(['objects', 'export', '--from', file, '-o', `${file}.parquet`]);
  expect([code, stderr]).toEqual([6, expect.stringContaining('would have more than 20,000 columns')]);
});

it('refuses too many sizes of an image in images list', async () => {
  const file = join(await createFolder(), 'images.ndjson');
  const imageDerivatives = Array.from({ length: 7000 }, (_, n) => ({ identifier: `D${n}`, url: 'http://x' }));
  const images = [{ imageId: '1', imageDerivatives }];
  await writeRecords(file, [{ opacObjectId: '1', imagesCollection: { images, totalImages: 1 } }]);
  const { code, stderr } = await opac(['images', 'list', '--all', '--from', file, '-f', 'csv']);
  expect([code, stderr]).toEqual([5, expect.stringContaining('would have more than 20,000 columns')]);
});

it.each(['fields', 'report -o x.html'])('reads a page with 150,000 records: objects %s', async (line) => {
  const opacObjects = Array.from({ length: 150_000 }, (_, n) => ({ opacObjectId: String(n) }));
  const body = JSON.stringify({ opacObjects, totalObjects: opacObjects.length });
  const { url } = await serve((request, response) => {
    const offset = new URL(request.url ?? '', 'http://localhost').searchParams.get('offset') ?? '0';
    response.end(
      offset === '0' ? body : JSON.stringify({ opacObjects: [], totalObjects: opacObjects.length }),
    );
  });
  const words = line.replace('x.html', join(await createFolder(), 'x.html')).split(' ');
  const { stderr } = await opac(['objects', ...words, '--base-url', url, '--retries', '0']);
  expect(stderr).not.toContain('internal error');
  expect(stderr).toContain('150,000');
});
