/** Files of list: files that it may replace, bytes that are not UTF-8, and the headers and text of tables. */
import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { splitCommandLine } from '../e2e/opac.js';
import { opac } from './run-in-process.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-list-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('does not replace a file of a split export without --force', async () => {
  const at = (name: string) => join(folder, name);
  await opac(['objects', 'export', '--mock', '--split', '100', '-o', at('all.csv')]);
  const list = ['objects', 'list', '--mock', '-o', at('all-002.csv')];
  const refused = await opac(list);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('belongs to a split export') });
  expect((await opac(['verify', at('all.csv')])).code).toBe(0);
  expect((await opac(['objects', 'list', '--mock', '-o', at('all-003.csv')])).code).toBe(0);
  expect((await opac([...list, '--force'])).code).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(['all-001.csv', 'all-002.csv', 'all-003.csv']);
});

it.each([
  ['get', '@ids.csv'],
  ['list', '--external-id', '@ids.csv'],
  ['list', '--where', 'accession_no=@ids.csv'],
])('does not replace the list that it reads: %s %s', async (...words) => {
  const list = join(folder, 'ids.csv');
  await writeFile(list, 'id,accession_no,remark\n20022,00345,mine\n');
  const command = words.map((word) => word.replace('@ids.csv', `@${list}`));
  expect(await opac(['objects', ...command, '--mock', '-o', list, '--force'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('would replace the input file'),
  });
  expect(await readFile(list, 'utf8')).toContain('mine');
});

it('does not replace a list that has no @, or that is the second output of an export', async () => {
  const list = join(folder, 'ids.csv');
  await writeFile(list, 'id\n20022\n');
  for (const [words, message] of [
    [['get', list], 'is a file, not an id'],
    [['export', '--external-id', `@${list}`, '-o', join(folder, 'a.csv')], 'would replace the input file'],
  ] as const)
    expect(await opac(['objects', ...words, '--mock', '-o', list, '--force'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  expect(await readFile(list, 'utf8')).toBe('id\n20022\n');
});

it('writes one of two concurrent lists to the same file; the other exits with 8', async () => {
  const target = join(folder, 'o.ndjson');
  await writeFile(`${target}.part`, 'of an export');
  const words = ['objects', 'list', '--mock', '--all', '-f', 'ndjson'];
  const results = await Promise.all([1, 2].map(() => opac([...words, '-o', target])));
  expect(results.map(({ code }) => code).sort()).toEqual([0, 8]);
  expect(await readFile(target, 'utf8')).toBe((await opac(words)).stdout);
  expect((await readdir(folder)).sort()).toEqual(['o.ndjson', 'o.ndjson.part']);
});

it('keeps a file of the user whose name ends in .new', async () => {
  const target = join(folder, 'own.csv');
  await writeFile(`${target}.new`, 'mine');
  expect((await opac(['objects', 'list', '--mock', '-o', target])).code).toBe(0);
  expect(await readFile(`${target}.new`, 'utf8')).toBe('mine');
});

it.skipIf(process.platform === 'win32').each(['list', 'export'])(
  'keeps the mode and the group of a file: %s',
  async (verb) => {
    const target = join(folder, 'o.csv');
    await writeFile(target, '', { mode: 0o640 });
    // A group that this user may set.
    const group = process.getuid?.() === 0 ? 12_345 : (process.getgroups?.().at(-1) ?? -1);
    await chown(target, -1, group);
    const before = await stat(target);
    const words = ['objects', verb, '--mock', '--limit', '2', '--force', '-o', target];
    expect((await opac(words)).code).toBe(0);
    const { gid, mode } = await stat(target);
    expect({ gid, mode: mode & 0o777 }).toEqual({ gid: before.gid, mode: 0o640 });
  },
);

it('reports records with bytes that are not UTF-8, and exits with 6 with --strict', async () => {
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

describe('--sql-names and --plain-text', () => {
  const run = (line: string) => opac(splitCommandLine(line));
  const columns = '--columns "id,image.url,brief_desc,production_date@earliest_date,name=Größe 1,id=größe-1"';

  it.each(['csv', 'tsv'])('produce the same %s in list, get and export', async (format) => {
    const table = `${columns} --sql-names --plain-text --mock -f ${format}`;
    const exported = await run(`objects export ${table}`);
    const [header] = exported.stdout.split('\n', 1);
    expect(header).toContain('production_date_earliest_date');
    expect(exported.stdout).not.toContain('<p>');
    expect((await run(`objects list --all ${table}`)).stdout === exported.stdout).toBe(true);
    expect((await run(`objects get 20011 ${table}`)).stdout).toBe(
      exported.stdout.split('\n').slice(0, 2).join('\n').concat('\n'),
    );
  });

  it('apply to JSON, and --plain-text also to flat NDJSON and cards', async () => {
    const { stdout } = await run(
      'objects get 20011 --mock -f json --single --columns brief_desc,image.url --sql-names --plain-text',
    );
    expect(JSON.parse(stdout)).toEqual({
      brief_desc: ['Early wax model with jellyfish & more.'],
      image_url: [],
    });
    const flat = await run('objects list --mock -f ndjson --limit 1 --flat --plain-text');
    expect(flat.stdout).toContain('with jellyfish & more');
    const card = await opac(splitCommandLine('objects get 20011 --mock --plain-text'), { columns: 80 });
    expect(card.stdout).toContain('with jellyfish & more');
  });

  it.each([
    ['list -f json --sql-names', '--sql-names works only with tables'],
    ['get 20011 -f card --sql-names', '--sql-names works only with tables'],
    ['list -f ndjson --plain-text', '--plain-text does not work with ndjson; add --flat'],
    ['list -f ids --plain-text', '--plain-text does not work with ids'],
  ])('are refused for other formats: %s', async (line, message) => {
    const { code, stdout, stderr } = await run(`objects ${line} --mock`);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });
});

it('prints the selected columns of records by id, as a table or as cards', async () => {
  const get = splitCommandLine('objects get 20011 20022 --mock --columns id,title=Name');
  const plain = { columns: 80, environment: { NO_COLOR: '1' } };
  const table = await opac(get, plain);
  expect(table.stdout.split('\n')).toEqual([
    'id     Name',
    expect.stringMatching(/^─/),
    '20011  Early wax model',
    '20022  Unfinished study of a fern',
    '',
  ]);
  const card = await opac([...get, '-f', 'card'], plain);
  expect(card.stdout).toBe(
    'id    20011\nName  Early wax model\n\nid    20022\nName  Unfinished study of a fern\n',
  );
});
