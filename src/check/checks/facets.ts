/** Facets: their types, and that what they count is what a search finds. */
import { asNumber, asObject } from '../../service/json.js';
import { KINDS } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { type Facet, readFacet, requestFacets, requestTotal, takeFirst } from '../samples/samples.js';

const TYPES = ['text', 'range', 'color'];

export const FACET_CHECKS: readonly Check[] = [
  {
    id: 'facets.type',
    promise: `facetType is one of ${TYPES.join(', ')}`,
    source: 'INTERFACE.md "Fields stated"',
    async *run(probe) {
      let looked = 0;
      for (const kind of KINDS) {
        const found = await requestFacets(probe, kind);
        looked += found.facets.length;
        const wrong = found.facets.find(({ type }) => !TYPES.includes(String(type)));
        if (!wrong) continue;
        const expected = `facetType ${TYPES.join(', ')} in the facet "${wrong.id}" of ${kind}`;
        yield deviation(expected, JSON.stringify(wrong.type) ?? 'none', found.exchange);
      }
      if (looked === 0) throw new CheckNotApplicable('the service names no facets');
    },
  },
  {
    id: 'facets.alone',
    promise: 'a facet alone has the values it has in a search',
    source: 'INTERFACE.md "Object records": facets of object searches',
    async *run(probe) {
      const counted = await requestFacets(probe, 'objects');
      const inSearch = takeFirst(counted.facets, 'the service names no facets of objects');
      const { value, exchange } = await probe.request('objects.facet', { path: { facetId: inSearch.id } });
      const [expected, received] = [inSearch, readFacet(asObject(value))].map(firstValues);
      if (expected !== received) yield deviation(`${inSearch.id}: ${expected}`, `${received}`, exchange);
    },
  },
  ...KINDS.map(
    (kind): Check => ({
      id: `facets.count-${kind}`,
      promise: `as many ${kind} are counted under a facet value as a search by it finds`,
      source: 'FIELD-NOTES.md "Answers": value is a count; "Requests": facet=field:value',
      needs: [`total.${kind}`],
      async *run(probe) {
        const found = await requestFacets(probe, kind);
        const values = found.facets.filter(({ type }) => type !== 'range').flatMap(searchable);
        const { id, label, count } = takeFirst(values, `no facet of ${kind} has a value to search by`);
        const { total, at } = await requestTotal(probe, kind, [['facet', `${id}:${label}`]]);
        const expected = `${count} ${kind} with facet=${id}:${label}, as the facet counts`;
        if (total !== count) yield deviation(expected, total, at);
      },
    }),
  ),
];

function firstValues({ values }: Facet): string {
  const texts = values.slice(0, 5).map(({ label, count }) => `${label} (${count})`);
  return texts.join(', ');
}

/** A value without commas and colons, which separate values in the parameter `facet`. */
const UNMISTAKABLE = /^[^,:"\\]+$/;

function searchable({ id, values }: Facet): { id: string; label: string; count: number }[] {
  return values
    .map(({ label, count }) => ({ id, label, count: asNumber(count) ?? 0 }))
    .filter(({ label, count }) => UNMISTAKABLE.test(label) && count > 0);
}
