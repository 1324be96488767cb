/** What is published now against the baseline: the alarm when a field appears that nobody meant to publish. */
import { asList, asText } from '../../service/json.js';
import { KINDS, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { type Census, hasField, type KindCensus, type Sorted, takeCensus } from '../material/census.js';
import type { Expectations } from '../material/expectations.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';

type Compare = (now: Census, kept: Census, probe: Probe) => AsyncIterable<Deviation> | Iterable<Deviation>;

export function againstBaseline({ baseline, tolerance }: Expectations): Check[] {
  const row = (part: string, promise: string, deviation: 'fail' | 'warn', compare: Compare): Check => ({
    id: `baseline.${part}`,
    promise,
    source: 'the option --baseline',
    deviation,
    run: async function* (probe) {
      if (!baseline) throw new NothingToTry('--baseline was not given');
      yield* compare(await takeCensus(probe, baseline), baseline, probe);
    },
  });
  return [
    row('fields', 'the fields of records are those of the baseline', 'fail', fields),
    row('types', 'the keys of records and their types are those of the baseline', 'fail', (now, kept) =>
      eachKind(now, kept, ({ keys }) => keys, 'key'),
    ),
    row('views', 'the views and their fields are those of the baseline', 'fail', (now, kept) =>
      eachKind(now, kept, ({ views }) => viewTexts(views), 'view'),
    ),
    row('facets', 'the facets and their types are those of the baseline', 'fail', (now, kept) =>
      eachKind(now, kept, ({ facets }) => facets, 'facet'),
    ),
    row('collections', 'the collections are those of the baseline', 'warn', (now, kept) =>
      differences(now.collections, kept.collections, 'collection'),
    ),
    row(
      'filled',
      'fields are filled as often as in the baseline, within the tolerance',
      'warn',
      (now, kept) => fillRates(now, kept, tolerance),
    ),
    row('totals', 'the totals are those of the baseline, within the tolerance', 'warn', (now, kept) =>
      totals(now, kept, tolerance),
    ),
  ];
}

/** Kinds that both censuses have: of a kind that came or went, the totals tell. */
function* bothKinds(now: Census, kept: Census): Generator<[RecordKind, KindCensus, KindCensus]> {
  for (const kind of RECORD_KINDS) {
    const [one, other] = [now.kinds[kind], kept.kinds[kind]];
    if (one && other) yield [kind, one, other];
  }
}

async function* fields(now: Census, kept: Census, probe: Probe): AsyncGenerator<Deviation> {
  for (const [kind, current, before] of bothKinds(now, kept)) {
    for (const field of Object.keys(current.filled)) {
      if (Object.hasOwn(before.filled, field)) continue;
      const example = current.examples[field];
      const where = example === undefined ? '' : `, as in ${example}`;
      yield {
        expected: `no field "${field}" in ${kind}`,
        received: `it appeared${where}: is it meant to be public?`,
      };
    }
    for (const [field, then] of Object.entries(before.filled)) {
      // Views may still name a field that no record has any more.
      const rate = current.filled[field];
      if (rate !== undefined && (rate > 0 || then === 0)) continue;
      if (await isStillThere(probe, kind, field, before)) continue;
      yield { expected: `the field "${field}" in ${kind}`, received: 'it vanished' };
    }
  }
}

/** A field that few records have may be in none of the sample: the record that had it tells. */
function isStillThere(
  probe: Probe,
  kind: RecordKind,
  field: string,
  before: KindCensus,
): boolean | Promise<boolean> {
  const id = before.examples[field];
  return id !== undefined && hasField(probe, kind, id, field);
}

function* eachKind(now: Census, kept: Census, part: (census: KindCensus) => Sorted<string>, name: string) {
  for (const [kind, current, before] of bothKinds(now, kept))
    yield* differences(part(current), part(before), `${name} of ${kind}`);
}

/** Names that came or went, and those that mean something else. */
function* differences(now: Sorted<string>, kept: Sorted<string>, what: string): Generator<Deviation> {
  for (const name of new Set([...Object.keys(kept), ...Object.keys(now)])) {
    const [before, current] = [kept, now].map((each) =>
      Object.hasOwn(each, name) ? asText(each[name]) : undefined,
    );
    if (before === current) continue;
    const described = (value: string | undefined) => (value === undefined ? 'none' : value || 'there is one');
    yield { expected: `${what} "${name}": ${described(before)}`, received: described(current) };
  }
}

function viewTexts(views: KindCensus['views']): Sorted<string> {
  return Object.fromEntries(
    Object.entries(views).map(([name, names]) => [name, asList(names).map(asText).join(', ')]),
  );
}

/** One record more or less on each page is no change worth a warning. */
const PAGES = 2;

function* fillRates(now: Census, kept: Census, tolerance: number): Generator<Deviation> {
  for (const [kind, current, before] of bothKinds(now, kept)) {
    const oneRecord = (100 * PAGES) / Math.min(current.sampled, before.sampled);
    for (const [field, then] of Object.entries(before.filled)) {
      const rate = current.filled[field];
      if (rate === undefined || Math.abs(rate - then) <= Math.max(tolerance, oneRecord)) continue;
      yield { expected: `${field} filled in ${then}% of ${kind}, within ${tolerance}`, received: `${rate}%` };
    }
  }
}

function* totals(now: Census, kept: Census, tolerance: number): Generator<Deviation> {
  for (const kind of KINDS) {
    const [current = 0, then = 0] = [now.totals[kind], kept.totals[kind]];
    const moved = Math.abs(current - then);
    if (moved <= 1 || (moved / Math.max(then, 1)) * 100 <= tolerance) continue;
    yield { expected: `${then} ${kind}, within ${tolerance}%`, received: `${current}` };
  }
}
