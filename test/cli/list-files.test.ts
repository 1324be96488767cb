/** Files of a list: what they may replace, and records whose bytes are not UTF-8. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { opac } from './run-in-process.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-list-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('keeps the files of a split export from being replaced, unless --force says so', async () => {
  const at = (name: string) => join(folder, name);
  await opac(['objects', 'export', '--mock', '--split', '100', '--describe', '-o', at('all.csv')]);
  const list = ['objects', 'list', '--mock', '-o', at('all-002.csv')];
  const refused = await opac(list);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is part of a split export') });
  expect((await opac(['verify', at('all.csv')])).code).toBe(0);
  expect((await opac(['objects', 'list', '--mock', '-o', at('all-003.csv')])).code).toBe(0);
  expect((await opac([...list, '--force'])).code).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(['all-001.csv', 'all-002.csv', 'all-003.csv']);
});

it('names records with bytes that are not UTF-8, and exits 6 with --strict', async () => {
  const museum = await startMuseum({ faults: [{ kind: 'latin1' }] });
  try {
    const words = ['objects', 'list', '--base-url', museum.url, '--all', '-f', 'csv'];
    const warned = await opac(words);
    expect(warned).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /warning: \d+ records with bytes that are not UTF-8, written as U\+FFFD: \d+/,
      ),
    });
    expect(await opac([...words, '--strict'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('not UTF-8'),
    });
  } finally {
    await museum.close();
  }
});
