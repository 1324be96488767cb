/** Commands refuse output options that have no effect in them, before they do anything. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../e2e/opac.js';
import { opac } from './run-in-process.js';

const TEXT_COMMANDS = {
  verify: ['verify', 'objects.csv'],
  openapi: ['openapi'],
  completion: ['completion', 'bash'],
  open: ['open', 'objects', '20011', '--mock', '--print'],
} as const;

const COMMANDS_WITHOUT_DATA = {
  login: ['login'],
  logout: ['logout'],
  mock: ['mock', '--port', '0'],
  set: ['profiles', 'set', 'museum', 'page-size', '50'],
  use: ['profiles', 'use', 'museum'],
  remove: ['profiles', 'remove', 'museum'],
  download: ['images', 'download', 'pictures', '--mock'],
} as const;

describe('a command that prints text', () => {
  const cases = Object.entries(TEXT_COMMANDS).flatMap(([name, words]) =>
    ['csv', 'tsv', 'xlsx', 'ids', 'parquet'].map((format) => [name, format, words] as const),
  );

  it.each(cases)('refuses a format: %s -f %s', async (_, format, words) => {
    expect(await opac([...words, '-f', format])).toEqual({
      code: 2,
      stdout: '',
      stderr: `opac: this command cannot write ${format}; choose from table, card, json, ndjson\n`,
    });
  });

  it.each(Object.entries(TEXT_COMMANDS))(
    'refuses the extension .csv and writes no file: %s',
    async (_, words) => {
      const folder = await createFolder();
      const { code, stderr } = await opac([...words, '-o', join(folder, 'x.csv')]);
      expect(code).toBe(2);
      expect(stderr).toContain('this command cannot write csv');
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it.each(Object.entries(TEXT_COMMANDS))('refuses --columns and --flat: %s', async (_, words) => {
    for (const option of [['--columns', 'id'], ['--flat']])
      expect(await opac([...words, ...option])).toMatchObject({
        code: 2,
        stderr: `opac: ${option[0]} has no effect in this command; omit it\n`,
      });
  });
});

describe('a command that prints no data', () => {
  const cases = Object.entries(COMMANDS_WITHOUT_DATA).flatMap(([name, words]) =>
    [['--format', 'json'], ['--output', 'x.json'], ['--columns', 'id'], ['--flat'], ['--force']].map(
      (option) => [name, option.join(' '), words] as const,
    ),
  );

  it.each(cases)('refuses an output option: %s %s', async (_, option, words) => {
    expect(await opac([...words, ...option.split(' ')])).toEqual({
      code: 2,
      stdout: '',
      stderr: `opac: ${option.split(' ')[0]} has no effect in this command; omit it\n`,
    });
  });
});

describe('a command that prints one row', () => {
  it('writes csv, and refuses ids and xlsx', async () => {
    expect(await opac(['objects', 'count', '--mock', '-f', 'csv'])).toMatchObject({ code: 0 });
    expect(await opac(['status', '--mock', '-f', 'csv'])).toMatchObject({ code: 0 });
    expect(await opac(['objects', 'count', '--mock', '-f', 'ids'])).toMatchObject({ code: 2, stdout: '' });
    expect(await opac(['objects', 'count', '--mock', '-f', 'xlsx'])).toMatchObject({ code: 2, stdout: '' });
  });
});

it('writes text as json, and to a file whose extension is not a format', async () => {
  const folder = await createFolder();
  expect(JSON.parse((await opac(['openapi', '-f', 'json'])).stdout)).toMatchObject({ openapi: '3.1.0' });
  expect((await opac(['completion', 'fish', '-o', join(folder, 'opac.fish')])).code).toBe(0);
  await writeFile(join(folder, 'x.csv'), 'id\n1\n');
  expect((await opac(['verify', join(folder, 'x.csv'), '-f', 'json'])).stderr).toContain('no manifest');
});

it('refuses to write a token to a file, which other users might read', async () => {
  const { code, stdout, stderr } = await opac(['token', '-o', 'token.txt']);
  expect([code, stdout, stderr]).toEqual([2, '', 'opac: --output has no effect in this command; omit it\n']);
});
