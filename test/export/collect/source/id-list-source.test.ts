import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { createSeenIds } from '../../../../src/client/paging/seen-ids.js';
import { createIdListSource, describeIdList } from '../../../../src/export/collect/source/id-list-source.js';
import { exportRecords } from '../../../../src/export/export-records.js';
import { startMuseum } from '../../../../src/mock/index.js';
import { splitIntoBatches } from '../../../../src/service/search/id-batches.js';
import { searchParameters } from '../../../../src/service/search/record-search.js';
import { withFolder } from '../../export-setup.js';
import { type Script, withScript } from './scripted-service.js';

/** Ids of generated records, in no order that the service would give them in. */
const COUNT = 900;
const KNOWN = Array.from({ length: COUNT }, (_, n) => String(1_000_001 + ((n * 431) % COUNT)));

describe('an export of many ids', () => {
  it('keeps the order of the list and names what was not found', async () => {
    const museum = await startMuseum({ records: COUNT });
    const client = createClient({ baseUrl: museum.url });
    try {
      await withFolder(async (path, text) => {
        const ids = KNOWN.flatMap((id, n) => (n % 100 === 7 ? [id, `missing-${n}`] : [id]));
        const batches = splitIntoBatches({ externalIds: ids });
        expect(batches.length).toBeGreaterThan(2);
        const options = {
          formatOptions: { kind: 'objects', format: 'ids' },
          target: path('ids'),
          deployment: museum.url,
          query: [],
          selection: describeIdList(batches),
          command: 'opac objects export --external-id @ids',
          source: createIdListSource({
            client,
            kind: 'objects',
            batches,
            query: (externalIds) => searchParameters({ terms: { externalIds }, view: 'detail' }),
          }),
        } as const;
        const outcome = await exportRecords(options);
        expect((await text('ids')).trimEnd().split('\n')).toEqual(KNOWN);
        expect(outcome).toMatchObject({
          complete: true,
          warnings: [expect.stringContaining('9 entries of the list were not found: missing-7,')],
        });
        expect(outcome.manifest.notFound).toHaveLength(9);
        expect(Math.max(...museum.requests.map(({ path: asked }) => encodeURI(asked).length))).toBeLessThan(
          8000,
        );
        await expect(exportRecords({ ...options, strict: true })).resolves.toMatchObject({ complete: false });
      });
    } finally {
      await client.close();
      await museum.close();
    }
  });

  it.each([100, 30])('keeps the order in tables too, with pages of %i', async (maxPageSize) => {
    const museum = await startMuseum({ records: COUNT, maxPageSize });
    const client = createClient({ baseUrl: museum.url });
    try {
      await withFolder(async (path, text) => {
        for (const columns of ['id', undefined]) {
          const batches = splitIntoBatches({ externalIds: KNOWN });
          await exportRecords({
            formatOptions: { kind: 'objects', format: 'csv', columns },
            target: path('out.csv'),
            deployment: museum.url,
            query: [],
            command: 'opac objects export --external-id @ids -o out.csv',
            source: createIdListSource({
              client,
              kind: 'objects',
              batches,
              query: (externalIds) => searchParameters({ terms: { externalIds } }),
            }),
          });
          const [, ...rows] = (await text('out.csv')).trimEnd().split('\n');
          expect(rows.map((row) => row.replace(/,.*/, ''))).toEqual(KNOWN);
        }
      });
    } finally {
      await client.close();
      await museum.close();
    }
  });

  it('of which nothing comes ends with what kept it from coming', async () => {
    const museum = await startMuseum({ records: COUNT, faults: [{ kind: 'status', status: 500 }] });
    const client = createClient({ baseUrl: museum.url, retries: 0 });
    try {
      await withFolder(async (path) => {
        const run = exportRecords({
          formatOptions: { kind: 'objects', format: 'ids' },
          target: path('ids'),
          deployment: museum.url,
          query: [],
          command: 'opac objects export --external-id @ids',
          source: createIdListSource({
            client,
            kind: 'objects',
            batches: [KNOWN.slice(0, 10)],
            query: (externalIds) => searchParameters({ terms: { externalIds } }),
          }),
        });
        await expect(run).rejects.toMatchObject({ kind: 'deployment' });
      });
    } finally {
      await client.close();
      await museum.close();
    }
  });

  it('leaves a gap for a batch that cannot be had', async () => {
    const museum = await startMuseum({
      records: COUNT,
      faults: [{ kind: 'status', status: 500, first: 1 }],
    });
    const client = createClient({ baseUrl: museum.url, retries: 0 });
    try {
      const batches = [KNOWN.slice(0, 10), KNOWN.slice(10, 20)];
      const source = createIdListSource({
        client,
        kind: 'objects',
        batches,
        concurrency: 1,
        query: (externalIds) => searchParameters({ terms: { externalIds } }),
      });
      const pages = source.pages({
        offset: undefined,
        delivered: 0,
        seen: createSeenIds(),
        signal: undefined,
      });
      const offsets: number[] = [];
      for await (const { offset } of pages) offsets.push(offset);
      expect(offsets).toEqual([10]);
      expect(pages.report.gaps).toMatchObject([{ offset: 0, limit: 10 }]);
    } finally {
      await client.close();
      await museum.close();
    }
  });
});

