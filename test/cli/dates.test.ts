/** Searches by date and sorts by date, although the service supports neither. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { opac } from './run-in-process.js';

const DATES: readonly (readonly [text: string, earliest?: string, latest?: string])[] = [
  ['1935', '1835-01-01Z', '1835-12-31Z'],
  ['c.1838–41'],
  ['published 1845'],
  ['1850'],
  ['early 1850s'],
  ['date not known'],
  ['before 1700'],
  ['date not known', '1848-01-01Z', '1849-12-31Z'],
  [''],
];

const createRecord = ([value, earliest, latest]: (typeof DATES)[number], index: number) => ({
  opacObjectId: String(index + 1),
  opacObjectFieldSets: [
    {
      identifier: 'name',
      opacObjectFields: [{ value: `Fashion of the 1840s, plate ${'abcdefghi'[index]}` }],
    },
    {
      identifier: 'production_date',
      opacObjectFields: [
        {
          value,
          ...(earliest && {
            opacObjectFieldAttributes: [
              { key: 'earliest_date', value: earliest },
              { key: 'latest_date', value: latest },
            ],
          }),
        },
      ],
    },
  ],
});

let folder: string;
let file: string;
let museum: Museum;
let sources: Readonly<Record<string, readonly string[]>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-dates-'));
  file = join(folder, 'objects.ndjson');
  await writeFile(
    file,
    DATES.map((each, index) => `${JSON.stringify(createRecord(each, index))}\n`).join(''),
  );
  museum = await startMuseum({ data: [file], faults: [{ kind: 'sort-ignored' }] });
  sources = { service: ['--base-url', museum.url], file: ['--from', file] };
});
afterAll(async () => {
  await museum.close();
  await rm(folder, { recursive: true });
});

const search = async (source: string, ...words: string[]) => {
  const { code, stdout, stderr } = await opac([...words, ...(sources[source] ?? [])]);
  return { code, ids: stdout.split('\n').filter((line) => line !== ''), stderr };
};
const where = (source: string, term: string) =>
  search(source, 'objects', 'list', '--all', '-f', 'ids', '--where', term);

describe.each(['service', 'file'])('--where with years (%s)', (source) => {
  it.each([
    ['production_date=1840..1850', ['2', '3', '4', '5', '8']],
    ['production_date=..1835', ['1', '7']],
    ['production_date=1850..', ['4', '5']],
    ['production_date=before 1836', ['1', '7']],
    ['production_date=before 1835', ['7']],
    ['production_date=After 1850', ['5']],
    ['production_date=1840s', ['2', '3', '8']],
    ['production_date=1840s..1850', ['2', '3', '4', '5', '8']],
    ['production_date=1836..1840s', ['2', '3', '8']],
    ['production_date=..18th century', ['7']],
    ['production_date=19th century..', ['1', '2', '3', '4', '5', '8']],
    ['production_date=19th century', ['1', '2', '3', '4', '5', '8']],
  ])('finds dates that overlap with the range, and reports unknown dates: %s', async (term, ids) => {
    const found = await where(source, term);
    expect(found).toMatchObject({ code: 0, ids });
    expect(found.stderr).toContain('2 records with an unknown date in "production_date" do not match');
  });

  it('counts and exports the same records', async () => {
    const term = ['--where', 'production_date=1840..1850'];
    expect(await search(source, 'objects', 'count', ...term)).toMatchObject({ code: 0, ids: ['5'] });
    const target = join(folder, `${source}.csv`);
    const exported = await search(source, 'objects', 'export', ...term, '--columns', 'id', '-o', target);
    expect(exported.stderr).toContain('2 records with an unknown date');
    expect((await readFile(target, 'utf8')).trim().split(/\r?\n/)).toEqual(['id', '2', '3', '4', '5', '8']);
  });

  it('searches for a period as text in a field without dates, and refuses a range there', async () => {
    expect((await where(source, 'title=1840s')).ids).toHaveLength(DATES.length);
    expect(await where(source, 'title=1840..1850')).toMatchObject({ code: 2, ids: [] });
    expect(await where(source, 'collections=1..2')).toMatchObject({ code: 2, ids: [] });
  });

  it.each([
    ['production_date=1850', '1850..1850'],
    ['Date made=c. 1845', '1845..1845'],
    ['production_date=published 1845', undefined],
    ['name=1840', undefined],
  ])('suggests a range for text that is a single year in a date field: %s', async (term, range) => {
    const { stderr } = await where(source, term);
    if (range === undefined) expect(stderr).not.toContain('is searched as text');
    else expect(stderr).toMatch(new RegExp(`is searched as text.*use --where production_date=${range}`));
  });

  it.each(['1850..1840', '..', '1840-05..1850', '1840...1850'])('refuses the range %s', async (range) => {
    expect(await where(source, `production_date=${range}`)).toMatchObject({ code: 2, ids: [] });
  });

  it('applies together with --exact', async () => {
    const found = await search(
      ...([
        source,
        'objects',
        'list',
        '-f',
        'ids',
        '--exact',
        '--where',
        'production_date=1840..1850',
      ] as const),
      ...['--where', 'title=Fashion of the 1840s, plate c'],
    );
    expect(found).toMatchObject({ code: 0, ids: ['3'] });
  });
});

describe.each(['service', 'file'])('--sort by a date (%s)', (source) => {
  it.each([
    ['production_date', ['7', '1', '2', '3', '8', '4', '5', '6', '9']],
    ['production_date:desc', ['5', '4', '8', '3', '2', '1', '7', '6', '9']],
  ])('sorts in chronological order, with unknown dates last: %s', async (sort, ids) => {
    const found = await search(source, 'objects', 'list', '--all', '-f', 'ids', '--sort', sort);
    expect(found).toMatchObject({ code: 0, ids });
  });

  it('applies --offset and --limit to the sorted records', async () => {
    const paging = ['--offset', '1', '--limit', '2'];
    const found = await search(
      source,
      'objects',
      'list',
      ...paging,
      '-f',
      'ids',
      '--sort',
      'production_date',
    );
    expect(found.ids).toEqual(['1', '2']);
  });
});

describe('the years of a date', () => {
  it('are available in the columns @from and @to', async () => {
    const columns = ['--columns', 'id,production_date@from,production_date@to'];
    const { ids } = await search('service', 'objects', 'list', '--limit', '7', '-f', 'csv', ...columns);
    expect(ids.map((line) => line.trim())).toEqual([
      'id,production_date@from,production_date@to',
      ...['1,1835,1835', '2,1838,1841', '3,1845,1845', '4,1850,1850', '5,1850,1853', '6,,', '7,,1700'],
    ]);
  });

  it.each([
    // A placeholder is a missing value, but contradicts the years in its attributes.
    ['different', ['1', '8']],
    ['unreadable', []],
  ])('are found by their problem: %s', async (problem, ids) => {
    const where = ['--where', `production_date@problem=${problem}`];
    for (const source of ['service', 'file'])
      expect(await search(source, 'objects', 'list', ...where, '-f', 'ids')).toMatchObject({ code: 0, ids });
  });

  it('are unreadable in some texts, but not in placeholders', async () => {
    const texts = join(folder, 'texts.ndjson');
    const dates = [['c.18799–1802'], ['date not known'], ['?'], ['1975, printed 1992'], ['1840']] as const;
    await writeFile(
      texts,
      dates.map((each, index) => `${JSON.stringify(createRecord(each, index))}\n`).join(''),
    );
    const { stdout } = await opac([
      ...['objects', 'list', '--from', texts, '-f', 'ids', '--where', 'production_date@problem=unreadable'],
    ]);
    expect(stdout).toBe('1\n4\n');
  });

  it('are compared with the date attributes by "objects fields --dates"', async () => {
    const { ids } = await search('file', 'objects', 'fields', '--dates', '--all', '-f', 'json');
    expect(JSON.parse(ids.join(''))).toMatchObject([
      { column: 'production_date', values: 8, read: 6, compared: 2, equal: 0, different: 1, unread: 1 },
    ]);
  });
});

describe('a command that cannot compare dates', () => {
  it('refuses a range, because it would exclude unknown dates without a note', async () => {
    const term = ['--where', 'production_date=1840..1850'];
    expect((await opac(['diff', file, file, ...term])).code).toBe(2);
    const facets = ['facets', 'list', 'objects', ...term, '--base-url', museum.url];
    expect((await opac(facets)).code).toBe(2);
  });

  it('suggests "objects list --all" for an export that is sorted by date', async () => {
    const sort = ['objects', 'export', '--sort', 'production_date', '-f', 'csv'];
    expect((await search('service', ...sort)).stderr).toContain(
      'to sort by date, use opac objects list --all',
    );
  });
});

it('refuses an unknown value of @problem instead of finding no records', async () => {
  const { code, stderr } = await opac([
    'objects',
    'count',
    '--mock',
    '--where',
    'production_date@problem=differnt',
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('cannot be "differnt"; use different or unreadable');
});
