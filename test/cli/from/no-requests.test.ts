/** Commands with --from read files, so their notes are not about requests, and not about what a service cannot search. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../../src/mock/index.js';
import { newFolder } from '../../e2e/opac.js';
import { opac } from '../run-in-process.js';

/** The commands, and what they note with a service. */
const COMMANDS: readonly (readonly [line: string, note: RegExp])[] = [
  ['objects report --no-thumbnails -o page.html', /reading 163 objects: about \d+ requests\n/],
  ['objects duplicates name -f csv', /reading 163 objects: about \d+ requests\n/],
  ['objects fields --all -f csv', /reading 163 objects: about \d+ requests\n/],
  [
    'objects list --where production_date=1840..1850 -f ids',
    /the service cannot search dates in "production_date"; opac reads all matching records/,
  ],
  [
    'objects count --where production_date=1840..1850',
    /the service cannot search dates in "production_date"; opac reads all matching records/,
  ],
  [
    'objects export --where image@copyright=x -f ndjson',
    /the service cannot search "image@copyright"; opac reads all matching records/,
  ],
];

async function setUp() {
  const folder = await newFolder();
  const museum = await startMuseum();
  onTestFinished(() => museum.close());
  const file = join(folder, 'objects.ndjson');
  const exported = await opac(['objects', 'export', '--base-url', museum.url, '-o', file]);
  expect(exported.code).toBe(0);
  return { folder, museum, file };
}

it.each(COMMANDS)('%s', async (line, note) => {
  const { folder, museum, file } = await setUp();
  const words = line.split(' ').map((word) => (word === 'page.html' ? join(folder, word) : word));
  const ofService = await opac([...words, '--base-url', museum.url]);
  expect([ofService.code, ofService.stderr]).toEqual([0, expect.stringMatching(note)]);
  const before = museum.requests.length;
  const ofFile = await opac([...words, '--from', file]);
  expect([ofFile.code, ofFile.stdout]).toEqual([0, ofService.stdout]);
  expect(ofFile.stderr).not.toMatch(/request|the service cannot/);
  expect(museum.requests.length).toBe(before);
});