/** Nothing follows the first page. */
const pagesOf =
  (script: Script): Script =>
  (parameters, path) => {
    const answer = script(parameters, path);
    return typeof answer === 'number' || parameters.offset === '0' ? answer : { ...answer, opacObjects: [] };
  };

interface ListOptions {
  readonly offset?: number;
  readonly field?: string;
  readonly signal?: AbortSignal;
  /** Whether the script answers for every page. */
  readonly isPaged?: boolean;
}

/** Pages, report and requests of batches of ids, which `script` answers. */
const listed = (
  script: Script,
  batches: readonly string[][],
  { offset = 0, field, signal, isPaged }: ListOptions = {},
) =>
  withScript(isPaged ? script : pagesOf(script), async ({ search: { client }, asked }) => {
    const source = createIdListSource({
      client,
      kind: 'objects',
      batches,
      field,
      concurrency: 1,
      query: (ids) => [['query', ids.join(' ')]],
    });
    const pages = source.pages({
      offset,
      delivered: 0,
      seen: createSeenIds(),
      signal,
    });
    const found: string[] = [];
    const retries: number[] = [];
    for await (const page of pages) {
      expect(page.elapsed).toBeGreaterThanOrEqual(0);
      retries.push(page.retries);
      found.push(
        `${page.offset} ${page.records.map(({ id = '-' }) => id).join('')} ${page.next}/${page.total}`,
      );
    }
    const { report } = pages;
    const { stopReason, received, distinct, duplicates, withoutId, pageSize } = report;
    return {
      found,
      notFound: pages.notFound?.(),
      stopReason,
      counts: [received, distinct, duplicates, withoutId],
      pageSize,
      gaps: report.gaps.map((gap) => `${gap.offset}+${gap.limit}`),
      notices: report.notices.map(({ message }) => message),
      kinds: report.notices.map(({ kind }) => kind),
      retries,
      asked: asked.filter((each) => each.endsWith('offset=0')).length,
    };
  });

/** A response with these records, in this order; `-` is one without an id. */
const response = (ids: string) => ({
  opacObjects: [...ids].map((id) => (id === '-' ? { title: 'x' } : { opacObjectId: id })),
  totalObjects: ids.length,
});
const echoed: Script = ({ query = '' }) => response([...query].reverse().join('').replaceAll(' ', ''));

