/** `--where` with names that the service cannot search: opac reads and compares columns, and refuses unknown names. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { type MuseumRecord, readMuseumRecords } from '../e2e/museum-records.js';
import { collectOutcomes, splitLines } from '../e2e/run-against-museum.js';
import { opac } from './run-in-process.js';

let folder: string;
let records: readonly MuseumRecord[];
let file: string;
let museum: Museum;
beforeAll(async () => {
  museum = await startMuseum();
  folder = await mkdtemp(join(tmpdir(), 'opac-columns-'));
  records = await readMuseumRecords();
  file = join(folder, 'objects.ndjson');
  await writeFile(
    file,
    records
      .filter(({ kind }) => kind === 'objects')
      .map(({ record }) => `${JSON.stringify(record)}\n`)
      .join(''),
  );
});
afterAll(async () => {
  await museum.close();
  await rm(folder, { recursive: true });
});

const atMuseum = (words: readonly string[]) => opac([...words, '--base-url', museum.url]);

// biome-ignore lint/suspicious/noExplicitAny: the service's own JSON, read without the program's types.
type Wire = any;

const imagesOf = ({ record }: MuseumRecord): Wire[] => (record as Wire).imagesCollection?.images ?? [];
const labelsOf = (one: MuseumRecord): string[] =>
  imagesOf(one).flatMap(({ imageLabels = [] }) => imageLabels.map(({ imageLabel }: Wire) => imageLabel));
const attributesOf = ({ record }: MuseumRecord, field: string, name: string): string[] =>
  ((record as Wire).opacObjectFieldSets ?? [])
    .filter(({ identifier }: Wire) => identifier === field)
    .flatMap(({ opacObjectFields = [] }: Wire) => opacObjectFields)
    .flatMap(({ opacObjectFieldAttributes = [] }: Wire) => opacObjectFieldAttributes)
    .filter(({ key }: Wire) => key === name)
    .map(({ value }: Wire) => value);
const relatedOf = ({ record }: MuseumRecord, id: string): Wire[] =>
  ((record as Wire).relationshipsCollection?.relationships ?? [])
    .filter(({ relationshipId }: Wire) => relationshipId === id)
    .flatMap(({ relatedRecords = [] }: Wire) => relatedRecords);

const MAKER = 'object_prod_pri_person';

/** The term, and the objects that it finds. */
const TERMS: readonly (readonly [where: string, finds: (one: MuseumRecord) => boolean])[] = [
  ['image.url=', (one) => imagesOf(one).every(({ imageDerivatives = [] }) => imageDerivatives.length === 0)],
  ['image.count=0', (one) => imagesOf(one).length === 0],
  ['image.count=2', (one) => imagesOf(one).length === 2],
  ['label=', (one) => labelsOf(one).length === 0],
  ['slug=', ({ record }) => !(record as Wire).slug],
  ['id=', () => false],
  ['recordType=object', () => true],
  ['recordType=person', () => false],
  [`relationship.${MAKER}=`, (one) => relatedOf(one, MAKER).length === 0],
  [
    `relationship.${MAKER}=Rita Angus`,
    (one) => relatedOf(one, MAKER).some(({ title }) => title === 'Rita Angus'),
  ],
  [
    'production_date@earliest_date=',
    (one) => attributesOf(one, 'production_date', 'earliest_date').length === 0,
  ],
];

