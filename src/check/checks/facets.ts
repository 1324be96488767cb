/** Facets: their types, and that what they count is what a search finds. */
import { asNumber, asObject } from '../../service/json.js';
import { KINDS, type Kind } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { type Facet, facets, firstOf, readFacet, totalOf } from '../material/samples.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';

const TYPES = ['text', 'range', 'color'];

export const FACETS: readonly Check[] = [
  {
    id: 'facets.type',
    promise: `facetType is one of ${TYPES.join(', ')}`,
    source: 'INTERFACE.md "Fields stated"',
    run: types,
  },
  {
    id: 'facets.alone',
    promise: 'a facet alone has the values it has in a search',
    source: 'INTERFACE.md "Object records": facets of object searches',
    run: alone,
  },
  ...KINDS.map(
    (kind): Check => ({
      id: `facets.count-${kind}`,
      promise: `as many ${kind} are counted under a facet value as a search by it finds`,
      source: 'FIELD-NOTES.md "Answers": value is a count; "Requests": facet=field:value',
      needs: [`total.${kind}`],
      run: (probe) => counts(probe, kind),
    }),
  ),
];

async function* types(probe: Probe): AsyncGenerator<Deviation> {
  let looked = 0;
  for (const kind of KINDS) {
    const found = await facets(probe, kind);
    looked += found.facets.length;
    const wrong = found.facets.find(({ type }) => !TYPES.includes(String(type)));
    if (wrong)
      yield {
        expected: `facetType ${TYPES.join(', ')} in the facet "${wrong.id}" of ${kind}`,
        received: wrong.type === undefined ? 'none' : JSON.stringify(wrong.type),
        at: found.at,
      };
  }
  if (looked === 0) throw new NothingToTry('the service names no facets');
}

async function* alone(probe: Probe): AsyncGenerator<Deviation> {
  const inSearch = firstOf((await facets(probe, 'objects')).facets, 'the service names no facets of objects');
  const { value, at } = await probe.ask('objects.facet', { path: { facetId: inSearch.id } });
  const own = readFacet(asObject(value));
  const [expected, received] = [inSearch, own].map(({ values }) =>
    values
      .slice(0, 5)
      .map(({ label, count }) => `${label} (${count})`)
      .join(', '),
  );
  if (expected !== received) yield { expected: `${inSearch.id}: ${expected}`, received: `${received}`, at };
}

/** A value without commas and colons, which separate values in the parameter `facet`. */
const UNMISTAKABLE = /^[^,:"\\]+$/;

async function* counts(probe: Probe, kind: Kind): AsyncGenerator<Deviation> {
  const found = await facets(probe, kind);
  const values = found.facets.filter(({ type }) => type !== 'range').flatMap(searchable);
  const { id, label, count } = firstOf(values, `no facet of ${kind} has a value to search by`);
  const { total, at } = await totalOf(probe, kind, [['facet', `${id}:${label}`]]);
  if (total !== count)
    yield {
      expected: `${count} ${kind} with facet=${id}:${label}, as the facet counts`,
      received: `${total}`,
      at,
    };
}

function searchable({ id, values }: Facet): { id: string; label: string; count: number }[] {
  return values.flatMap(({ label, count }) => {
    const number = asNumber(count);
    return UNMISTAKABLE.test(label) && number !== undefined && number > 0
      ? [{ id, label, count: number }]
      : [];
  });
}
