/** Commands with --from send no requests, so they print no notes about requests or about searches that the service lacks. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../../src/mock/index.js';
import { createFolder } from '../../e2e/opac.js';
import { opac } from '../run-in-process.js';

/** Commands, and the note that each one prints with a service. */
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
  const folder = await createFolder();
  const museum = await startMuseum();
  onTestFinished(() => museum.close());
  const file = join(folder, 'objects.ndjson');
  const exported = await opac(['objects', 'export', '--base-url', museum.url, '-o', file]);
  expect(exported.code).toBe(0);
  return { folder, museum, file };
}

it.each(COMMANDS)(
  'prints the same output for a file as for the service, without the note: %s',
  async (line, note) => {
    const { folder, museum, file } = await setUp();
    const words = line.split(' ').map((word) => (word === 'page.html' ? join(folder, word) : word));
    const serviceResult = await opac([...words, '--base-url', museum.url]);
    expect([serviceResult.code, serviceResult.stderr]).toEqual([0, expect.stringMatching(note)]);
    const before = museum.requests.length;
    const fileResult = await opac([...words, '--from', file]);
    expect([fileResult.code, fileResult.stdout]).toEqual([0, serviceResult.stdout]);
    expect(fileResult.stderr).not.toMatch(/request|the service cannot/);
    expect(museum.requests.length).toBe(before);
  },
);