describe('--where with a column that is not a field', () => {
  it.each(TERMS)('compares the values of the records in each command: %s', async (where, finds) => {
    const ids = records.filter((one) => one.kind === 'objects' && finds(one)).map(({ id }) => id);
    const target = join(folder, `${where.replaceAll(/\W/g, '-')}.txt`);
    const rows = [
      ['list', ['objects', 'list', '--all', '-f', 'ids']],
      ['first', ['objects', 'list', '--offset', '3', '--limit', '4', '-f', 'ids']],
      ['export', ['objects', 'export', '-f', 'ids', '-o', target]],
      ['count', ['objects', 'count']],
      ['exact', ['objects', 'count', '--exact']],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([name, words]) => {
      const { code, stdout, stderr } = await atMuseum([...words, '--where', where]);
      const notices = stderr
        .split('\n')
        .filter((line) => line.includes('opac reads all matching records')).length;
      return [
        code,
        name === 'export' ? splitLines(await readFile(target, 'utf8')) : splitLines(stdout),
        notices,
      ];
    });
    const files = await opac(['objects', 'list', '--all', '-f', 'ids', '--from', file, '--where', where]);
    expect({ ...outcome, from: [files.code, splitLines(files.stdout)] }).toEqual({
      list: [0, ids, 1],
      first: [0, ids.slice(3, 7), 1],
      export: [0, ids, 1],
      count: [0, [String(ids.length)], 1],
      exact: [0, [String(ids.length)], 1],
      from: [0, ids],
    });
  });

  it('filters the results of other terms and of lists of ids', async () => {
    const painted = records.filter(
      (one) => one.kind === 'objects' && one.values('classification').includes('Art/Paintings'),
    );
    const without = painted.filter((one) => labelsOf(one).length === 0).map(({ id }) => id);
    const all = painted.map(({ id }) => id);
    const words = ['objects', 'list', '--all', '-f', 'ids', '--where', 'label='];
    const byField = await atMuseum([...words, '--where', 'classification=Art/Paintings']);
    const byId = await atMuseum([...words, '--external-id', all.join(',')]);
    expect([without.length > 0, without.length < all.length]).toEqual([true, true]);
    expect([splitLines(byField.stdout), splitLines(byId.stdout)]).toEqual([without, without]);
  });

  it('is stored in the manifest of an export, separately from the columns of the table', async () => {
    const target = join(folder, 'told.csv');
    const { code } = await atMuseum([
      ...['objects', 'export', '-o', target, '--columns', 'id', '--where', 'label='],
    ]);
    const { job } = JSON.parse(await readFile(`${target}.manifest.json`, 'utf8'));
    expect([code, job.columns, job.compared]).toEqual([0, 'id', ['label=']]);
  });

  it('finds the images of matching records', async () => {
    const { code, stdout } = await atMuseum([
      ...['images', 'list', '--all', '-f', 'csv', '--columns', 'recordId', '--where', 'label='],
    ]);
    const expected = records
      .filter((one) => one.kind === 'objects' && labelsOf(one).length === 0)
      .flatMap((one) => imagesOf(one).map(() => one.id));
    expect([code, splitLines(stdout).slice(1)]).toEqual([0, expected]);
  });

  it.each([
    [['objects', 'list', '--view', 'label', '--where', 'image.url='], '--view'],
    [['facets', 'list', 'objects', '--where', 'image.url='], 'facets'],
    [['objects', 'export', '--part', '1/2', '-o', 'part.csv', '--where', 'image.url='], '--part'],
    [['objects', 'export', '--limit', '5', '--where', 'image.url='], '--limit'],
    [['objects', 'fields', '--where', 'image.url='], '--all'],
    [['objects', 'list', '--where', 'slug=@slugs.txt'], 'list'],
    [['objects', 'list', '--where', 'highlight='], 'highlight'],
  ])('exits with 2 if opac cannot compare the records: %j', async (words, expected) => {
    await writeFile(join(folder, 'slugs.txt'), 'a\nb\n');
    const { code, stdout, stderr } = await atMuseum(
      words.map((word) => (/^part\.csv$/.test(word) ? join(folder, word) : word.replace('@', `@${folder}/`))),
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(expected);
  });
});

describe('--where with an unknown name', () => {
  const UNKNOWN = ['nosuch=', 'nosuch=x', 'nosuch@key=', 'production_date@nosuch=', 'relationship.nosuch='];
  const COMMANDS = [
    'objects list',
    'objects count',
    'objects export',
    'objects fields',
    'images list',
    'facets list objects',
  ];
  it.each(COMMANDS)('exits with 2: %s', async (line) => {
    const outcome = await collectOutcomes(
      UNKNOWN.map((where) => [where] as const),
      async ([where]) => {
        const online = await atMuseum([...line.split(' '), '--where', where]);
        const files = await opac([...line.split(' '), '--from', file, '--where', where]);
        return [online, files].map(({ code, stdout }) => [code, stdout]);
      },
    );
    expect(outcome).toEqual(
      Object.fromEntries(
        UNKNOWN.map((where) => [
          where,
          [
            [2, ''],
            [2, ''],
          ],
        ]),
      ),
    );
  });

  it.each([
    ['imgae.url=', 'did you mean "image.url"?'],
    ['production_date@earlist_date=', 'did you mean "production_date@earliest_date"?'],
    ['relationship.nosuch=', 'no objects have a value in "relationship.nosuch"'],
    ['meduim_desc=', 'did you mean "medium_desc"?'],
  ])('prints a hint: %s', async (where, hint) => {
    const { stderr } = await atMuseum(['objects', 'count', '--where', where]);
    expect(stderr).toContain(hint);
  });

  it('exits with 2: get --by', async () => {
    const { code, stdout } = await atMuseum(['objects', 'get', '--by', 'nosuch', 'x']);
    expect([code, stdout]).toEqual([2, '']);
  });
});

type Fields = Readonly<Record<string, string>>;

/** Starts a service that ignores all terms except `rare:"…"`. It may have no views, or records with only an id. */
async function startLenientService(fields: (n: number) => Fields | undefined, views?: readonly string[]) {
  const all = Array.from({ length: 250 }, (_, n) => {
    const values = fields(n);
    const sets = Object.entries(values ?? {}).map(([identifier, value]) => ({
      identifier,
      opacObjectFields: [{ value }],
    }));
    return { id: n + 1, rare: values?.rare, ...(values && { opacObjectFieldSets: sets }) };
  });
  const respond = ({ pathname, searchParams }: URL): object => {
    if (pathname.endsWith('/views'))
      return { views: [{ viewName: 'detail', fields: (views ?? []).map((identifier) => ({ identifier })) }] };
    const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)));
    const wanted = /^rare:"(\w+)"$/.exec(searchParams.get('query') ?? '')?.[1];
    const found = all.filter(({ rare }) => wanted === undefined || rare === wanted);
    const shown = found.slice(offset, offset + Math.min(limit, 100));
    const opacObjects = shown.map(({ id, rare: _, ...record }) => ({ opacObjectId: id, ...record }));
    return { opacObjects, totalObjects: found.length };
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://service');
    response.statusCode = views === undefined && url.pathname.endsWith('/views') ? 404 : 200;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(respond(url)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('objects count from a service without views', () => {
  const fields = (n: number): Fields => ({
    name: `n${n}`,
    ...(n === 220 && { rare: 'yes' }),
    ...(n < 10 && { few: 'x' }),
  });
  it.each<[string, number, string]>([
    ['nosuch=', 2, ''],
    ['nosuch=x', 2, ''],
    // The service ignores the term, so opac compares the records.
    ['few=', 0, '240\n'],
    ['rare=', 0, '249\n'],
    ['rare=yes', 0, '1\n'],
    ['rare=no', 2, ''],
    ['image.url=', 0, '250\n'],
    ['image.count=0', 0, '250\n'],
  ])('counts matching records: --where %s (exit code %i, output %j)', async (where, code, stdout) => {
    const result = await opac([
      'objects',
      'count',
      '--base-url',
      await startLenientService(fields),
      '--where',
      where,
    ]);
    expect({ code: result.code, stdout: result.stdout }, result.stderr).toEqual({ code, stdout });
  });

  it('exits with 5 if the records contain only ids', async () => {
    const url = await startLenientService(() => undefined);
    const { code, stdout } = await opac(['objects', 'count', '--base-url', url, '--where', 'image.url=']);
    expect([code, stdout]).toEqual([5, '']);
  });
});

it('finds a field that records contain but no view lists', async () => {
  const url = await startLenientService(
    (n) => ({ name: `n${n}`, ...(n % 2 === 0 && { hidden: 'x' }) }),
    ['name'],
  );
  const { code, stdout } = await opac(['objects', 'count', '--base-url', url, '--where', 'hidden=']);
  expect([code, stdout]).toEqual([0, '125\n']);
});
