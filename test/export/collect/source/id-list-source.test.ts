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

/** Ids of generated records, in another order than that of the service. */
const COUNT = 900;
const KNOWN = Array.from({ length: COUNT }, (_, n) => String(1_000_001 + ((n * 431) % COUNT)));

describe('export of many ids', () => {
  it('keeps the order of the list, and reports ids that were not found', async () => {
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
        expect(Math.max(...museum.requests.map(({ path }) => encodeURI(path).length))).toBeLessThan(8000);
        await expect(exportRecords({ ...options, strict: true })).resolves.toMatchObject({ complete: false });
      });
    } finally {
      await client.close();
      await museum.close();
    }
  });

  it.each([100, 30])('keeps the order in tables with pages of up to %i records', async (maxPageSize) => {
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

  it('throws the error of the service if it receives no records', async () => {
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

  it('reports a gap for a batch that fails', async () => {
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

/** Responds like `script` to the first page, and with empty pages after it. */
const endAfterFirstPage =
  (script: Script): Script =>
  (parameters, path) => {
    const result = script(parameters, path);
    return typeof result === 'number' || parameters.offset === '0' ? result : { ...result, opacObjects: [] };
  };

interface ListOptions {
  readonly offset?: number;
  readonly field?: string;
  readonly signal?: AbortSignal;
  /** True if the script responds to every page. */
  readonly isPaged?: boolean;
}

/** Reads batches of ids from a scripted service. Returns pages, report and requests. */
const readBatches = (
  script: Script,
  batches: readonly string[][],
  { offset = 0, field, signal, isPaged }: ListOptions = {},
) =>
  withScript(isPaged ? script : endAfterFirstPage(script), async ({ search: { client }, requests }) => {
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
      requests: requests.filter((each) => each.endsWith('offset=0')).length,
    };
  });

/** Returns a response with these records in this order. Each `-` is a record without an id. */
const response = (ids: string) => ({
  opacObjects: [...ids].map((id) => (id === '-' ? { title: 'x' } : { opacObjectId: id })),
  totalObjects: ids.length,
});
const echoReversed: Script = ({ query = '' }) => response([...query].reverse().join('').replaceAll(' ', ''));

describe('createIdListSource', () => {
  const BATCHES = [['a', 'b', 'c'], ['d', 'a'], ['e']];
  it('returns pages in the order of the list, and repeated records once', async () => {
    expect(await readBatches(echoReversed, BATCHES)).toEqual({
      found: ['0 abc 3/6', '3 d 5/6', '5 e 6/6'],
      notFound: [],
      stopReason: 'complete',
      counts: [6, 5, 1, 0],
      pageSize: 3,
      gaps: [],
      notices: [],
      kinds: [],
      retries: [0, 0, 0],
      requests: 3,
    });
    expect(await readBatches(echoReversed, [])).toMatchObject({
      found: [],
      stopReason: 'complete',
      pageSize: 1,
      requests: 0,
    });
  });

  it.each([
    [3, ['3 da 5/6', '5 e 6/6']],
    // A batch that was already read in part is not requested again.
    [4, ['5 e 6/6']],
    [6, []],
  ])('continues from offset %i', async (offset, found) => {
    expect(await readBatches(echoReversed, BATCHES, { offset })).toMatchObject({
      found,
      stopReason: 'complete',
      requests: found.length,
    });
  });

  it.each<[string, string, string[], string[]]>([
    ['ids without a record', 'ca', ['b', 'd'], []],
    ['no ids that records without an id could have', 'a--', ['d'], []],
    [
      'only a number if a record without an id could have one of the ids',
      '-',
      ['d'],
      ['not found: 2 of the entries 1 to 3 of the list; opac cannot tell which entries'],
    ],
  ])('reports %s', async (_, first, notFound, notices) => {
    const script: Script = ({ query = '' }) => response(query.startsWith('a') ? first : '');
    expect(await readBatches(script, [['a', 'b', 'c'], ['d']])).toMatchObject({ notFound, notices });
  });

  it('returns a notice with the range of entries that were not found', async () => {
    const script: Script = ({ query = '' }) => response(query === 'c d' ? '-' : query.replaceAll(' ', ''));
    const { notices, kinds } = await readBatches(script, [['a', 'b'], ['c', 'd'], ['e']]);
    expect(kinds).toEqual(['ids-unmatched']);
    expect(notices[0]).toContain('not found: 1 of the entries 3 to 4 of the list');
  });

  it('returns records whose complete field value is in the list, in the order of the list', async () => {
    const createNamedRecord = (id: string, name: string) => ({
      opacObjectId: id,
      opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value: name }] }],
    });
    const script: Script = () => ({
      opacObjects: [
        createNamedRecord('1', 'a vase'),
        createNamedRecord('2', 'Vase'),
        createNamedRecord('3', 'cup'),
        { opacObjectId: '4' },
      ],
      totalObjects: 4,
    });
    expect(await readBatches(script, [['cup', 'vase']], { field: 'name' })).toMatchObject({
      found: ['0 324 2/2'],
      counts: [3, 3, 0, 0],
      notFound: [],
    });
    // The record without the field could have the value "bowl", so "bowl" is not reported.
    expect((await readBatches(script, [['vase', 'bowl']], { field: 'name' })).notFound).toEqual([]);
    expect((await readBatches(script, [['3', 'none']])).found).toEqual(['0 3124 2/2']);
  });

  it('joins the pages of a batch, and adds their retries', async () => {
    let empty = 1;
    const script: Script = ({ offset = '' }) => ({
      ...response(offset === '1' && empty-- > 0 ? '' : ({ 0: 'b', 1: 'a', 2: 'c' }[offset] ?? '')),
      totalObjects: 3,
    });
    const { found, retries } = await readBatches(script, [['a', 'b', 'c']], { isPaged: true });
    expect([found, retries]).toEqual([['0 abc 3/3'], [1]]);
  });

  it('throws if the run is aborted', async () => {
    const controller = new AbortController();
    const script: Script = ({ query }) => {
      if (query === 'b') controller.abort(new Error('stopped'));
      return query === 'b' ? 504 : response('a');
    };
    const run = readBatches(script, [['a'], ['b'], ['c']], { signal: controller.signal });
    await expect(run).rejects.toThrow('stopped');
  });

  it('counts records without an id, and puts them at the end', async () => {
    expect(await readBatches(() => response('-b'), [['a', 'b']])).toMatchObject({
      found: ['0 b- 2/2'],
      counts: [2, 1, 0, 1],
    });
  });

  it.each<[string, string, string[] | number, string[]]>([
    [
      'reports gaps, even for two failed batches in a row',
      'bc',
      ['0 a 1/5', '3 d 4/5', '4 e 5/5'],
      ['1+1', '2+1'],
    ],
    [
      'counts failures again from 0 after a successful batch',
      'bce',
      ['0 a 1/5', '3 d 4/5'],
      ['1+1', '2+1', '4+1'],
    ],
    ['throws after three failed batches in a row', 'bcd', 504, []],
  ])('%s', async (_, failing, found, gaps) => {
    const run = readBatches(
      ({ query = '' }) => (failing.includes(query) ? 504 : response(query)),
      [['a'], ['b'], ['c'], ['d'], ['e']],
    );
    if (typeof found === 'number') await expect(run).rejects.toMatchObject({ status: found });
    else expect(await run).toMatchObject({ found, gaps, stopReason: 'complete' });
  });

  it('throws for status 400, and throws the first error if it receives no records', async () => {
    const rejected = readBatches(({ query }) => (query === 'b' ? 400 : response('a')), [['a'], ['b']]);
    await expect(rejected).rejects.toMatchObject({ status: 400 });
    const failed = readBatches(({ query }) => (query === 'a' ? 502 : 504), [['a'], ['b']]);
    await expect(failed).rejects.toMatchObject({ status: 502 });
  });
});

it('describes a list by its field and its ids, independent of the batches', () => {
  const spec = describeIdList([['a', 'b'], ['c']]);
  expect(spec).toEqual({ ids: 3, idsSha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(describeIdList([['a'], ['b', 'c']])).toEqual(spec);
  expect(describeIdList([['a', 'b,c']])).not.toEqual({ ...spec, ids: 2 });
  expect(describeIdList([['a', 'b', 'c']], 'name')).toEqual({ idsField: 'name', ...spec });
});
