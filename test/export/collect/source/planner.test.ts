/** How a plan comes about: the slices of small services, and what was asked for them. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { planSlices } from '../../../../src/export/collect/source/slices/plan-slices.js';
import { splitByRanges } from '../../../../src/export/collect/source/slices/ranges.js';
import type { SearchTarget } from '../../../../src/export/collect/source/slices/search-requests.js';
import { withScript } from './scripted-service.js';
import { type SmallRecord, startSmallService, type Traits } from './small-service.js';

async function withSmall<T>(
  traits: Traits,
  act: (search: SearchTarget, asked: readonly string[]) => Promise<T>,
): Promise<T> {
  const service = await startSmallService(traits);
  const client = createClient({ baseUrl: service.url, retries: 0 });
  try {
    return await act({ client, kind: 'objects', query: [], signal: undefined }, service.asked);
  } finally {
    await client.close();
    await service.close();
  }
}

/** Records with ids from a on; `values` are those of a field, joined by + where there are several. */
const records = (values: readonly string[], field = 'year'): SmallRecord[] =>
  values.map((value, n) => ({
    id: [String.fromCharCode(97 + n)],
    ...(value !== '' && { [field]: value.split('+') }),
  })) as unknown as SmallRecord[];

const repeated = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).flatMap(([value, count]) => Array<string>(count).fill(value));

describe('ranges', () => {
  const split = (traits: Partial<Traits> & Pick<Traits, 'records'>, window: number) =>
    withSmall({ window, ranges: true, sorts: ['title'], ...traits }, async (search, asked) => {
      const found = await splitByRanges(search, traits.records.length, window);
      return { ranges: found?.map(({ term, total }) => `${term}: ${total}`), asked: asked.length };
    });
  const titled = (...values: string[]) => records(values, 'title');

  it('begin where the one before fills the window', async () => {
    expect(await split({ records: titled('1', '2', '3', '4', '5', '6', '7', '8', '9', '9') }, 4)).toEqual({
      ranges: ['title:[* TO "4"}: 3', 'title:["4" TO "7"}: 3', 'title:["7" TO *]: 4'],
      // A count of ids, a record in an order that is refused, two counts; two other fields; then three for each range.
      asked: 4 + 2 + 1 + 2 * 3,
    });
  });

  const plain = titled('1', '2', '3', '4', '5', '6');
  it('are of ids first', async () => {
    expect(await split({ records: plain, sorts: ['opacObjectId', 'title'] }, 3)).toMatchObject({
      ranges: ['opacObjectId:[* TO "c"}: 2', 'opacObjectId:["c" TO "e"}: 2', 'opacObjectId:["e" TO *]: 2'],
    });
  });

  it.each<[string, Partial<Traits> & Pick<Traits, 'records'>]>([
    ['it does not know', { records: plain, ranges: false }],
    ['nothing can be sorted by', { records: plain, sorts: [] }],
    [
      'the order is not that of values',
      { records: titled('1', '2', '8', '9', '10', '70', '71', '72'), numeric: true },
    ],
    ['one value fills the window', { records: titled('1', '1', '1', '2') }],
    ['a record has no value', { records: titled('1', '2', '3', '') }],
    ['records have several values', { records: titled('1+2', '2+3', '3+4', '4+5', '5+6') }],
  ])('are none where %s', async (_, traits) => {
    expect((await split(traits, 2)).ranges).toBeUndefined();
  });
});

/** Slices as what they add and how much of it they read: `term: limit`, and the records where those are fewer. */
const planned = (traits: Partial<Traits> & Pick<Traits, 'records'>, window: number) =>
  withSmall({ window, ...traits }, async (search, asked) => {
    const { slices, unreachable } = await planSlices(search, traits.records.length, window);
    return {
      slices: slices.map(({ term = '', sort, direction, limit, records: own, offset, total }) => {
        expect([offset, limit <= window, limit <= total]).toEqual([0, true, true]);
        const order = sort === undefined ? '' : ` by ${sort} ${direction}`;
        return `${term}${order}: ${limit}${own === limit ? '' : `, ${own} of it new`}`;
      }),
      unreachable: unreachable.map(({ what, records: count }) => `${count} ${what}`),
      asked: asked.length,
    };
  });

