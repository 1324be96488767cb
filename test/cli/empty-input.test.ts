/** Empty options and lists. A query that is empty by mistake must not select all records. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitLines } from '../e2e/run-against-museum.js';
import { opac } from './run-in-process.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-empty-'));
  await writeFile(join(folder, 'empty.txt'), '');
  await writeFile(join(folder, 'blank.txt'), '\ufeff \r\n\t\n');
  await writeFile(join(folder, 'header.csv'), 'id,title\n');
});
afterAll(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);

describe('a search option without a value', () => {
  it.each([
    ['--query', ''],
    ['--query', ' \t\n'],
    ['--query', '@empty.txt'],
    ['--query', '@blank.txt'],
    ['--query', '@-'],
    ['--where', ''],
    ['--where', '=x'],
    ['--collection', ''],
    ['--collection', ' '],
    ['--highlight', ''],
    ['--external-id', ''],
    ['--external-id', '@empty.txt'],
    ['--external-id', '-'],
    ['--facet', 'classification='],
    ['--sort', ''],
    ['--view', ''],
    ['', ''],
    ['', ' '],
  ])('is refused with exit code 2: %s %j', async (flag, value) => {
    const given = /\.txt$/.test(value) ? value.replace(/[^@]+$/, (name) => at(name)) : value;
    const words = [...(flag === '' ? [] : [flag]), given];
    const file = at('made.ndjson');
    for (const command of [
      ['objects', 'list'],
      ['objects', 'count'],
      ['objects', 'export', '-o', file],
    ]) {
      if (command[1] === 'count' && /sort|view/.test(flag)) continue;
      if (command[1] === 'export' && /sort/.test(flag)) continue;
      const { code, stdout } = await opac([...command, '--mock', ...words], { stdin: '\n' });
      expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: '' });
    }
    expect(await readdir(folder)).not.toContain('made.ndjson');
  });
});

describe('get with an empty list', () => {
  it.each([
    ['-', 'ids', ''],
    ['-', 'ndjson', ''],
    ['-', 'json', '[]\n'],
    ['-', 'csv', 'id\n'],
    ['@empty.txt', 'ids', ''],
    ['@blank.txt', 'ids', ''],
    ['@header.csv', 'ids', ''],
  ])('prints an empty result and a note: %s -f %s', async (list, format, expected) => {
    const given = list === '-' ? list : `@${at(list.slice(1))}`;
    for (const by of list === '@header.csv' ? [[]] : [[], ['--by', 'accession_no']]) {
      const words = ['objects', 'get', given, ...by, '--mock', '-f', format];
      const { code, stdout, stderr } = await opac(words, { stdin: '' });
      expect({ code, stdout: format === 'csv' ? stdout.split('\n').length : stdout }).toEqual({
        code: 0,
        stdout: format === 'csv' ? expected.split('\n').length : expected,
      });
      expect(stderr).toContain(`no ids in "${given}"`);
    }
  });

  it('prints the records of the other ids', async () => {
    const { code, stdout } = await opac(['objects', 'get', '-', '20011', '--mock', '-f', 'ids'], {
      stdin: '',
    });
    expect([code, splitLines(stdout)]).toEqual([0, ['20011']]);
  });
});
