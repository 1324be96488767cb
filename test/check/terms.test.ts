import { expect, it } from 'vitest';
import { ORDER_CHECKS, TERM_CHECKS } from '../../src/check/checks/terms.js';
import { CheckNotApplicable } from '../../src/check/probe/deviation.js';
import type { ListReply, Probe } from '../../src/check/probe/probe.js';

/** Returns a probe with two records of one material. Searches with AND have a wrong total, searches for the material none. */
function createProbe(): Probe {
  const set = (identifier: string, value: string) => ({ identifier, opacObjectFields: [{ value }] });
  const items = ['gannet', 'petrel'].map((name, n) => ({
    opacObjectId: `${n}`,
    opacObjectFieldSets: [set('name', name), set('material', 'paper')],
  }));
  const total = (query: string) => (query === 'material:"paper"' ? undefined : query.includes('AND') ? 9 : 1);
  const requestList = async (
    _: string,
    { query = [] }: { query?: readonly (readonly [string, string])[] },
  ) => {
    const sought = new Map(query).get('query') ?? '';
    return { items, total: sought === '' ? 2 : total(sought), value: {}, at: {} } as unknown as ListReply;
  };
  return { requestList } as unknown as Probe;
}

it('search.and is not applicable if the service returns no total for a value', async () => {
  const and = TERM_CHECKS.find(({ id }) => id === 'search.and');
  const deviations: unknown[] = [];
  const run = (async () => {
    for await (const each of and?.run(createProbe()) ?? []) deviations.push(each);
  })();
  await expect(run).rejects.toThrow(CheckNotApplicable);
  expect(deviations).toEqual([]);
});

it('search.sort reports a sorted list that omits records', async () => {
  const item = (name: string) => ({
    opacObjectId: name,
    opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value: name }] }],
  });
  const all = ['petrel', 'gannet', 'albatross', 'kea'].map(item);
  const requestList = async (
    _: string,
    { query = [] }: { query?: readonly (readonly [string, string])[] },
  ) => {
    const isSorted = new Map(query).has('sort');
    const items = isSorted ? ['albatross', 'gannet', 'kea'].map(item) : all;
    return { items, total: items.length, value: {}, exchange: {} } as unknown as ListReply;
  };
  const sort = ORDER_CHECKS.find(({ id }) => id === 'search.sort');
  const deviations: unknown[] = [];
  for await (const each of sort?.run({ requestList } as unknown as Probe) ?? []) deviations.push(each);
  expect(deviations).toEqual([
    expect.objectContaining({ expected: 'sort=name returns all 4 objects', received: 'a total of 3' }),
  ]);
});
