/** What the caller expects, by options; and how long responses take. */
import { getEndpoint } from '../../service/endpoints/catalogue.js';
import { KINDS } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { measureLatency } from '../probe/latency.js';
import type { Expectations } from '../samples/expectations.js';
import { requestNonEmptyPage, requestTotal } from '../samples/samples.js';

/** Milliseconds: 100 whole records took about 4 s on one deployment (FIELD-NOTES.md "Requests": cost). */
const SLOW_RESPONSE_MS = 5000;

export const createExpectationChecks = ({ minimums, fields, maxLatency }: Expectations): Check[] => [
  {
    id: 'expected.min',
    promise: 'there are at least as many records as --expect says',
    source: 'the option --expect',
    async *run(probe) {
      if (minimums.size === 0) throw new CheckNotApplicable('--expect <kind>=<number> was not given');
      for (const [kind, number] of minimums) {
        const { total, at } = await requestTotal(probe, kind);
        if (total < number) yield deviation(`at least ${number} ${kind}`, total, at);
      }
    },
  },
  {
    id: 'expected.fields',
    promise: 'records have the fields that --expect names',
    source: 'the option --expect',
    async *run(probe) {
      if (fields.size === 0) throw new CheckNotApplicable('--expect <kind>=<fields> was not given');
      for (const kind of KINDS) {
        const names = fields.get(kind) ?? [];
        if (names.length === 0) continue;
        const { records, exchange } = await requestNonEmptyPage(probe, kind);
        const lacking = names.filter((name) => !records.some((each) => each.fields.has(name)));
        const received = `no ${lacking.join(', ')} in ${records.length} records`;
        if (lacking.length > 0) yield deviation(`${names.join(', ')} in ${kind}`, received, exchange);
      }
    },
  },
  {
    id: 'latency',
    promise: 'endpoints answer in time (p95): 5 s, or what --expect latency says',
    source: 'the option --expect latency; FIELD-NOTES.md "Requests": cost',
    deviation: maxLatency === undefined ? 'warn' : 'fail',
    async *run(probe) {
      const most = maxLatency ?? SLOW_RESPONSE_MS;
      for (const { endpoint: id, p95 } of measureLatency(probe.listAllExchanges())) {
        if (p95 <= most) continue;
        const [slowest] = probe
          .listAllExchanges()
          .filter((each) => each.endpoint === id)
          .toSorted((one, other) => other.milliseconds - one.milliseconds);
        yield deviation(`GET ${getEndpoint(id).path} answers in ${most} ms (p95)`, `${p95} ms`, slowest);
      }
    },
  },
];
