/** What the caller expects, by options; and how long responses take. */
import { endpoint } from '../../service/endpoints/catalogue.js';
import { KINDS } from '../../service/kinds.js';
import type { Check } from '../check.js';
import type { Expectations } from '../material/expectations.js';
import { someRecords, totalOf } from '../material/samples.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import { latencies } from '../probe/latency.js';
import type { Probe } from '../probe/probe.js';

/** Milliseconds: 100 whole records took about 4 s on one deployment (FIELD-NOTES.md "Requests": cost). */
const SLOW = 5000;

export const expected = ({ least, fields, maxLatency }: Expectations): Check[] => [
  {
    id: 'expected.min',
    promise: 'there are at least as many records as --expect says',
    source: 'the option --min',
    run: (probe) => enough(probe, least),
  },
  {
    id: 'expected.fields',
    promise: 'records have the fields that --expect names',
    source: 'the option --expect',
    run: (probe) => present(probe, fields),
  },
  {
    id: 'latency',
    promise: 'endpoints answer in time (p95): 5 s, or what --expect latency says',
    source: 'the option --expect latency; FIELD-NOTES.md "Requests": cost',
    deviation: maxLatency === undefined ? 'warn' : 'fail',
    run: (probe) => inTime(probe, maxLatency ?? SLOW),
  },
];

async function* enough(probe: Probe, least: Expectations['least']): AsyncGenerator<Deviation> {
  if (least.size === 0) throw new NothingToTry('--expect <kind>=<number> was not given');
  for (const [kind, number] of least) {
    const { total, at } = await totalOf(probe, kind);
    if (total < number) yield { expected: `at least ${number} ${kind}`, received: `${total}`, at };
  }
}

async function* present(probe: Probe, wanted: Expectations['fields']): AsyncGenerator<Deviation> {
  if (wanted.size === 0) throw new NothingToTry('--expect <kind>=<fields> was not given');
  for (const kind of KINDS) {
    const names = wanted.get(kind) ?? [];
    if (names.length === 0) continue;
    const { records, at } = await someRecords(probe, kind);
    const seen = new Set(records.flatMap((each) => [...each.fields.keys()]));
    const lacking = names.filter((name) => !seen.has(name));
    if (lacking.length > 0)
      yield {
        expected: `${names.join(', ')} in ${kind}`,
        received: `no ${lacking.join(', ')} in ${records.length} records`,
        at,
      };
  }
}

async function* inTime(probe: Probe, most: number): AsyncGenerator<Deviation> {
  const exchanges = await probe.all();
  for (const { endpoint: id, p95 } of latencies(exchanges)) {
    if (p95 <= most) continue;
    const slowest = exchanges
      .filter((each) => each.endpoint === id)
      .toSorted((one, other) => other.milliseconds - one.milliseconds);
    yield {
      expected: `GET ${endpoint(id).path} answers in ${most} ms (p95)`,
      received: `${p95} ms`,
      at: slowest[0],
    };
  }
}
