/** Columns that stay the same: custom headers, headers of an earlier file, and the columns of a replaced export. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTable } from '../../src/records/files/read-table.js';
import { opac } from './run-in-process.js';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-columns-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FIXED = 'id,title,recordType,slug,collection,label,image.count,image.url';

/** Returns a line with a record of the service that has these fields. */
function createRecord(id: string, fields: Readonly<Record<string, readonly string[]>>): string {
  const sets = Object.entries(fields).map(([identifier, values]) => ({
    identifier,
    opacObjectFields: values.map((value) => ({ value })),
  }));
  return `${JSON.stringify({ opacObjectId: id, opacObjectFieldSets: sets })}\n`;
}

async function run(...words: string[]) {
  const { code, stdout, stderr } = await opac(words);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return { stdout, stderr };
}

const readHeader = async (name: string) => (await readFile(at(name), 'utf8')).split(/\r?\n/)[0];
const exportAll = (name: string, ...words: string[]) =>
  run('objects', 'export', '--from', at('now.ndjson'), '-o', at(name), ...words);

async function readRows(name: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of readTable([await readFile(at(name), 'utf8')], { format: 'csv' })) rows.push(row);
  return rows;
}

describe('an export that replaces an export', () => {
  it.each(['csv', 'tsv'])(
    'keeps the columns and their order, also empty ones, and adds new ones at the end: %s',
    async (ending) => {
      const separate = (header: string) => header.replaceAll(',', ending === 'tsv' ? '\t' : ',');
      const name = `all.${ending}`;
      await writeFile(at('now.ndjson'), createRecord('1', { a: ['1'], b: ['2'], c: ['3'] }));
      await exportAll(name);
      expect(await readHeader(name)).toBe(separate(`${FIXED},a,b,c`));
      await writeFile(at('now.ndjson'), createRecord('1', { new: ['0'], c: ['3'], a: ['1'] }));
      await exportAll(name);
      expect(await readHeader(name)).toBe(separate(`${FIXED},a,b,c,new`));
      expect(await readFile(at(name), 'utf8')).toContain(separate(',1,,3,0\n'));
      await run('verify', at(name));
    },
  );

  it('does not keep the columns if the manifest is missing', async () => {
    await writeFile(at('now.ndjson'), createRecord('1', { b: ['2'] }));
    await exportAll('all.csv');
    await rm(at('all.csv.manifest.json'));
    await writeFile(at('now.ndjson'), createRecord('1', { a: ['1'] }));
    await exportAll('all.csv', '--force');
    expect(await readHeader('all.csv')).toBe(`${FIXED},a`);
  });

  it('does not keep the columns if the file is missing, or for another search', async () => {
    await writeFile(at('now.ndjson'), createRecord('1', { b: ['2'] }));
    await exportAll('all.csv');
    await exportAll('other.csv');
    await writeFile(at('now.ndjson'), createRecord('1', { a: ['1'] }));
    await rm(at('all.csv'));
    await exportAll('all.csv');
    expect(await readHeader('all.csv')).toBe(`${FIXED},a`);
    await exportAll('other.csv', '--where', 'a=1');
    expect(await readHeader('other.csv')).toBe(`${FIXED},a`);
  });
});

