import { describe, expect, it } from 'vitest';
import { splitByIds, splitIntoBatches } from '../../../src/service/search/id-batches.js';
import { buildQuery, formatAlternatives } from '../../../src/service/search/query.js';
import {
  pagingParameters,
  type RecordSearch,
  searchParameters,
} from '../../../src/service/search/record-search.js';

describe('creation of parameters', () => {
  it.each<[RecordSearch, string[]]>([
    [{ terms: {} }, []],
    [{ terms: { text: ['a b'] } }, ['query="a b"']],
    [
      { terms: {}, hasImages: true, sort: 'name', direction: 'desc', view: 'label' },
      ['hasImages=true', 'sort=name', 'direction=desc', 'view=label'],
    ],
    [{ terms: {}, hasImages: false, facets: [] }, []],
    [
      {
        terms: {},
        facets: [
          { field: 'medium', value: 'glass' },
          { field: 'place', value: 'a, b' },
        ],
      },
      ['facet=medium:glass,place:a, b'],
    ],
    // The value has quotes if the service would read its comma or quote as syntax.
    [{ terms: {}, facets: [{ field: 'a', value: 'b, c:d' }] }, ['facet=a:"b, c:d"']],
    [{ terms: {}, facets: [{ field: 'a', value: 'b, c, d:e' }] }, ['facet=a:"b, c, d:e"']],
    [{ terms: {}, facets: [{ field: 'a', value: '"b"' }] }, ['facet=a:"\\"b\\""']],
    [{ terms: {}, facets: [{ field: 'a', value: 'say "b"' }] }, ['facet=a:say "b"']],
    [{ terms: {}, facets: [{ field: 'a', value: 'b:c' }] }, ['facet=a:b:c']],
  ])('converts %j to %j', (search, parameters) => {
    expect(searchParameters(search).map((each) => each.join('='))).toEqual(parameters);
  });

  it.each([
    [undefined, undefined, []],
    [20, undefined, [['limit', '20']]],
    [undefined, 0, [['offset', '0']]],
    [
      0,
      40,
      [
        ['limit', '0'],
        ['offset', '40'],
      ],
    ],
  ])('converts the limit %s and the offset %s', (limit, offset, parameters) => {
    expect(pagingParameters(limit, offset)).toEqual(parameters);
  });
});

describe('splitIntoBatches and splitByIds', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));

  it.each([
    [0, []],
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('splits %d short ids into batches of at most 100', (count, sizes) => {
    const batches = splitIntoBatches({ externalIds: numbers(count) });
    expect(batches.map(({ length }) => length)).toEqual(sizes);
    expect(batches.flat()).toEqual(numbers(count));
  });

  it.each([undefined, { raw: `note:"${'n'.repeat(2000)}"`, collection: '7' }])(
    'creates as few batches as possible that fit into a URL together with %j',
    (others) => {
      const values = numbers(60).map((id) => `ü/${id.padStart(80, '0')}`);
      const batches = splitIntoBatches({ ...others, oneOf: { field: 'maker', values } });
      expect(batches.flat()).toEqual(values);
      expect(batches.length).toBeGreaterThan(1);
      const query = (batch: readonly string[]) =>
        encodeURIComponent(buildQuery({ ...others, oneOf: { field: 'maker', values: batch } }) ?? '');
      for (const batch of batches) expect(query(batch).length).toBeLessThanOrEqual(6000);
      const alone = encodeURIComponent(formatAlternatives('maker', values.slice(0, 1))).length;
      const room = 6000 - encodeURIComponent(buildQuery(others ?? {}) ?? '').length;
      expect(batches[0]).toHaveLength(Math.floor(room / alone));
    },
  );

  it('puts a value that is too long into a separate batch', () => {
    const long = 'x'.repeat(7000);
    expect(splitIntoBatches({ externalIds: ['1', long, '2'] })).toEqual([['1'], [long], ['2']]);
  });

  it('keeps the other terms of the search, and the field of the list', () => {
    const search = { view: 'label', terms: { collection: '7', externalIds: numbers(101) } };
    expect(splitByIds(search)).toEqual([
      { view: 'label', terms: { collection: '7', externalIds: numbers(100) } },
      { view: 'label', terms: { collection: '7', externalIds: ['101'] } },
    ]);
    const oneOf = { field: 'maker', values: ['a', 'b'] };
    expect(splitByIds({ terms: { oneOf } })).toEqual([{ terms: { oneOf } }]);
    const everything = { terms: { text: ['x'] } };
    expect(splitByIds(everything)).toEqual([everything]);
    expect(splitByIds({ terms: { externalIds: [] } })).toEqual([]);
  });
});
