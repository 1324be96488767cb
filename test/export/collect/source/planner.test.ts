/** Plans the slices for small services, and counts the requests. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { planSlices } from '../../../../src/export/collect/source/slices/plan-slices.js';
import { splitByRanges } from '../../../../src/export/collect/source/slices/ranges.js';
import type { SearchTarget } from '../../../../src/export/collect/source/slices/search-requests.js';
import { withScript } from './scripted-service.js';
import { type SmallRecord, startSmallService, type Traits } from './small-service.js';

async function withSmall<T>(
  traits: Traits,
  act: (search: SearchTarget, requests: readonly string[]) => Promise<T>,
): Promise<T> {
  const service = await startSmallService(traits);
  const client = createClient({ baseUrl: service.url, retries: 0 });
  try {
    return await act({ client, kind: 'objects', query: [], signal: undefined }, service.requests);
  } finally {
    await client.close();
    await service.close();
  }
}

/** Creates records with the ids a, b, c and so on. Each item of `values` has the values of one record, joined by +. */
const createRecords = (values: readonly string[], field = 'year'): SmallRecord[] =>
  values.map((value, n) => ({
    id: [String.fromCharCode(97 + n)],
    ...(value !== '' && { [field]: value.split('+') }),
  })) as unknown as SmallRecord[];

const repeatValues = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).flatMap(([value, count]) => Array<string>(count).fill(value));

describe('splitByRanges', () => {
  const split = (traits: Partial<Traits> & Pick<Traits, 'records'>, window: number) =>
    withSmall({ window, ranges: true, sorts: ['title'], ...traits }, async (search, requests) => {
      const found = await splitByRanges(search, traits.records.length, window);
      return { ranges: found?.map(({ term, total }) => `${term}: ${total}`), requests: requests.length };
    });
  const createTitled = (...values: string[]) => createRecords(values, 'title');

  it('starts the next range with the value of the last record that fits the window', async () => {
    expect(
      await split({ records: createTitled('1', '2', '3', '4', '5', '6', '7', '8', '9', '9') }, 4),
    ).toEqual({
      ranges: ['title:[* TO "4"}: 3', 'title:["4" TO "7"}: 3', 'title:["7" TO *]: 4'],
      // opacObjectId: a count, a record in a refused order, two counts. Two fields: a count each. title: a count, three per cut.
      requests: 4 + 2 + 1 + 2 * 3,
    });
  });

  const plain = createTitled('1', '2', '3', '4', '5', '6');
  it('prefers ranges of ids', async () => {
    expect(await split({ records: plain, sorts: ['opacObjectId', 'title'] }, 3)).toMatchObject({
      ranges: ['opacObjectId:[* TO "c"}: 2', 'opacObjectId:["c" TO "e"}: 2', 'opacObjectId:["e" TO *]: 2'],
    });
  });

  it.each<[string, Partial<Traits> & Pick<Traits, 'records'>]>([
    ['the service does not support ranges', { records: plain, ranges: false }],
    ['the service sorts by no field', { records: plain, sorts: [] }],
    [
      'the sort order differs from the order of ranges',
      { records: createTitled('1', '2', '8', '9', '10', '70', '71', '72'), numeric: true },
    ],
    ['one value has more records than the window', { records: createTitled('1', '1', '1', '2') }],
    ['a record has no value', { records: createTitled('1', '2', '3', '') }],
    ['records have several values', { records: createTitled('1+2', '2+3', '3+4', '4+5', '5+6') }],
  ])('returns no ranges if %s', async (_, traits) => {
    expect((await split(traits, 2)).ranges).toBeUndefined();
  });
});

/** Plans slices and formats each as `term: limit`, with the number of new records if it is lower. */
const planAndFormat = (traits: Partial<Traits> & Pick<Traits, 'records'>, window: number) =>
  withSmall({ window, ...traits }, async (search, requests) => {
    const { slices, unreachable } = await planSlices(search, traits.records.length, window);
    return {
      slices: slices.map(({ term = '', sort, direction, limit, records: own, offset, total }) => {
        expect([offset, limit <= window, limit <= total]).toEqual([0, true, true]);
        const order = sort === undefined ? '' : ` by ${sort} ${direction}`;
        return `${term}${order}: ${limit}${own === limit ? '' : `, ${own} of it new`}`;
      }),
      unreachable: unreachable.map(({ what, records: count }) => `${count} ${what}`),
      requests: requests.length,
    };
  });

