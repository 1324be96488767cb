/** What is published now against the baseline: the alarm when a field appears that nobody meant to publish. */
import { asList, asText } from '../../service/json.js';
import { KINDS, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, type Deviation, deviation } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';
import { type Census, hasField, type KindCensus, type SortedMap, takeCensus } from '../samples/census.js';
import type { Expectations } from '../samples/expectations.js';

type Compare = (now: Census, kept: Census, probe: Probe) => AsyncIterable<Deviation> | Iterable<Deviation>;

export function createBaselineChecks({ baseline, tolerance }: Expectations): Check[] {
  const row = (part: string, severity: 'fail' | 'warn', promise: string, compare: Compare): Check => ({
    id: `baseline.${part}`,
    promise,
    source: 'the option --baseline',
    deviation: severity,
    run: async function* (probe) {
      if (!baseline) throw new CheckNotApplicable('--baseline was not given');
      yield* compare(await takeCensus(probe, baseline), baseline, probe);
    },
  });
  const within = ', within the tolerance';
  return [
    row('fields', 'fail', 'the fields of records are those of the baseline', fields),
    row('types', 'fail', 'the keys of records and their types are those of the baseline', (now, kept) =>
      compareEachKind(now, kept, 'key', ({ keys }) => keys),
    ),
    row('views', 'fail', 'the views and their fields are those of the baseline', (now, kept) =>
      compareEachKind(now, kept, 'view', viewTexts),
    ),
    row('facets', 'fail', 'the facets and their types are those of the baseline', (now, kept) =>
      compareEachKind(now, kept, 'facet', (census) => census.facets),
    ),
    row('collections', 'warn', 'the collections are those of the baseline', (now, kept) =>
      findNameDifferences(now.collections, kept.collections, 'collection'),
    ),
    row('filled', 'warn', `fields are filled as often as in the baseline${within}`, (now, kept) =>
      fillRates(now, kept, tolerance),
    ),
    row('totals', 'warn', `the totals are those of the baseline${within}`, (now, kept) =>
      totals(now, kept, tolerance),
    ),
  ];
}

/** Kinds that both censuses have: of a kind that came or went, the totals tell. */
function* pairKinds(now: Census, kept: Census): Generator<[RecordKind, KindCensus, KindCensus]> {
  for (const kind of RECORD_KINDS) {
    const [one, other] = [now.kinds[kind], kept.kinds[kind]];
    if (one && other) yield [kind, one, other];
  }
}

async function* fields(now: Census, kept: Census, probe: Probe): AsyncGenerator<Deviation> {
  for (const [kind, current, before] of pairKinds(now, kept)) {
    for (const field of Object.keys(current.filled)) {
      if (Object.hasOwn(before.filled, field)) continue;
      const example = current.examples[field];
      const where = example === undefined ? '' : `, as in ${example}`;
      yield deviation(`no field "${field}" in ${kind}`, `it appeared${where}: is it meant to be public?`);
    }
    for (const [field, then] of Object.entries(before.filled)) {
      // Views may still name a field that no record has any more.
      const rate = current.filled[field];
      if (rate !== undefined && (rate > 0 || then === 0)) continue;
      // A field that few records have may be in none of the sample: the record that had it tells.
      const example = before.examples[field];
      if (example !== undefined && (await hasField(probe, kind, example, field))) continue;
      yield deviation(`the field "${field}" in ${kind}`, 'it vanished');
    }
  }
}

function* compareEachKind(
  now: Census,
  kept: Census,
  name: string,
  part: (census: KindCensus) => SortedMap<string>,
) {
  for (const [kind, current, before] of pairKinds(now, kept))
    yield* findNameDifferences(part(current), part(before), `${name} of ${kind}`);
}

/** Names that came or went, and those that mean something else. */
function* findNameDifferences(
  now: SortedMap<string>,
  kept: SortedMap<string>,
  what: string,
): Generator<Deviation> {
  for (const name of new Set([...Object.keys(kept), ...Object.keys(now)])) {
    const [before, current] = [kept, now].map((each) =>
      Object.hasOwn(each, name) ? asText(each[name]) : undefined,
    );
    const described = (value: string | undefined) => (value === undefined ? 'none' : value || 'there is one');
    if (before !== current) yield deviation(`${what} "${name}": ${described(before)}`, described(current));
  }
}

function viewTexts({ views }: KindCensus): SortedMap<string> {
  const texts = Object.entries(views).map(([name, names]) => [name, asList(names).map(asText).join(', ')]);
  return Object.fromEntries(texts);
}

/** One record more or less on each page is no change worth a warning. */
const SAMPLED_PAGES = 2;

function* fillRates(now: Census, kept: Census, tolerance: number): Generator<Deviation> {
  for (const [kind, current, before] of pairKinds(now, kept)) {
    const oneRecord = (100 * SAMPLED_PAGES) / Math.min(current.sampled, before.sampled);
    for (const [field, then] of Object.entries(before.filled)) {
      const rate = current.filled[field];
      if (rate === undefined || Math.abs(rate - then) <= Math.max(tolerance, oneRecord)) continue;
      yield deviation(`${field} filled in ${then}% of ${kind}, within ${tolerance}`, `${rate}%`);
    }
  }
}

function* totals(now: Census, kept: Census, tolerance: number): Generator<Deviation> {
  for (const kind of KINDS) {
    const [current = 0, then = 0] = [now.totals[kind], kept.totals[kind]];
    const moved = Math.abs(current - then);
    if (moved <= 1 || (moved / Math.max(then, 1)) * 100 <= tolerance) continue;
    yield deviation(`${then} ${kind}, within ${tolerance}%`, current);
  }
}
