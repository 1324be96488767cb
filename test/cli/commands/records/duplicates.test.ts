/** Lists records with the same values. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Museum, startMuseum } from '../../../../src/mock/index.js';
import { opac } from '../../run-in-process.js';

const RECORDS: readonly (readonly [number: string, ...makers: string[]])[] = [
  ['A1', 'Rita Angus'],
  ['A2', 'Frances Hodgkins', 'Rita Angus'],
  ['a1 ', 'Rita Angus'],
  ['', 'Rita Angus'],
  ['A2', 'Rita Angus'],
  ['A1', ''],
  ['', 'Rita Angus'],
];

const field = (identifier: string, values: readonly string[]) => ({
  identifier,
  opacObjectFields: values.map((value) => ({ value })),
});

let folder: string;
let museum: Museum;
let sources: Readonly<Record<string, readonly string[]>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-duplicates-'));
  const file = join(folder, 'objects.ndjson');
  const lines = RECORDS.map(([number, ...makers], index) =>
    JSON.stringify({
      opacObjectId: String(index + 1),
      opacObjectFieldSets: [field('accession_no', [number]), field('maker_name', makers)],
    }),
  );
  await writeFile(file, `${lines.join('\n')}\n`);
  museum = await startMuseum({ data: [file] });
  sources = { service: ['--base-url', museum.url], file: ['--from', file] };
});
afterAll(async () => {
  await museum.close();
  await rm(folder, { recursive: true });
});

async function find(source: string, ...words: readonly string[]) {
  const { code, stdout, stderr } = await opac([
    ...['objects', 'duplicates', ...words, ...(sources[source] ?? [])],
  ]);
  return { code, stderr, lines: stdout.split('\n').filter((line) => line !== '') };
}

it.each(['service', 'file'])('lists each record, the largest group first (%s)', async (source) => {
  expect(await find(source, 'accession_no', '-f', 'csv')).toMatchObject({
    code: 0,
    lines: ['group,id,accession_no', '1,1,A1', '1,3,A1', '1,6,A1', '2,2,A2', '2,5,A2'],
  });
});

it('compares all values of several fields, and skips records without one of them', async () => {
  const { lines } = await find('service', 'Accession number,maker_name', '-f', 'csv');
  expect(lines).toEqual(['group,id,accession_no,maker_name', '1,1,A1,Rita Angus', '1,3,A1,Rita Angus']);
});

it('prints only a header if the search has no duplicates', async () => {
  const found = await find('service', 'accession_no', '--where', 'maker_name=Hodgkins', '-f', 'csv');
  expect(found).toMatchObject({ code: 0, lines: ['group,id,accession_no'] });
  expect(found.stderr).toMatch(/no objects have the same \S/);
});

it('refuses an unknown field', async () => {
  const found = await find('service', 'accession_no,acession', '-f', 'csv');
  expect(found).toMatchObject({ code: 2, lines: [] });
  expect(found.stderr).toContain('unknown field "acession" of objects');
  expect(found.stderr).not.toContain('reading');
});

it('prints the number of groups and records', async () => {
  const found = await find('service', 'accession_no', '-f', 'csv');
  expect(found.stderr).toMatch(/(^|\n)2 groups with 5 records\n$/);
});

it('skips placeholders and prints their number, except with --placeholders', async () => {
  const { code, stdout, stderr } = await opac([
    'objects',
    'duplicates',
    'production_date',
    '--mock',
    '-f',
    'tsv',
  ]);
  expect(code).toBe(0);
  expect(stdout).not.toContain('date not known');
  expect(stderr).toContain('skipped 14 records with a placeholder such as "date not known" (--placeholders');
  const line = 'objects duplicates production_date --mock -f tsv --placeholders';
  const all = await opac(line.split(' '));
  expect(all.stdout.match(/date not known/g)?.length).toBe(14);
  expect(all.stderr).not.toContain('skipped');
});

it('compares each value of a field with several values', async () => {
  const file = join(folder, 'several.ndjson');
  const numbers = [['1E5', '0012.7a'], ['1e5'], ['9'], ['0012.7a', '1E5']];
  const lines = numbers.map((values, n) =>
    JSON.stringify({ opacObjectId: String(n), opacObjectFieldSets: [field('accession_no', values)] }),
  );
  await writeFile(file, `${lines.join('\n')}\n`);
  const { stdout } = await opac(['objects', 'duplicates', 'accession_no', '--from', file, '-f', 'csv']);
  expect(stdout).toBe('group,id,accession_no\n1,0,1E5\n1,1,1E5\n1,3,1E5\n2,0,0012.7a\n2,3,0012.7a\n');
});

describe('opac objects duplicates', () => {
  const TITLES = ['Fern', 'fern ', 'Fern', 'Tui'];

  /** Serves records with a title. Returns a function that lists their duplicates, in the service and in a file. */
  async function serveTitles() {
    const temporary = await mkdtemp(join(tmpdir(), 'opac-columns-'));
    onTestFinished(() => rm(temporary, { recursive: true }));
    const file = join(temporary, 'titled.ndjson');
    const lines = TITLES.map((title, n) =>
      JSON.stringify({
        opacObjectId: String(n + 1),
        opacObjectFieldSets: [
          field('name', [title]),
          field('accession_no', [`1939.${n + 1}`]),
          field('classification', ['Art', `Print ${n + 1}`]),
        ],
      }),
    );
    await writeFile(file, `${lines.join('\n')}\n`);
    const served = await startMuseum({ data: [file] });
    onTestFinished(() => served.close());
    return (...words: readonly string[]) =>
      Promise.all(
        [
          ['--base-url', served.url],
          ['--from', file],
        ].map((from) => opac(['objects', 'duplicates', ...words, '-f', 'csv', ...from])),
      );
  }

  it.each([
    [[], 'group,id,accession_no,name', '1,2,1939.2,Fern'],
    [['--columns', 'group,id,accession_no,classification'], undefined, '1,2,1939.2,Art; Print 2'],
    [['--columns', 'Accession number,name,id'], 'accession_no,name,id', '1939.2,Fern,2'],
    [['--columns', 'id'], 'id', '2'],
  ])('prints the columns of %j', async (words, header = words.at(-1), second) => {
    for (const { code, stdout } of await (await serveTitles())('name', ...words)) {
      const [first, ...rows] = stdout.trimEnd().split('\n');
      expect({ code, first, rows: rows.length, second: rows[1] }).toEqual({
        code: 0,
        first: header,
        rows: 3,
        second,
      });
    }
  });

  it('refuses an unknown column before it reads records', async () => {
    for (const { code, stdout, stderr } of await (await serveTitles())(
      'name',
      '--columns',
      'id,clasification',
    )) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('unknown field "clasification" of objects; did you mean "classification"?');
      expect(stderr).not.toContain('reading');
    }
  });

  it('prints given and default columns for the built-in museum', async () => {
    const words = 'objects duplicates title --columns group,id,accession_no,classification --mock -f csv';
    const { code, stdout } = await opac(words.split(' '));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^group,id,accession_no,classification\n1,\d+,[\d.]+,[^,\n]+\n/);
    expect((await opac(['objects', 'duplicates', 'name', '--mock', '-f', 'csv'])).stdout).toMatch(
      /^group,id,accession_no,name\n/,
    );
  });
});

