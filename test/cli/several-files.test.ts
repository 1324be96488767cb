/** Repeated `-o` of an export: each file has the format of its extension, and uses the options of this format. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { opac } from './run-in-process.js';

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-several-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const EXPORT = ['objects', 'export', '--mock', '--limit', '20'];

it('writes CSV for Excel, TSV, flat NDJSON and ids in one run, and prints each file name', async () => {
  const folder = await createFolder();
  const at = (name: string) => join(folder, name);
  const files = ['o.csv', 'o.tsv', 'o.ndjson', 'o.ids'];
  const words = [...EXPORT, '--excel', '--columns', 'id,title', '--flat', '--plain-text'];
  const { code, stderr } = await opac([...words, ...files.flatMap((name) => ['-o', at(name)])]);
  expect(code).toBe(0);
  for (const name of files) expect(stderr).toContain(`20 records in ${at(name)} (`);
  const [csv = '', tsv = '', lines = '', ids = ''] = await Promise.all(
    files.map((name) => readFile(at(name), 'utf8')),
  );
  expect(csv).toMatch(/^\ufeffid,title\r\n/);
  expect(tsv).toMatch(/^id\ttitle\n/);
  expect(lines).toMatch(/^\{"id":"/);
  const listed = ids.trimEnd().split('\n');
  expect(listed).toHaveLength(20);
  expect(
    tsv
      .split('\n')
      .slice(1, 21)
      .map((line) => line.split('\t')[0]),
  ).toEqual(listed);
});

it.each([
  [['-o', 'a.csv', '-o', '-'], '-o - cannot be used with another -o'],
  [['-o', 'a.csv', '-o', 'b.csv', '-f', 'csv'], '-f cannot be used with several files'],
  [['-o', 'a.csv', '-o', 'b.foo'], '".foo" is not the file extension of a format'],
  [['-o', 'a.csv', '-o', './a.csv'], '"./a.csv" is named twice'],
  [
    ['-o', 'a.csv', '-o', 'a.csv.manifest.json'],
    '"a.csv.manifest.json" has the name of a file that opac writes',
  ],
  [['-o', 'a.csv.part', '-f', 'csv'], '"a.csv.part" has the name of a file that opac writes'],
  [['-o', 'a.csv', '-o', ''], 'invalid value "" for --output'],
  [['-o', 'a.ids', '-o', 'b.csv', '--flat'], '--flat works only with JSON'],
  [['-o', 'a.ndjson', '-o', 'b.csv', '--part', '1/2'], '--part writes NDJSON, not csv'],
])('refuses %j', async (words, message) => {
  const folder = await createFolder();
  const inFolder = words.map((word, n) =>
    words[n - 1] === '-o' && word.includes('.') ? join(folder, word) : word,
  );
  const { code, stderr } = await opac(['objects', 'export', '--mock', ...inFolder]);
  expect([code, stderr.replaceAll(`${folder}/`, '')]).toEqual([
    2,
    expect.stringContaining(message.replace('./', '')),
  ]);
  expect(await readdir(folder)).toEqual([]);
});
