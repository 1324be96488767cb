/** Searches for lists of values and for exact values: records and their order, and values that were not found. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MuseumRecord, readMuseumRecords } from '../e2e/museum-records.js';
import { splitLines } from '../e2e/run-against-museum.js';
import { runAgainstMuseum } from './run-against-museum.js';
import { opac } from './run-in-process.js';

const WRONG = ['1869.99.99', 'nothing', '9999.1.1', 'no-such-number'];

let folder: string;
let objects: readonly MuseumRecord[];
let wanted: readonly MuseumRecord[];
let numbers: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-lists-'));
  objects = (await readMuseumRecords()).filter(({ kind }) => kind === 'objects');
  const allNumbers = objects.map(({ values }) => values('accession_no').join());
  const unique = objects.filter(
    (_, n) => allNumbers[n] && allNumbers.filter((each) => each === allNumbers[n]).length === 1,
  );
  wanted = unique.slice(10, 36).reverse();
  numbers = wanted.map(({ values }) => values('accession_no')[0] ?? '').toSpliced(7, 0, ...WRONG);
  await writeFile(join(folder, 'numbers.txt'), `accession_no\n${numbers.join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

const ids = () => wanted.map(({ id }) => id);
const file = (name: string) => `accession_no=@${join(folder, name)}`;

describe('opac with a list from a file', () => {
  it('lists records in the order of the file, and prints the values that were not found', async () => {
    const { code, stdout, stderr } = await runAgainstMuseum([
      ...['objects', 'list', '-f', 'ids', '--where', file('numbers.txt')],
    ]);
    expect({ code, found: splitLines(stdout), stderr }).toEqual({
      code: 0,
      found: ids(),
      stderr: `warning: 4 of 30 entries in the list were not found: ${WRONG.join(', ')}\n`,
    });
  });

  it('counts and exports the same records, and exits with 6 with --strict', async () => {
    const output = join(folder, 'found.csv');
    const where = ['--where', file('numbers.txt')];
    const counted = await runAgainstMuseum(['objects', 'count', ...where]);
    const strict = await runAgainstMuseum(['objects', 'count', ...where, '--strict']);
    const listed = await runAgainstMuseum(['objects', 'list', '-f', 'ids', ...where, '--strict']);
    const columns = ['--columns', 'id', '-o', output];
    const exported = await runAgainstMuseum(['objects', 'export', ...where, ...columns]);
    expect([counted.code, counted.stdout]).toEqual([0, '26\n']);
    expect([strict.code, listed.code, splitLines(listed.stdout)]).toEqual([6, 6, ids()]);
    expect(exported.stderr).toContain(`4 entries of the list were not found: ${WRONG.join(', ')}`);
    expect(splitLines(await readFile(output, 'utf8'))).toEqual(['id', ...ids()]);
    const manifest = JSON.parse(await readFile(`${output}.manifest.json`, 'utf8'));
    expect(manifest.notFound).toEqual(WRONG);
    const failed = await runAgainstMuseum(['objects', 'export', ...where, ...columns, '--strict', '--force']);
    expect(failed.code).toBe(6);
  });

  it('splits hundreds of values over requests, and lists each record once', async () => {
    const makers = [...new Set(objects.flatMap(({ values }) => values('maker_name')))];
    const withMaker = objects.filter(({ values }) => values('maker_name').length > 0);
    const many = [...makers, ...Array.from({ length: 250 }, (_, n) => `nobody ${n}`)];
    const { stdout, stderr, requests } = await runAgainstMuseum(
      ['objects', 'list', '-f', 'ids', '--where', 'maker_name=@-'],
      { stdin: many.join('\n') },
    );
    expect(splitLines(stdout).sort()).toEqual(withMaker.map(({ id }) => id).sort());
    expect(stderr).toMatch(
      /^warning: 250 of \d+ entries in the list were not found: nobody 0, .*nobody 19 and 230 more\n$/,
    );
    expect(requests.length).toBeGreaterThan(2);
  });

  it('reads UTF-8, UTF-16 (Excel "Unicode Text") and quoted cells', async () => {
    const [first = '', second = ''] = numbers;
    const text = `\uFEFF${first}\r\n"${second}"\r\n`;
    await writeFile(join(folder, 'le.txt'), Buffer.from(text, 'utf16le'));
    await writeFile(join(folder, 'be.txt'), Buffer.from(text, 'utf16le').swap16());
    await writeFile(join(folder, 'utf8.txt'), text);
    for (const name of ['le.txt', 'be.txt', 'utf8.txt']) {
      const { stdout } = await runAgainstMuseum(['objects', 'list', '-f', 'ids', '--where', file(name)]);
      expect([name, splitLines(stdout)]).toEqual([name, ids().slice(0, 2)]);
    }
  });

  it.each([
    ['CSV', 'title,accession_no\r\n"A ""vase"", blue",NUMBER\r\n'],
    ['CSV of another country', 'Nr;Accession No.\nx;NUMBER\n'],
    ['Excel', '\uFEFFaccession_no,id\n="NUMBER",7\n'],
    ['TSV', 'a\taccession_no\n1\tNUMBER\n'],
    ['one column', 'Accession No\nNUMBER\n'],
  ])('reads the column of the field from a table: %s', async (_, text) => {
    const [number = ''] = numbers;
    await writeFile(join(folder, 'list.csv'), text.replace('NUMBER', number));
    const { stdout, stderr } = await runAgainstMuseum([
      'objects',
      'list',
      '-f',
      'ids',
      '--where',
      file('list.csv'),
    ]);
    expect([splitLines(stdout), stderr]).toEqual([ids().slice(0, 1), '']);
    const by = ['objects', 'get', '-f', 'ids', '--by', ...file('list.csv').split('=')];
    expect((await runAgainstMuseum(by)).stdout).toBe(stdout);
  });

  it('reads the ids of an exported table in get and in --external-id', async () => {
    const table = join(folder, 'out.csv');
    await opac(['objects', 'export', '--mock', '--columns', 'title,id', '--limit', '3', '-o', table]);
    const line = ['-f', 'ids', '--mock'];
    const got = await opac(['objects', 'get', `@${table}`, ...line]);
    const listed = await opac(['objects', 'list', '--external-id', `@${table}`, ...line]);
    expect([splitLines(got.stdout), listed.stdout]).toEqual([['20011', '20022', '20033'], got.stdout]);
  });

  it.each([
    'List of works\n\nAccession number;Remark\n00345;x\n',
    'List of works\nRemark,accession_no\nx,00345\n',
    'Accession;Remark\n00345;x\n',
    'Accession;Accession number\nx;00345\n',
    'List of works\n\nAccession;Remark\n00345;x\n',
    'Acc. no.;Remark\n00345;x\n',
    'Remark,Acc. Number\nx,00345\n',
  ])('finds the column of a table with a title or a shorter header: %j', async (text) => {
    await writeFile(join(folder, 'titled.csv'), text);
    const { stdout } = await runAgainstMuseum([
      'objects',
      'list',
      '--where',
      file('titled.csv'),
      '-f',
      'ids',
    ]);
    expect(stdout).toBe('20022\n');
  });

  it.each([
    ['wrong.csv', 'number,title\nA1,x\n', 'number, title'],
    ['wrong.csv', 'My list\nnumber,title\nA1,x\n', 'number, title'],
    ['wrong', 'number,title\nA1,x\n', 'number, title'],
    ['wrong.ids', 'number;title\nA1;x\n\n', 'number, title'],
  ])('refuses a table without the column: %s %j', async (name, text, columns) => {
    await writeFile(join(folder, name), text);
    for (const [list, column] of [
      [['--where', file(name)], 'accession_no'],
      [['--external-id', `@${join(folder, name)}`], 'id'],
    ] as const) {
      const { code, stderr, requests } = await runAgainstMuseum(['objects', 'list', ...list]);
      const searches = requests.filter(({ path }) => !path.includes('/views'));
      expect([code, stderr, searches]).toEqual([
        2,
        expect.stringContaining(`has no column "${column}", only ${columns};`),
        [],
      ]);
    }
  });

  it('does not read a value as a title or a header', async () => {
    await writeFile(join(folder, 'values'), 'Accession\nNobody\nAccession, Unknown\nNone\n');
    const { stderr } = await runAgainstMuseum([
      'objects',
      'list',
      '--where',
      `accession_no=@${join(folder, 'values')}`,
    ]);
    expect(stderr).toContain(
      '4 of 4 entries in the list were not found: Accession, Nobody, Accession, Unknown, None',
    );
  });

  it.each([
    ['names.txt', 'Bensemann,Leo\nNobody,Anna\n'],
    ['names', 'Bensemann, Leo\nNobody, Anna\n'],
    ['names', '"Bensemann,Leo"\n"Nobody,Anna"\n'],
    ['names', 'Bensemann,Leo\nNobody\n'],
  ])('searches for values with commas in a list: %s %j', async (name, text) => {
    await writeFile(join(folder, name), text);
    const where = ['--where', `maker_name=@${join(folder, name)}`];
    const { code, stderr } = await runAgainstMuseum(['objects', 'list', ...where]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/2 of 2 entries .* Bensemann, ?Leo, Nobody/)]);
  });

  it('counts ids, and warns about ids that were not found', async () => {
    const list = join(folder, 'ids.txt');
    await writeFile(list, '20011\n20022\n99\n');
    const { code, stdout, stderr } = await runAgainstMuseum([
      ...['objects', 'count', '--external-id', `@${list}`],
    ]);
    expect([code, stdout, stderr]).toEqual([
      0,
      '2\n',
      'warning: 1 of 3 entries in the list was not found: 99\n',
    ]);
  });

  it('does not read a web page as a list', async () => {
    await writeFile(join(folder, 'page.html'), '\n<!DOCTYPE html>\n<html>\n');
    const { code, stderr } = await runAgainstMuseum(['objects', 'list', '--where', file('page.html')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is a web page, not a list')]);
  });

  it('does not search for the name of a file, and reads @@ as the character @', async () => {
    await writeFile(join(folder, 'latin1.txt'), Buffer.from('caf\xe9', 'latin1'));
    const rows: (readonly [string[], string])[] = [
      [['--where', 'accession_no=@missing.txt'], 'file not found: "missing.txt"'],
      [['--query', `@${join(folder, 'latin1.txt')}`], 'is neither UTF-8 nor UTF-16'],
      [['--where', 'a=@b', '--where', 'c=@d'], 'only one --where'],
      [['--where', 'a=@b', '--external-id', '1'], 'cannot be used together'],
      [['--facet', 'classification=@missing.txt'], '"@missing.txt" means a file, not text to search for'],
      [['@missing.txt'], '"@missing.txt" means a file, not text to search for'],
    ];
    for (const [words, message] of rows) {
      const { code, stderr, requests } = await runAgainstMuseum(['objects', 'list', ...words]);
      expect({ words, code, sent: requests.length, isPrinted: stderr.includes(message) || stderr }).toEqual({
        words,
        code: 2,
        sent: 0,
        isPrinted: true,
      });
    }
    const { requests } = await runAgainstMuseum(['objects', 'list', '--where', 'name=@@home']);
    expect(requests.map(({ query }) => query.get('query'))).toContain('name:"@home"');
  });
});

describe('get --by', () => {
  it('prints the records with these values in the given order, and the value not found', async () => {
    const [a = '', b = ''] = numbers;
    const { code, stdout, stderr } = await runAgainstMuseum([
      ...['objects', 'get', '--by', 'accession_no', b, 'nothing', a, '-f', 'ids'],
    ]);
    expect({ code, found: splitLines(stdout) }).toEqual({ code: 3, found: ids().slice(0, 2).reverse() });
    expect(stderr).toBe('opac: 1 of 3 entries in the list was not found: nothing\n');
  });
});

describe('get with values instead of ids', () => {
  it('prints the field and the options that find the record', async () => {
    const { code, stderr } = await runAgainstMuseum('objects get 00345');
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      '"00345" is a value of accession_no: add --by accession_no, or list with --where accession_no=00345',
    ]);
  });

  it('suggests a search for words', async () => {
    const { code, stderr } = await runAgainstMuseum('persons get Bensemann');
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('; to search for it, use: opac persons list Bensemann'),
    ]);
  });

  it('suggests the same file for --where', async () => {
    const path = join(folder, 'only.csv');
    await writeFile(path, 'id\n00345\n');
    const { code, stderr } = await runAgainstMuseum(['objects', 'get', `@${path}`]);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`--where accession_no=@${path}\n`)]);
  });

  it('suggests no field for a text that no record contains', async () => {
    const { code, stderr } = await runAgainstMuseum('objects get no-such-number');
    expect([code, stderr]).toEqual([3, expect.not.stringContaining('--by')]);
  });
});

describe('--exact', () => {
  it('finds only records with the complete value, in list, count and export', async () => {
    const example = objects.find(({ values }) => (values('name')[0] ?? '').split(' ').length > 2);
    const complete = example?.values('name')[0] ?? '';
    const last = complete.split(' ').at(-1) ?? '';
    const matching = objects.filter(({ values }) => values('name').includes(complete));
    const rows = [
      [complete.toUpperCase(), matching.map(({ id }) => id)],
      [last, []],
    ] as const;
    for (const [value, expected] of rows) {
      const where = ['--where', `name=${value}`, '--exact'];
      const list = await runAgainstMuseum(['objects', 'list', '-f', 'ids', '--all', ...where]);
      const count = await runAgainstMuseum(['objects', 'count', ...where]);
      const exported = await runAgainstMuseum(['objects', 'export', '-f', 'ids', ...where]);
      expect([splitLines(list.stdout), count.stdout.trim(), splitLines(exported.stdout)]).toEqual([
        expected,
        String(expected.length),
        expected,
      ]);
    }
  });

  it('refuses a view that does not contain the field', async () => {
    const where = ['--where', 'classification=Art/Paintings', '--exact', '--view', 'label'];
    const { code, stderr } = await runAgainstMuseum(['objects', 'list', ...where]);
    expect([code, stderr.includes('do not contain the field "classification"') || stderr]).toEqual([2, true]);
  });
});
