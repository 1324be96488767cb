/** Compares the published data with the baseline (an earlier summary), for example to find fields published by mistake. */
import { asList, asText } from '../../service/json.js';
import { KINDS, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, type Deviation, deviation } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';
import {
  type Census,
  hasFieldValue,
  type KindCensus,
  type SortedMap,
  takeCensus,
} from '../samples/census.js';
import type { Expectations } from '../samples/expectations.js';

type Deviations = AsyncIterable<Deviation> | Iterable<Deviation>;
type Compare = (now: Census, earlier: Census, tolerance: number, probe: Probe) => Deviations;

const EDITS = 'edits of the records also change this';

export function createBaselineChecks({ baseline, tolerance }: Expectations): Check[] {
  const createCheck = (part: string, warning: string | undefined, what: string, compare: Compare): Check => ({
    id: `baseline.${part}`,
    promise: `the ${what} are the same as in the baseline`,
    source: 'the option --baseline',
    ...(warning !== undefined && { warning }),
    run: async function* (probe) {
      if (!baseline) throw new CheckNotApplicable('needs --baseline');
      yield* compare(await takeCensus(probe, baseline), baseline, tolerance, probe);
    },
  });
  return [
    createCheck('fields', undefined, 'fields of records', compareFields),
    createCheck('types', undefined, 'keys of records and their types', function* (now, earlier) {
      yield* findMissingKinds(now, earlier);
      yield* compareEachKind(now, earlier, 'key', ({ keys }) => keys);
    }),
    createCheck('views', undefined, 'views and their fields', (now, earlier) =>
      compareEachKind(now, earlier, 'view', formatViews),
    ),
    createCheck('facets', undefined, 'facets and their types', (now, earlier) =>
      compareEachKind(now, earlier, 'facet', ({ facets }) => facets),
    ),
    createCheck('collections', EDITS, 'collections', (now, earlier) =>
      findNameDifferences(now.collections, earlier.collections, 'collection'),
    ),
    createCheck('filled', EDITS, 'fill rates of fields (within the tolerance)', compareFillRates),
    createCheck('totals', EDITS, 'totals (within the tolerance)', compareTotals),
  ];
}

function* findMissingKinds(now: Census, earlier: Census): Generator<Deviation> {
  for (const kind of RECORD_KINDS)
    if (earlier.kinds[kind] && !now.kinds[kind]) yield deviation(`${kind} as in the baseline`, `no ${kind}`);
}

function* pairKinds(now: Census, earlier: Census): Generator<[RecordKind, KindCensus, KindCensus]> {
  for (const kind of RECORD_KINDS) {
    const [one, other] = [now.kinds[kind], earlier.kinds[kind]];
    if (one && other) yield [kind, one, other];
  }
}

async function* compareFields(now: Census, earlier: Census, _: number, probe: Probe) {
  yield* findMissingKinds(now, earlier);
  for (const [kind, current, before] of pairKinds(now, earlier)) {
    for (const field of Object.keys(current.filled)) {
      if (Object.hasOwn(before.filled, field)) continue;
      const example = current.examples[field];
      const where = example === undefined ? '' : ` (for example ${example})`;
      const received = `new field "${field}" in ${kind}${where}; should it be public?`;
      yield deviation(`no field "${field}" in ${kind}`, received);
    }
    for (const [field, then] of Object.entries(before.filled)) {
      // The rate is 0 if a view lists the field, but no record in the sample contains it.
      const rate = current.filled[field];
      if (rate !== undefined && (rate > 0 || then === 0)) continue;
      // A rare field may be absent from the sample, so opac also requests the example record of the baseline.
      const example = before.examples[field];
      if (example !== undefined && (await hasFieldValue(probe, kind, example, field))) continue;
      yield deviation(`the field "${field}" in ${kind}`, 'no examined record has a value in this field');
    }
  }
}

function* compareEachKind(
  now: Census,
  earlier: Census,
  name: string,
  part: (census: KindCensus) => SortedMap<string>,
) {
  for (const [kind, current, before] of pairKinds(now, earlier))
    yield* findNameDifferences(part(current), part(before), `${name} of ${kind}`);
}

function* findNameDifferences(
  now: SortedMap<string>,
  earlier: SortedMap<string>,
  what: string,
): Generator<Deviation> {
  for (const name of new Set([...Object.keys(earlier), ...Object.keys(now)])) {
    const [before, current] = [earlier, now].map((each) =>
      Object.hasOwn(each, name) ? asText(each[name]) : undefined,
    );
    const describe = (value: string | undefined) => (value === undefined ? 'none' : value || 'exists');
    if (before !== current) yield deviation(`${what} "${name}": ${describe(before)}`, describe(current));
  }
}

function formatViews({ views }: KindCensus): SortedMap<string> {
  const texts = Object.entries(views).map(([name, names]) => [name, asList(names).map(asText).join(', ')]);
  return Object.fromEntries(texts);
}

/** The maximum number of pages that a census reads for each kind. */
const SAMPLED_PAGES = 2;

function* compareFillRates(now: Census, earlier: Census, tolerance: number) {
  for (const [kind, current, before] of pairKinds(now, earlier)) {
    const oneRecordPerPage = (100 * SAMPLED_PAGES) / Math.min(current.sampled, before.sampled);
    for (const [field, then] of Object.entries(before.filled)) {
      const rate = current.filled[field];
      if (rate === undefined || Math.abs(rate - then) <= Math.max(tolerance, oneRecordPerPage)) continue;
      yield deviation(
        `${field} filled in ${then}% of ${kind}, within ${tolerance} percentage points`,
        `${rate}%`,
      );
    }
  }
}

function* compareTotals(now: Census, earlier: Census, tolerance: number) {
  for (const kind of KINDS) {
    const [current = 0, then = 0] = [now.totals[kind], earlier.totals[kind]];
    const moved = Math.abs(current - then);
    const isOneRecord = moved === 1 && current > 0;
    if (isOneRecord || (moved / Math.max(then, 1)) * 100 <= tolerance) continue;
    // Edits seldom remove more than half of the records.
    const verdict = current < then / 2 ? 'fail' : 'warn';
    yield deviation(`${then} ${kind}, within ${tolerance}%`, current, undefined, verdict);
  }
}