describe('a plan', () => {
  const right = (_: string, __: string, count: number) => count;
  const made = (counts: Readonly<Record<string, number>>) => records(repeated(counts), 'maker');
  const dated = made({ A: 4, B: 3, C: 1, '': 2 }).map((record, n) => ({ ...record, year: [`${n % 3}`] }));
  const few = { records: made({ A: 4, B: 3, '': 1 }), facet: right, not: 'refused' } as const;
  const some = { records: made({ A: 4, B: 3, C: 1, '': 1 }), facet: right } as const;
  const BEYOND = 'beyond the window';
  it.each<[string, Partial<Traits> & Pick<Traits, 'records'>, number, string[], string[], number]>([
    [
      'has values in groups that fit, and the rest',
      some,
      4,
      ['maker:"A": 4', 'maker:("B", "C"): 4', 'NOT maker:("A", "B", "C"): 1'],
      [],
      10,
    ],
    [
      'without NOT, names the rest',
      { ...some, not: 'refused' },
      4,
      ['maker:"A": 4', 'maker:("B", "C"): 4'],
      ['1 without a value of maker'],
      16,
    ],
    [
      'without NOT, of no more than two windows, is read from both ends of an order',
      { ...few, sorts: ['name'] },
      4,
      [' by name asc: 4', ' by name desc: 4'],
      [],
      13,
    ],
    [
      'splits what does not fit again',
      { records: dated, facet: right },
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
      'of what cannot be split has as much as both ends of an order give',
      { records: made({ A: 9 }), sorts: ['opacObjectId'] },
      4,
      [' by opacObjectId asc: 4', ' by opacObjectId desc: 4'],
      [`1 ${BEYOND}`],
      12,
    ],
    [
      'reads ends that meet a little beyond the middle',
      { records: records(Array<string>(450).fill('1')), sorts: ['title'] },
      300,
      [' by title asc: 300', ' by title desc: 250, 150 of it new'],
      [],
      11,
    ],
    ['without an order has one end', { records: made({ A: 9 }) }, 4, [': 4'], [`5 ${BEYOND}`], 12],
    [
      'has the ends of other orders last, for what lies between those of one',
      { records: records(['1', '2', '3', '4', '5', '6', '7']), sorts: ['name', 'year'], mostValues: 1 },
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
      'has the ends of an order of the field that some records have no value of',
      { ...few, records: made({ A: 4, B: 4, '': 1 }), sorts: ['maker'] },
      4,
      ['maker:"A": 4', 'maker:"B": 4', ' by maker asc: 4, 0 of it new', ' by maker desc: 4, 0 of it new'],
      ['1 without a value of maker'],
      16,
    ],
    [
      'has ranges where the service knows them',
      { records: records(['1', '2', '3', '4', '5'], 'title'), ranges: true, sorts: ['title'] },
      2,
      ['title:[* TO "2"}: 1', 'title:["2" TO "3"}: 1', 'title:["3" TO "4"}: 1', 'title:["4" TO *]: 2'],
      [],
      16,
    ],
  ])('%s', async (_, traits, window, slices, unreachable, asked) => {
    expect(await planned(traits, window)).toEqual({ slices, unreachable, asked });
  });

  it('has slices that overlap where their difference would be too long to ask for', async () => {
    const makers = [...'abcd'].map((letter) => letter.repeat(1900));
    const twofold = [...'ababcdcd'].map((_, n) => `${makers[n % 4]}+${makers[(n + 1) % 4]}`);
    const { slices, unreachable } = await planned({ records: records(twofold, 'maker'), facet: right }, 4);
    expect(slices.map((each) => each.replaceAll(/(\w)\1{1899}/g, '$1'))).toEqual([
      'maker:"a": 4',
      'maker:"b": 4',
      'maker:"c": 4',
      'maker:"d": 4',
    ]);
    expect(unreachable).toEqual([]);
  });

  /** Of nine records each answer is scripted: facets that are wrong of `f`, and right of `g`. */
  const scripted = (totals: Readonly<Record<string, number>>, negated: number) =>
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
    ['a term that has no record', { 'f:"y"': 4 }, 9],
    ['a term that has every record', { 'f:"x"': 9, 'f:"y"': 4 }, 0],
  ])('does not learn from %s whether NOT is understood', async (_, totals, negated) => {
    const right = { 'g:"x"': 4, 'g:"y"': 4 };
    expect(await scripted({ ...totals, ...right }, negated)).toEqual(['g:"x": 4', 'g:"y": 4']);
  });

  it('is made of no field with a value that is refused', async () => {
    const totals = { 'f:"x"': 400, 'f:"y"': 4, 'g:"x"': 4, 'g:"y"': 400 };
    expect(await scripted(totals, 0)).toEqual(['undefined: 9']);
  });
});