describe('batches of ids', () => {
  const BATCHES = [['a', 'b', 'c'], ['d', 'a'], ['e']];
  it('are pages in the order of the list, a record that comes twice once', async () => {
    expect(await listed(echoed, BATCHES)).toEqual({
      found: ['0 abc 3/6', '3 d 5/6', '5 e 6/6'],
      notFound: [],
      stopReason: 'complete',
      counts: [6, 5, 1, 0],
      pageSize: 3,
      gaps: [],
      notices: [],
      kinds: [],
      retries: [0, 0, 0],
      asked: 3,
    });
    expect(await listed(echoed, [])).toMatchObject({
      found: [],
      stopReason: 'complete',
      pageSize: 1,
      asked: 0,
    });
  });

  it.each([
    [3, ['3 da 5/6', '5 e 6/6']],
    // A batch that had begun is not requested again.
    [4, ['5 e 6/6']],
    [6, []],
  ])('go on from %i', async (offset, found) => {
    expect(await listed(echoed, BATCHES, { offset })).toMatchObject({
      found,
      stopReason: 'complete',
      asked: found.length,
    });
  });

  it.each<[string, string, string[], string[]]>([
    ['ids without a record', 'ca', ['b', 'd'], []],
    ['no more than there are strangers', 'a--', ['d'], []],
    [
      'how many, where strangers hide which',
      '-',
      ['d'],
      ['not found: 2 of the entries 1 to 3 of the list; opac cannot tell which entries'],
    ],
  ])('name %s', async (_, first, notFound, notices) => {
    const script: Script = ({ query = '' }) => response(query.startsWith('a') ? first : '');
    expect(await listed(script, [['a', 'b', 'c'], ['d']])).toMatchObject({ notFound, notices });
  });

  it('say by which notice, and where, in the words of a list', async () => {
    const script: Script = ({ query = '' }) => response(query === 'c d' ? '-' : query.replaceAll(' ', ''));
    const { notices, kinds } = await listed(script, [['a', 'b'], ['c', 'd'], ['e']]);
    expect(kinds).toEqual(['ids-unmatched']);
    expect(notices[0]).toContain('not found: 1 of the entries 3 to 4 of the list');
  });

  it('of a field are the records whose whole value is in the list, in its order', async () => {
    const named = (id: string, name: string) => ({
      opacObjectId: id,
      opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value: name }] }],
    });
    const script: Script = () => ({
      opacObjects: [named('1', 'a vase'), named('2', 'Vase'), named('3', 'cup'), { opacObjectId: '4' }],
      totalObjects: 4,
    });
    expect(await listed(script, [['cup', 'vase']], { field: 'name' })).toMatchObject({
      found: ['0 324 2/2'],
      counts: [3, 3, 0, 0],
      notFound: [],
    });
    // Without the field, its values are in none of the records that show it.
    expect((await listed(script, [['vase', 'bowl']], { field: 'name' })).notFound).toEqual([]);
    expect((await listed(script, [['3', 'none']])).found).toEqual(['0 3124 2/2']);
  });

  it('of several pages are whole, with what they cost', async () => {
    let empty = 1;
    const script: Script = ({ offset = '' }) => ({
      ...response(offset === '1' && empty-- > 0 ? '' : ({ 0: 'b', 1: 'a', 2: 'c' }[offset] ?? '')),
      totalObjects: 3,
    });
    const { found, retries } = await listed(script, [['a', 'b', 'c']], { isPaged: true });
    expect([found, retries]).toEqual([['0 abc 3/3'], [1]]);
  });

  it('end at once when the run is stopped, and are not said to be whole', async () => {
    const stopped = new AbortController();
    const script: Script = ({ query }) => {
      if (query === 'b') stopped.abort(new Error('stopped'));
      return query === 'b' ? 504 : response('a');
    };
    const run = listed(script, [['a'], ['b'], ['c']], { signal: stopped.signal });
    await expect(run).rejects.toThrow('stopped');
  });

  it('count records without an id, and keep them behind the others', async () => {
    expect(await listed(() => response('-b'), [['a', 'b']])).toMatchObject({
      found: ['0 b- 2/2'],
      counts: [2, 1, 0, 1],
    });
  });

  it.each<[string, string, string[] | number, string[]]>([
    ['leave gaps, also two in a row', 'bc', ['0 a 1/5', '3 d 4/5', '4 e 5/5'], ['1+1', '2+1']],
    ['begin to count again after one that came', 'bce', ['0 a 1/5', '3 d 4/5'], ['1+1', '2+1', '4+1']],
    ['are given up after three in a row', 'bcd', 504, []],
  ])('that fail %s', async (_, failing, found, gaps) => {
    const run = listed(
      ({ query = '' }) => (failing.includes(query) ? 504 : response(query)),
      [['a'], ['b'], ['c'], ['d'], ['e']],
    );
    if (typeof found === 'number') await expect(run).rejects.toMatchObject({ status: found });
    else expect(await run).toMatchObject({ found, gaps, stopReason: 'complete' });
  });

  it('end with an error of the request itself, and with the first where nothing came', async () => {
    const rejected = listed(({ query }) => (query === 'b' ? 400 : response('a')), [['a'], ['b']]);
    await expect(rejected).rejects.toMatchObject({ status: 400 });
    const failed = listed(({ query }) => (query === 'a' ? 502 : 504), [['a'], ['b']]);
    await expect(failed).rejects.toMatchObject({ status: 502 });
  });
});

it('the list is told apart by its field and its ids, however they are batched', () => {
  const spec = describeIdList([['a', 'b'], ['c']]);
  expect(spec).toEqual({ ids: 3, idsSha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(describeIdList([['a'], ['b', 'c']])).toEqual(spec);
  expect(describeIdList([['a', 'b,c']])).not.toEqual({ ...spec, ids: 2 });
  expect(describeIdList([['a', 'b', 'c']], 'name')).toEqual({ idsField: 'name', ...spec });
});
