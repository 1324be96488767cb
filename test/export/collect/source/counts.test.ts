/** The requests for a plan, and the results of their responses. */
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

/** Creates a record whose fields have these values. */
const createRecord = (fields: Readonly<Record<string, readonly string[]>>) => ({
  opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
    identifier,
    opacObjectFields: values.map((value) => ({ value })),
  })),
});

const REQUESTS: readonly [string, (search: SearchTarget) => Promise<unknown>, unknown][] = [
  ['a count', (search) => countSlice(search, {}), undefined],
  ['facets', (search) => fetchFacets(search, {}), []],
  ['records', (search) => fetchRecords(search, {}, { offset: 0, limit: 1 }), []],
];

describe.each(REQUESTS)('request for %s', (_, sendRequest, emptyResult) => {
  const sendFailing = (status: number) =>
    withScript(
      () => status,
      ({ search }) => sendRequest(search),
    );
  // A negative status also sends the message of a search engine about its window.
  it.each([400, 422, 500, -502])(
    'returns an empty result if the service refuses it with %i',
    async (status) => {
      expect(await sendFailing(status)).toEqual(emptyResult);
    },
  );

  it('is not sent if the run was aborted', async () => {
    await withScript(
      () => ({}),
      async ({ search, requests }) => {
        const signal = AbortSignal.abort(new Error('stopped'));
        await expect(sendRequest({ ...search, signal })).rejects.toThrow('stopped');
        expect(requests).toEqual([]);
      },
    );
  });

  it.each([401, 502])('throws if it fails with %i', async (status) => {
    await expect(sendFailing(status)).rejects.toMatchObject({ status });
  });
});

describe('slice', () => {
  it('is read with sort order and view, but counts and facets are requested without them', async () => {
    await withScript(
      () => list({ opacObjectId: '5' }, { opacObjectId: '6' }),
      async ({ search, requests }) => {
        expect(await countSlice(search, FILTER)).toBe(7);
        expect(await fetchFacets(search, FILTER)).toEqual([]);
        expect(await fetchRecords(search, FILTER, { offset: 30, limit: 2 })).toEqual([
          { opacObjectId: '5' },
          { opacObjectId: '6' },
        ]);
        expect(requests).toEqual([
          'opacobjects?query=a:1 AND b:2&limit=0&offset=0',
          'opacobjects?query=a:1 AND b:2&facetedResults=true&limit=0',
          'opacobjects?view=detail&query=a:1 AND b:2&sort=t&direction=desc&limit=2&offset=30',
        ]);
      },
      { query: QUERY },
    );
  });

  it('has the values of text facets that have a label and a count above 0', async () => {
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

describe('sampleFields', () => {
  it('reads both ends of the window, and estimates the counts for the slice', async () => {
    const records = [
      createRecord({ maker: ['b', 'b', 'c'], once: ['x'] }),
      createRecord({ maker: ['b', 'a'] }),
      createRecord({ maker: ['b', 'c', 'a'], empty: [' '] }),
      createRecord({ empty: [' '] }),
    ];
    await withScript(
      ({ offset }) => list(...(offset === '0' ? records.slice(0, 3) : records.slice(3))),
      async ({ search, requests }) => {
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
        expect(requests.sort()).toEqual([
          'opacobjects?query=t:1&limit=100&offset=0',
          'opacobjects?query=t:1&limit=100&offset=150',
        ]);
      },
    );
  });

  it('reads no more records than the window, and none twice', async () => {
    await withScript(
      () => list(),
      async ({ search, requests }) => {
        expect(await sampleFields(search, { total: 300 }, 60)).toEqual([]);
        expect(requests).toEqual(['opacobjects?limit=60&offset=0']);
      },
    );
  });
});
