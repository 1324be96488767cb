/** What a plan asks of the service, and what it makes of the responses. */
import { describe, expect, it } from 'vitest';
import {
  type CountedSearch,
  collectionIds,
  countSlice,
  facetsOfSlice,
  recordsOfSlice,
} from '../../../../src/export/collect/source/slices/counts.js';
import { namedSets, sampledFields } from '../../../../src/export/collect/source/slices/sampled-fields.js';
import { withScript } from './scripted-service.js';

const QUERY = [
  ['query', 'a:1'],
  ['sort', 's'],
  ['direction', 'asc'],
  ['view', 'detail'],
] as const;
const NARROWING = { term: 'b:2', sort: 't', direction: 'desc' } as const;
const list = (...opacObjects: object[]) => ({ opacObjects, totalObjects: 7 });

/** A record whose fields have these values. */
const raw = (fields: Readonly<Record<string, readonly string[]>>) => ({
  opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
    identifier,
    opacObjectFields: values.map((value) => ({ value })),
  })),
});

const ASKS: readonly [string, (search: CountedSearch) => Promise<unknown>, unknown][] = [
  ['a count', (search) => countSlice(search, {}), undefined],
  ['facets', (search) => facetsOfSlice(search, {}), []],
  ['records', (search) => recordsOfSlice(search, {}, { offset: 0, limit: 1 }), []],
  ['collections', (search) => collectionIds(search), []],
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

it('a deployment without collections lists none', async () => {
  expect(
    await withScript(
      () => 404,
      ({ search }) => collectionIds(search),
    ),
  ).toEqual([]);
});

describe('a slice', () => {
  it('is counted, and its facets are read, without an order and a view; its records are read with them', async () => {
    await withScript(
      () => list({ opacObjectId: '5' }, { opacObjectId: '6' }),
      async ({ search, asked }) => {
        expect(await countSlice(search, NARROWING)).toBe(7);
        expect(await facetsOfSlice(search, NARROWING)).toEqual([]);
        expect(await recordsOfSlice(search, NARROWING, { offset: 30, limit: 2 })).toEqual([
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
    const facets = [{ facetId: 'f', facetType: 'date', facetLabelValues }, { facetId: 'g' }];
    const found = await withScript(
      () => ({ ...list(), facetsCollection: { facets } }),
      ({ search }) => facetsOfSlice(search, {}),
    );
    expect(found).toEqual([
      {
        field: 'f',
        type: 'date',
        values: [
          { value: 'x', count: 2 },
          { value: 'one', count: 1 },
        ],
      },
      { field: 'g', type: '', values: [] },
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
        expect(await sampledFields(search, { term: 't:1', total: 300 }, 250)).toEqual([
          {
            field: 'maker',
            type: 'text',
            values: [
              { value: 'b', count: 225 },
              { value: 'a', count: 150 },
              { value: 'c', count: 150 },
            ],
          },
          { field: 'once', type: 'text', values: [] },
          { field: 'empty', type: 'text', values: [] },
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
        expect(await sampledFields(search, { total: 300 }, 60)).toEqual([]);
        expect(asked).toEqual(['opacobjects?limit=60&offset=0']);
      },
    );
  });
});

describe('known names', () => {
  const opacCollections = [
    { opacCollectionId: '1' },
    {},
    { opacCollectionId: '2' },
    { opacCollectionId: '3' },
  ];
  const TOTALS: Readonly<Record<string, number>> = {
    't:1 AND collections:"1"': 5,
    't:1 AND recordType:"person"': 1,
    't:1 AND collections:"3"': 8,
  };
  const script = ({ query = '' }, path: string) =>
    path.endsWith('collections')
      ? { opacCollections, totalCollections: 4 }
      : query.includes('"2"')
        ? 400
        : { records: [], totalObjects: TOTALS[query] ?? 0, totalRecords: TOTALS[query] ?? 0 };
  const collections = {
    field: 'collections',
    type: 'text',
    values: [
      { value: '1', count: 5 },
      { value: '3', count: 8 },
    ],
  };

  it('are the collections that have some of the records', async () => {
    await withScript(script, async ({ search, asked }) => {
      expect(await namedSets(search, { term: 't:1', total: 9 })).toEqual([collections]);
      expect(asked).toHaveLength(4);
    });
  });

  it('are also the types, in a search of every kind', async () => {
    const sets = await withScript(script, ({ search }) => namedSets(search, { term: 't:1', total: 9 }), {
      kind: 'records',
    });
    expect(sets).toEqual([
      collections,
      { field: 'recordType', type: 'text', values: [{ value: 'person', count: 1 }] },
    ]);
  });
});
