/** What a plan asks of the service, and what it makes of the responses. */
import { describe, expect, it } from 'vitest';
import {
  countSlice,
  fetchFacets,
  fetchRecords,
  type SearchTarget,
  sampleFields,
} from '../../../../src/export/collect/source/slices/search-requests.js';
import { withScript } from './scripted-service.js';

const QUERY = [
  ['query', 'a:1'],
  ['sort', 's'],
  ['direction', 'asc'],
  ['view', 'detail'],
] as const;
const FILTER = { term: 'b:2', sort: 't', direction: 'desc' } as const;
const list = (...opacObjects: object[]) => ({ opacObjects, totalObjects: 7 });

/** A record whose fields have these values. */
const raw = (fields: Readonly<Record<string, readonly string[]>>) => ({
  opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
    identifier,
    opacObjectFields: values.map((value) => ({ value })),
  })),
});

const ASKS: readonly [string, (search: SearchTarget) => Promise<unknown>, unknown][] = [
  ['a count', (search) => countSlice(search, {}), undefined],
  ['facets', (search) => fetchFacets(search, {}), []],
  ['records', (search) => fetchRecords(search, {}, { offset: 0, limit: 1 }), []],
];

describe.each(ASKS)('%s', (_, ask, unknown) => {
  const asking = (status: number) =>
    withScript(
      () => status,
      ({ search }) => ask(search),
    );
  // A negative status: in the words of a search engine that refuses an offset.
  it.each([400, 422, 500, -502])('that the service refuses with %i, says nothing', async (status) => {
    expect(await asking(status)).toEqual(unknown);
  });

  it('is not asked for by a run that was stopped', async () => {
    await withScript(
      () => ({}),
      async ({ search, asked }) => {
        const signal = AbortSignal.abort(new Error('stopped'));
        await expect(ask({ ...search, signal })).rejects.toThrow('stopped');
        expect(asked).toEqual([]);
      },
    );
  });

  it.each([401, 502])('that fails with %i is an error', async (status) => {
    await expect(asking(status)).rejects.toMatchObject({ status });
  });
});

describe('a slice', () => {
  it('is counted, and its facets are read, without an order and a view; its records are read with them', async () => {
    await withScript(
      () => list({ opacObjectId: '5' }, { opacObjectId: '6' }),
      async ({ search, asked }) => {
        expect(await countSlice(search, FILTER)).toBe(7);
        expect(await fetchFacets(search, FILTER)).toEqual([]);
        expect(await fetchRecords(search, FILTER, { offset: 30, limit: 2 })).toEqual([
          { opacObjectId: '5' },
          { opacObjectId: '6' },
        ]);
        expect(asked).toEqual([
          'opacobjects?query=a:1 AND b:2&limit=0&offset=0',
          'opacobjects?query=a:1 AND b:2&facetedResults=true&limit=0',
          'opacobjects?view=detail&query=a:1 AND b:2&sort=t&direction=desc&limit=2&offset=30',
        ]);
      },
      { query: QUERY },
    );
  });

  it('has the values of facets that are text and counted', async () => {
    const facetLabelValues = [
      { label: 'x', value: 2 },
      { label: 'one', value: 1 },
      { label: 'none', value: 0 },
      { label: 'less', value: -1 },
      { label: 'unknown' },
      { label: ' ', value: 3 },
      { value: 4 },
    ];
    const facets = [
      { facetId: 'f', facetType: 'text', facetLabelValues },
      { facetId: 'g' },
      { facetId: 'h', facetType: 'range', facetLabelValues },
    ];
    const found = await withScript(
      () => ({ ...list(), facetsCollection: { facets } }),
      ({ search }) => fetchFacets(search, {}),
    );
    expect(found).toEqual([
      {
        field: 'f',
        values: [
          { value: 'x', count: 2 },
          { value: 'one', count: 1 },
        ],
      },
      { field: 'g', values: [] },
    ]);
  });
});

describe('fields of some records', () => {
  it('come from both ends of what can be had, with the counts to expect in the slice', async () => {
    const records = [
      raw({ maker: ['b', 'b', 'c'], once: ['x'] }),
      raw({ maker: ['b', 'a'] }),
      raw({ maker: ['b', 'c', 'a'], empty: [' '] }),
      raw({ empty: [' '] }),
    ];
    await withScript(
      ({ offset }) => list(...(offset === '0' ? records.slice(0, 3) : records.slice(3))),
      async ({ search, asked }) => {
        expect(await sampleFields(search, { term: 't:1', total: 300 }, 250)).toEqual([
          {
            field: 'maker',
            values: [
              { value: 'b', count: 225 },
              { value: 'c', count: 150 },
              { value: 'a', count: 150 },
            ],
          },
          { field: 'once', values: [] },
          { field: 'empty', values: [] },
        ]);
        expect(asked.sort()).toEqual([
          'opacobjects?query=t:1&limit=100&offset=0',
          'opacobjects?query=t:1&limit=100&offset=150',
        ]);
      },
    );
  });

  it('are those of no more records than the window has, none twice', async () => {
    await withScript(
      () => list(),
      async ({ search, asked }) => {
        expect(await sampleFields(search, { total: 300 }, 60)).toEqual([]);
        expect(asked).toEqual(['opacobjects?limit=60&offset=0']);
      },
    );
  });
});
