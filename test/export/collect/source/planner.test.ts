/** How a plan comes about: the slices of small services, and what was asked for them. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import type { CountedSearch } from '../../../../src/export/collect/source/slices/counts.js';
import { planSlices } from '../../../../src/export/collect/source/slices/planner.js';
import { splitByRange } from '../../../../src/export/collect/source/slices/ranges.js';
import { withScript } from './scripted-service.js';
import { type SmallRecord, startSmallService, type Traits } from './small-service.js';

async function withSmall<T>(
  traits: Traits,
  act: (search: CountedSearch, asked: readonly string[]) => Promise<T>,
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
  const split = (traits: Partial<Traits> & Pick<Traits, 'records'>, window: number, fields = ['year']) =>
    withSmall({ window, ranges: true, sorts: ['year'], ...traits }, async (search, asked) => {
      const found = await splitByRange(search, { total: traits.records.length }, window, fields);
      const parts = found?.parts.map(({ term, total }) => `${term}: ${total}`);
      return { parts, field: found?.field, missing: found?.missing, asked: asked.length };
    });

  it.each<[string, string[], number, string[], number]>([
    [
      'begin where the one before fills the window',
      ['1', '2', '3', '4', '5', '6', '7', '8', '9', '9'],
      4,
      ['year:[* TO "4"}: 3', 'year:["4" TO "7"}: 3', 'year:["7" TO *]: 4'],
      // One for ids that cannot be sorted by, with the order refused, then a record and two counts each.
      2 + 1 + 2 * 3,
    ],
    [
      'have a part for what has no value',
      ['1', '', '3', '4', ''],
      2,
      ['year:[* TO "3"}: 1', 'year:["3" TO *]: 2', 'NOT year:*: 2'],
      2 + 2 + 3,
    ],
    [
      'are one value alone where that fills the window',
      repeated({ 1: 1, 2: 5, 3: 1 }),
      3,
      ['year:[* TO "2"}: 1', 'year:["2" TO "2"]: 5', 'year:{"2" TO *]: 1'],
      2 + 1 + 2 * 3,
    ],
    [
      'leave out what is empty at the beginning',
      repeated({ 2: 4, 3: 1 }),
      3,
      ['year:["2" TO "2"]: 4', 'year:{"2" TO *]: 1'],
      2 + 1 + 2 * 3,
    ],
    [
      'leave out what is empty at the end',
      repeated({ 1: 1, 2: 4 }),
      3,
      ['year:[* TO "2"}: 1', 'year:["2" TO "2"]: 4'],
      2 + 1 + 2 * 3,
    ],
    [
      'are one where all that have a value fit',
      ['1', '2', ''],
      2,
      ['year:[* TO *]: 2', 'NOT year:*: 1'],
      2 + 2,
    ],
  ])('%s', async (_, values, window, parts, asked) => {
    expect(await split({ records: records(values) }, window)).toEqual({
      parts,
      field: 'year',
      missing: 0,
      asked,
    });
  });

  const plain = records(['1', '2', '3', '4', '5', '6']);
  it.each<[string, Partial<Traits> & Pick<Traits, 'records'>, number]>([
    // Of each field one count, and what is known of one that has values.
    ['it does not know', { records: plain, ranges: false }, 2],
    ['nothing can be sorted by', { records: plain, sorts: [] }, 4],
    [
      'the order is not that of values',
      { records: records(['1', '2', '8', '9', '10', '70', '71', '72']), numeric: true },
      9,
    ],
    ['all have the same value', { records: records(['1', '1', '1', '1']) }, 9],
  ])('are none where %s', async (_, traits, asked) => {
    const found = await split(traits, 2);
    expect([found.parts, found.asked]).toEqual([undefined, asked]);
  });

  it('are those of the field that adds up, else of the nearest', async () => {
    const twofold = records(['1', '2', '3', '4', '5', '6']).map((record, n) => ({
      ...record,
      many: [`${n}`, `${n + 1}`, `${n + 2}`],
      some: n === 0 ? ['0', '5'] : [`${n}`],
    }));
    const traits = { records: twofold, sorts: ['many', 'some', 'year'] };
    const fieldOf = async (...fields: string[]) => {
      const { field, missing } = await split(traits, 3, fields);
      return [field, missing];
    };
    expect(await fieldOf('many', 'year', 'some')).toEqual(['year', 0]);
    expect(await fieldOf('many')).toEqual(['many', -8]);
    expect(await fieldOf('many', 'some')).toEqual(['some', -1]);
    expect(await fieldOf('some', 'many')).toEqual(['some', -1]);
  });

  it('are not of a field that no record has', async () => {
    const { field, asked } = await split({ records: plain }, 4, ['none', 'year']);
    expect([field, asked]).toEqual(['year', 2 + 1 + 1 + 3]);
  });

  it('are not of a field whose values the records do not show', async () => {
    await withScript(
      ({ query = '' }) => ({
        totalObjects: query.includes('opac') ? 0 : 9,
        opacObjects: [{ opacObjectId: '7' }],
      }),
      async ({ search, asked }) => {
        expect(await splitByRange(search, { total: 9 }, 4, ['year'])).toBeUndefined();
        expect(asked).toHaveLength(3);
      },
    );
  });

  it('are of ids first', async () => {
    const { parts, field } = await split({ records: plain, sorts: ['opacObjectId', 'year'] }, 3);
    expect([field, parts]).toEqual([
      'opacObjectId',
      ['opacObjectId:[* TO "c"}: 2', 'opacObjectId:["c" TO "e"}: 2', 'opacObjectId:["e" TO *]: 2'],
    ]);
  });
});

/** Slices as what they add and how much of it they read: `term: limit`, and the records where those are fewer. */
const planned = (traits: Partial<Traits> & Pick<Traits, 'records'>, window: number) =>
  withSmall({ window, ...traits }, async (search, asked) => {
    const { slices, unreachable } = await planSlices(search, traits.records.length, window);
    return {
      slices: slices.map(({ term = '', facet = '', sort, direction, limit, records: own, offset, total }) => {
        expect([offset, limit <= window, limit <= total]).toEqual([0, true, true]);
        const order = sort === undefined ? '' : ` by ${sort} ${direction}`;
        return `${term}${facet}${order}: ${limit}${own === limit ? '' : `, ${own} of it new`}`;
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
  const BEYOND = 'records of all records beyond the window';
  it.each<[string, Partial<Traits> & Pick<Traits, 'records'>, number, string[], string[], number]>([
    ['of what fits is one slice, and asks nothing', { records: made({ A: 4 }) }, 4, [': 4'], [], 0],
    [
      'has values in groups that fit, and the rest',
      some,
      4,
      ['maker:"A": 4', 'maker:("B", "C"): 4', 'NOT maker:("A", "B", "C"): 1'],
      [],
      5,
    ],
    [
      'without NOT, names the rest',
      { ...some, not: 'refused' },
      4,
      ['maker:"A": 4', 'maker:("B", "C"): 4'],
      ['1 records of all records without a value of maker'],
      14,
    ],
    [
      'without NOT, of no more than two windows, is read from both ends of an order',
      { ...few, sorts: ['name'] },
      4,
      [' by name asc: 4', ' by name desc: 4'],
      [],
      16,
    ],
    [
      'splits what does not fit again, keeps what is empty now, and puts small ones together',
      { records: dated, facet: right },
      2,
      [
        '((maker:"A" AND year:"0") OR (maker:"A" AND NOT year:("0", "1", "2")) OR (maker:"B" AND NOT year:("0", "1", "2"))): 2',
        'maker:"A" AND year:("1", "2"): 2',
        'maker:"B" AND year:("0", "1"): 2',
        '((maker:"B" AND year:"2") OR (maker:"C")): 2',
        'NOT maker:("A", "B", "C"): 2',
      ],
      [],
      16,
    ],
    [
      'leaves them apart where the service does not understand OR',
      { records: dated, facet: right, or: 'refused' },
      2,
      [
        'maker:"A" AND year:"0": 2',
        'maker:"A" AND NOT year:("0", "1", "2"): 0',
        'maker:"B" AND NOT year:("0", "1", "2"): 0',
        'maker:"A" AND year:("1", "2"): 2',
        'maker:"B" AND year:("0", "1"): 2',
        'maker:"B" AND year:"2": 1',
        'maker:"C": 1',
        'NOT maker:("A", "B", "C"): 2',
      ],
      [],
      16,
    ],
    [
      'of what cannot be split has as much as both ends of an order give',
      { records: made({ A: 9 }), sorts: ['opacObjectId'] },
      4,
      [' by opacObjectId asc: 4', ' by opacObjectId desc: 4'],
      [`1 ${BEYOND}`],
      7,
    ],
    [
      'reads ends that meet a little beyond the middle',
      { records: records(Array<string>(450).fill('1')), sorts: ['title'] },
      300,
      [' by title asc: 300', ' by title desc: 250, 150 of it new'],
      [],
      11,
    ],
    ['without an order has one end', { records: made({ A: 9 }) }, 4, [': 4'], [`5 ${BEYOND}`], 10],
    [
      'has ranges where records have nothing in common',
      { records: records(['1', '2', '3', '4', '5']), ranges: true, sorts: ['year'], mostValues: 1 },
      2,
      ['((year:[* TO "2"}) OR (year:["2" TO "3"})): 2', 'year:["3" TO "4"}: 1', 'year:["4" TO *]: 2'],
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
      '((maker:"a") OR (NOT maker:*)): 4',
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
