/** Checks facets: their types, values and counts. */
import { asNumber, asObject } from '../../service/json.js';
import { KINDS } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { type Facet, readFacet, requestFacets, requestTotal, takeFirst } from '../samples/samples.js';

const FACET_TYPES = ['text', 'range', 'color'];

export const FACET_CHECKS: readonly Check[] = [
  {
    id: 'facets.type',
    promise: 'facetType is text, range or color',
    source: 'opac help interface, "Fields stated"',
    async *run(probe) {
      let count = 0;
      for (const kind of KINDS) {
        const found = await requestFacets(probe, kind);
        count += found.facets.length;
        const wrong = found.facets.find(({ type }) => !FACET_TYPES.includes(String(type)));
        if (!wrong) continue;
        const expected = `facetType text, range or color in the facet "${wrong.id}" of ${kind}`;
        yield deviation(expected, JSON.stringify(wrong.type) ?? 'none', found.exchange);
      }
      if (count === 0) throw new CheckNotApplicable('the service returns no facets');
    },
  },
  {
    id: 'facets.alone',
    promise: 'a facet requested separately has the same values as in a search',
    source: 'opac help interface, "Object records": facets of object searches',
    async *run(probe) {
      const counted = await requestFacets(probe, 'objects');
      const inSearch = takeFirst(counted.facets, 'the service returns no facets of objects');
      const { value, exchange } = await probe.request('objects.facet', { path: { facetId: inSearch.id } });
      const [expected, received] = [inSearch, readFacet(asObject(value))].map(formatFirstValues);
      if (expected !== received) yield deviation(`${inSearch.id}: ${expected}`, `${received}`, exchange);
    },
  },
  ...KINDS.map(
    (kind): Check => ({
      id: `facets.count-${kind}`,
      promise: `the count of a facet value of ${kind} equals the total of a search for that value`,
      source: 'opac help field-notes, "Answers": the key `value` is a count; "Requests": facet=field:value',
      needs: [`total.${kind}`],
      async *run(probe) {
        const found = await requestFacets(probe, kind);
        const values = found.facets.filter(({ type }) => type !== 'range').flatMap(listSearchableLabels);
        const { id, label, count } = takeFirst(values, `no facet of ${kind} has a value to search for`);
        const { total, exchange } = await requestTotal(probe, kind, [['facet', `${id}:${label}`]]);
        const expected = `${count} ${kind} with facet=${id}:${label}, the count of this value in the facet`;
        if (total !== count) yield deviation(expected, total, exchange);
      },
    }),
  ),
];

function formatFirstValues({ values }: Facet): string {
  const texts = values.slice(0, 5).map(({ label, count }) => `${label} (${count})`);
  return texts.join(', ');
}

/** Matches a label that contains no comma or colon (the separators of the parameter `facet`), no quote and no backslash. */
const PLAIN_LABEL = /^[^,:"\\]+$/;

function listSearchableLabels({ id, values }: Facet): { id: string; label: string; count: number }[] {
  return values
    .map(({ label, count }) => ({ id, label, count: asNumber(count) ?? 0 }))
    .filter(({ label, count }) => PLAIN_LABEL.test(label) && count > 0);
}