describe('planSlices', () => {
  const exactCount = (_: string, __: string, count: number) => count;
  const createByMaker = (counts: Readonly<Record<string, number>>) =>
    createRecords(repeatValues(counts), 'maker');
  const dated = createByMaker({ A: 4, B: 3, C: 1, '': 2 }).map((record, n) => ({
    ...record,
    year: [`${n % 3}`],
  }));
  const few = { records: createByMaker({ A: 4, B: 3, '': 1 }), facet: exactCount, not: 'refused' } as const;
  const some = { records: createByMaker({ A: 4, B: 3, C: 1, '': 1 }), facet: exactCount } as const;
  const BEYOND = 'beyond the window';
  it.each<[string, Partial<Traits> & Pick<Traits, 'records'>, number, string[], string[], number]>([
    [
      'returns groups of values that fit, and a slice for the rest',
      some,
      4,
      ['maker:"A": 4', 'maker:("B", "C"): 4', 'NOT maker:("A", "B", "C"): 1'],
      [],
      10,
    ],
    [
      'reports records without a value as unreachable if the service refuses NOT',
      { ...some, not: 'refused' },
      4,
      ['maker:"A": 4', 'maker:("B", "C"): 4'],
      ['1 without a value of maker'],
      16,
    ],
    [
      'returns both ends of a sort order for at most two windows without NOT',
      { ...few, sorts: ['name'] },
      4,
      [' by name asc: 4', ' by name desc: 4'],
      [],
      13,
    ],
    [
      'splits slices that do not fit by a second field',
      { records: dated, facet: exactCount },
      2,
      [
        'maker:"A" AND year:"0": 2',
        'maker:"A" AND year:("1", "2"): 2',
        'maker:"B" AND year:("0", "1"): 2',
        'maker:"B" AND year:"2": 1',
        'maker:"C": 1',
        'NOT maker:("A", "B", "C"): 2',
      ],
      [],
      19,
    ],
    [
      'returns both ends of a sort order if the search cannot be split',
      { records: createByMaker({ A: 9 }), sorts: ['opacObjectId'] },
      4,
      [' by opacObjectId asc: 4', ' by opacObjectId desc: 4'],
      [`1 ${BEYOND}`],
      12,
    ],
    [
      'returns ends of a sort order that overlap in the middle',
      { records: createRecords(Array<string>(450).fill('1')), sorts: ['title'] },
      300,
      [' by title asc: 300', ' by title desc: 250, 150 of it new'],
      [],
      11,
    ],
    [
      'returns one slice if the service sorts by no field',
      { records: createByMaker({ A: 9 }) },
      4,
      [': 4'],
      [`5 ${BEYOND}`],
      12,
    ],
    [
      'adds the ends of other sort orders for records between the ends of the first',
      { records: createRecords(['1', '2', '3', '4', '5', '6', '7']), sorts: ['name', 'year'], mostValues: 1 },
      2,
      [
        ' by name asc: 2',
        ' by name desc: 2',
        ' by year asc: 2, 0 of it new',
        ' by year desc: 2, 0 of it new',
      ],
      [`3 ${BEYOND}`],
      12,
    ],
    [
      'adds the ends of a sort order by a field that some records do not have',
      { ...few, records: createByMaker({ A: 4, B: 4, '': 1 }), sorts: ['maker'] },
      4,
      ['maker:"A": 4', 'maker:"B": 4', ' by maker asc: 4, 0 of it new', ' by maker desc: 4, 0 of it new'],
      ['1 without a value of maker'],
      16,
    ],
    [
      'returns ranges if the service supports them',
      { records: createRecords(['1', '2', '3', '4', '5'], 'title'), ranges: true, sorts: ['title'] },
      2,
      ['title:[* TO "2"}: 1', 'title:["2" TO "3"}: 1', 'title:["3" TO "4"}: 1', 'title:["4" TO *]: 2'],
      [],
      16,
    ],
  ])('%s', async (_, traits, window, slices, unreachable, requests) => {
    expect(await planAndFormat(traits, window)).toEqual({ slices, unreachable, requests });
  });

  it('returns overlapping slices if the terms that separate them would be too long', async () => {
    const makers = [...'abcd'].map((letter) => letter.repeat(1900));
    const twofold = [...'ababcdcd'].map((_, n) => `${makers[n % 4]}+${makers[(n + 1) % 4]}`);
    const { slices, unreachable } = await planAndFormat(
      { records: createRecords(twofold, 'maker'), facet: exactCount },
      4,
    );
    expect(slices.map((each) => each.replaceAll(/(\w)\1{1899}/g, '$1'))).toEqual([
      'maker:"a": 4',
      'maker:"b": 4',
      'maker:"c": 4',
      'maker:"d": 4',
    ]);
    expect(unreachable).toEqual([]);
  });

  /** Plans with scripted responses for nine records. The facet counts of `f` are wrong, those of `g` are right. */
  const planScripted = (totals: Readonly<Record<string, number>>, negated: number) =>
    withScript(
      ({ query = '', facetedResults, facet, sort }) => {
        const values = (...labels: string[]) => labels.map((label) => ({ label, value: 4 }));
        const facets = ['f', 'g'].map((facetId) => ({
          facetId,
          facetType: 'text',
          facetLabelValues: values('x', 'y'),
        }));
        if (facetedResults) return { opacObjects: [], totalObjects: 9, facetsCollection: { facets } };
        if (facet !== undefined || sort !== undefined || query.includes('[')) return 400;
        if (totals[query] === 400) return 400;
        return {
          opacObjects: [],
          totalObjects: query.includes('NOT') ? negated : query === '' ? 9 : (totals[query] ?? 0),
        };
      },
      async ({ search }) => {
        const { slices } = await planSlices(search, 9, 4);
        return slices.map(({ term, total }) => `${term}: ${total}`);
      },
    );

  it.each<[string, Readonly<Record<string, number>>, number]>([
    ['a term without records', { 'f:"y"': 4 }, 9],
    ['a term with all records', { 'f:"x"': 9, 'f:"y"': 4 }, 0],
  ])('does not conclude from %s whether the service supports NOT', async (_, totals, negated) => {
    const correct = { 'g:"x"': 4, 'g:"y"': 4 };
    expect(await planScripted({ ...totals, ...correct }, negated)).toEqual(['g:"x": 4', 'g:"y": 4']);
  });

  it('uses no field with a value that the service refuses', async () => {
    const totals = { 'f:"x"': 400, 'f:"y"': 4, 'g:"x"': 4, 'g:"y"': 400 };
    expect(await planScripted(totals, 0)).toEqual(['undefined: 9']);
  });
});