it.each([
  [
    'an empty second value',
    [
      ['A1', ''],
      ['A2', ''],
      ['A3', ''],
    ],
    '',
  ],
  [
    'a blank second value',
    [
      ['A1', ' '],
      ['A2', '  '],
      ['A3', '\t'],
    ],
    '',
  ],
  [
    'an empty first value',
    [
      ['', 'A1'],
      ['', 'A2'],
      ['', 'A1'],
    ],
    '1,1,A1\n1,3,A1\n',
  ],
])('creates no group for %s', async (_, numbers, rows) => {
  const temporary = await mkdtemp(join(tmpdir(), 'opac-blank-'));
  onTestFinished(() => rm(temporary, { recursive: true }));
  const file = join(temporary, 'blank.ndjson');
  const lines = numbers.map((values, n) =>
    JSON.stringify({ opacObjectId: String(n + 1), opacObjectFieldSets: [field('accession_no', values)] }),
  );
  await writeFile(file, `${lines.join('\n')}\n`);
  const served = await startMuseum({ data: [file] });
  onTestFinished(() => served.close());
  for (const from of [
    ['--base-url', served.url],
    ['--from', file],
  ])
    expect(await opac(['objects', 'duplicates', 'accession_no', '-f', 'csv', ...from])).toMatchObject({
      code: 0,
      stdout: `group,id,accession_no\n${rows}`,
    });
});