describe('custom headers', () => {
  it('are in the file, and the manifest also contains their columns', async () => {
    const columns = 'title=Titel,id=Nr,image.url=image_url,maker_name';
    await run('objects', 'export', '--mock', '--columns', columns, '-o', at('all.csv'));
    expect(await readHeader('all.csv')).toBe('Titel,Nr,image_url,maker_name');
    expect(JSON.parse(await readFile(at('all.csv.manifest.json'), 'utf8'))).toMatchObject({
      columns: ['title', 'id', 'image.url', 'maker_name'],
      heads: ['Titel', 'Nr', 'image_url', 'maker_name'],
    });
    await run('verify', at('all.csv'));
    await run('objects', 'export', '--mock', '--columns', 'id,title,maker_name', '-o', at('b.csv'));
    const { stderr } = await run('diff', at('all.csv'), at('b.csv'));
    expect(stderr).toContain('no records differ');
  });

  it('are also in the second file of --split', async () => {
    const columns = ['--columns', 'maker_name=maker,id=nr'];
    await run('objects', 'export', '--mock', '-o', at('split.csv'), '--split', '100', ...columns);
    expect(await readHeader('split-002.csv')).toBe('maker,nr');
    await run('verify', at('split.csv.manifest.json'));
  });

  it('are also in a list as CSV, NDJSON and table', async () => {
    const list = (...words: string[]) =>
      run('objects', 'list', '--mock', '--limit', '1', '--columns', 'id=nr,title', ...words);
    expect((await list('-f', 'csv')).stdout).toBe('nr,title\n20011,Early wax model\n');
    expect((await list('-f', 'ndjson')).stdout).toBe('{"nr":"20011","title":"Early wax model"}\n');
    expect((await list('-f', 'table')).stdout).toMatch(/^nr +title/);
  });

  it.each([
    ['title,name=title', 'two columns have the header "title"'],
    ['id,title=', 'the header after "title=" is missing'],
    ['id,=x', 'invalid column name "=x"'],
  ])('are refused if one is repeated or empty, or has no column: %s', async (columns, message) => {
    const { code, stderr } = await opac(['objects', 'export', '--mock', '--columns', columns]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('can be used with field names that contain an escaped equals sign or comma', async () => {
    await writeFile(at('now.ndjson'), createRecord('1', { 'a=b,c': ['x'] }));
    await exportAll('all.csv', '--columns', String.raw`id,a\=b\,c,a\=b\,c=d`);
    expect(await readRows('all.csv')).toEqual([
      ['id', 'a=b,c', 'd'],
      ['1', 'x', 'x'],
    ]);
  });
});

describe('--sql-names', () => {
  it('writes unique SQL names as headers, and keeps them in the next export', async () => {
    const fields = { 'é.1': ['a'], 'E 1': ['b'], '2nd': ['c'], 木: ['d'], 木木: ['e'] };
    await writeFile(at('now.ndjson'), createRecord('1', fields));
    await exportAll('all.csv', '--sql-names');
    expect(await readHeader('all.csv')).toBe(
      'id,title,recordtype,slug,collection,label,image_count,image_url,e_1,e_1_2,_2nd,field,field_2',
    );
    await run('verify', at('all.csv'));
    await writeFile(at('now.ndjson'), createRecord('1', { 'x y': ['0'], '2nd': ['c'] }));
    await exportAll('all.csv', '--sql-names');
    expect((await readRows('all.csv'))[0]?.slice(8)).toEqual([
      'e_1',
      'e_1_2',
      '_2nd',
      'field',
      'field_2',
      'x_y',
    ]);
  });
});

describe('--plain-text', () => {
  it.each([
    ['-f', 'csv'],
    ['-f', 'csv', '--multi', 'json'],
    ['-f', 'tsv', '--columns', 'id,brief_desc,image.url'],
    ['-f', 'ndjson', '--flat'],
  ])('removes HTML from values: %s %s %s %s', async (...words) => {
    const all = ['objects', 'export', '--mock', ...words];
    const { stdout: before } = await run(...all);
    const { stdout } = await run(...all, '--plain-text');
    expect(before).toContain('<p>');
    expect(stdout).not.toMatch(/<\/?(p|em|a)[ >]|&amp;/);
    expect(stdout).toMatch(/Given by A.{0,2}\| B/);
    expect(stdout.match(/"?http:[^",|]*/g)?.length).toBe(before.match(/"?http:[^",|]*/g)?.length);
  });

  it('is refused for JSON without --flat', async () => {
    const { code, stderr } = await opac(['objects', 'export', '--mock', '-f', 'json', '--plain-text']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('add --flat') });
  });
});

describe('--columns @table', () => {
  const HEADERS = 'Nr,"a,b",title';
  const BYTES: Readonly<Record<string, Buffer>> = {
    'old.csv': Buffer.from(`\ufeffid,title,gone\r\n1,2,3\r\n`),
    'old.tsv': Buffer.from('id\ttitle\tgone\n'),
    'semicolons.csv': Buffer.from('id;title;"gone"\r\n1;"2,\n3";4\r\n'),
    'said.csv': Buffer.from('sep=;\r\nid;title;gone\r\n'),
    'wide.csv': Buffer.from(`\ufeffid\ttitle\tgone\r\n`, 'utf16le'),
    'old.csv.gz': gzipSync('id,title,gone\n'),
  };

  it.each(Object.keys(BYTES))('uses the headers of %s, and leaves an unknown column empty', async (name) => {
    await writeFile(at(name), BYTES[name] ?? '');
    const { stdout, stderr } = await run(
      'objects',
      'export',
      '--mock',
      '--limit',
      '1',
      '--columns',
      `@${at(name)}`,
    );
    expect(stdout).toBe('id,title,gone\n20011,Early wax model,\n');
    expect(stderr).toMatch(
      /these columns of ".*" are empty, because this deployment does not have their fields: "gone"\n/,
    );
  });

  it('finds the columns of custom headers in the manifest of the file', async () => {
    const columns = ['--columns', 'id=Nr,maker_name=Maker'];
    for (const name of ['old.xlsx', 'old.csv'])
      await run('objects', 'export', '--mock', '--limit', '1', '-o', at(name), ...columns);
    for (const name of ['old.xlsx', 'old.csv']) {
      const { stdout } = await run(
        'objects',
        'export',
        '--mock',
        '--limit',
        '1',
        '--columns',
        `@${at(name)}`,
      );
      expect(stdout).toBe('Nr,Maker\n20011,Leopold Blaschka\n');
    }
  });

  it.each([
    ['empty.csv', '', 'is empty'],
    ['nameless.csv', 'id,,title\n', 'column 2 of'],
    ['twice.csv', HEADERS.replace('Nr', 'title'), 'two columns have the header "title"'],
    ['damaged.csv', Buffer.from([0xef, 0xbb, 0xbf, 0xe9, 0x2c, 0x62, 0x0a]), 'is not UTF-8: see line 1'],
    ['no.xlsx', 'id,title\n', 'cannot read'],
  ])('refuses %s', async (name, bytes, message) => {
    await writeFile(at(name), bytes);
    const { code, stderr } = await opac(['objects', 'export', '--mock', '--columns', `@${at(name)}`]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
