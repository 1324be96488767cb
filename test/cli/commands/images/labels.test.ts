/** Field names and labels in the options of images and facets. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { opac } from '../../run-in-process.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-image-labels-'));
});
afterEach(() => rm(folder, { recursive: true }));

const NEGRETTI = ['--mock', '--where', 'maker_name=Negretti'];

it.each([
  ['maker_name', 'accession_no', 'medium_desc'],
  ['Maker', 'accession number', 'materials'],
])('accepts %s, %s and %s in the options of images download', async (maker, number, credit) => {
  const options = ['--rights', `${maker}=Elliott Negretti`, '--credit-line', credit];
  const name = ['--name', `{${maker}}/{${number}}-{position}.{ext}`];
  const pictures = join(folder, 'pictures');
  expect(await opac(['images', 'download', pictures, ...NEGRETTI, ...options, ...name])).toMatchObject({
    code: 0,
  });
  const [, row = '{}'] = (await readFile(join(pictures, 'index.ndjson'), 'utf8')).split('\n').reverse();
  const { file, rights, creditLine } = JSON.parse(row);
  expect([file, rights]).toEqual([expect.stringMatching(/^\w+\/\d[\d.]*-\d\.png$/), 'Elliott Negretti']);
  expect(creditLine).toMatch(/\w/);
});

it.each([
  ['list', '--name-field', 'nosuch'],
  ['download', 'DIR', '--rights', 'nosuch=x'],
  ['download', 'DIR', '--name', '{nosuch}.{ext}'],
  ['download', 'DIR', '--credit-line', 'nosuch'],
])('refuses an unknown field in images %s %s %s', async (...words) => {
  const command = words.map((word) => word.replace('DIR', join(folder, 'pictures')));
  expect(await opac(['images', ...command, ...NEGRETTI])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('no record has a field "nosuch"'),
  });
});

it('accepts a label in facets get', async () => {
  const get = (facet: string) => opac(['facets', 'get', 'objects', facet, '--mock', '-f', 'csv']);
  const [byLabel, byId] = [await get('Classification'), await get('classification')];
  expect(byLabel).toEqual(byId);
  expect(byId.stdout).toContain('Photographs');
  expect((await get('nosuch')).code).toBe(3);
});
