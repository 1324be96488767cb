/** Checks the expectations of the user (`--expect`), and the time and encoding of all responses of the run. */
import { getEndpoint } from '../../service/endpoints/catalogue.js';
import { KINDS } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { measureLatency } from '../probe/latency.js';
import type { Expectations } from '../samples/expectations.js';
import { requestFirstPage, requestNonEmptyPage, requestTotal } from '../samples/samples.js';

/** On one deployment, 100 complete records took about 4 s (FIELD-NOTES.md "Requests": cost). */
const SLOW_RESPONSE_MS = 5000;

export const createExpectationChecks = ({ minimums, fields, maxLatency }: Expectations): Check[] => [
  {
    id: 'expected.min',
    promise: 'there are at least as many records as --expect requires',
    source: 'the option --expect',
    async *run(probe) {
      if (minimums.size === 0) throw new CheckNotApplicable('needs --expect <kind>=<number>');
      for (const [kind, number] of minimums) {
        const { total, exchange } = await requestTotal(probe, kind);
        if (total < number) yield deviation(`at least ${number} ${kind}`, total, exchange);
      }
    },
  },
  {
    id: 'expected.fields',
    promise: 'records have the fields that --expect names',
    source: 'the option --expect',
    async *run(probe) {
      if (fields.size === 0) throw new CheckNotApplicable('needs --expect <kind>=<fields>');
      for (const kind of KINDS) {
        const names = fields.get(kind) ?? [];
        if (names.length === 0) continue;
        const { records, exchange } = await requestNonEmptyPage(probe, kind);
        const missing = names.filter((name) => !records.some((each) => each.fields.has(name)));
        const received = `no ${missing.join(', ')} in ${records.length} records`;
        if (missing.length > 0) yield deviation(`${names.join(', ')} in ${kind}`, received, exchange);
      }
    },
  },
  {
    id: 'latency',
    promise: 'the 95th percentile of response times is at most 5 s, or the value of --expect latency',
    source: 'the option --expect latency; opac help field-notes, "Requests": cost',
    ...(maxLatency === undefined && { warning: 'a slow response still contains all records' }),
    async *run(probe) {
      const limit = maxLatency ?? SLOW_RESPONSE_MS;
      for (const { endpoint: id, p95 } of measureLatency(probe.listAllExchanges())) {
        if (p95 <= limit) continue;
        const [slowest] = probe
          .listAllExchanges()
          .filter((each) => each.endpoint === id)
          .toSorted((one, other) => other.request.milliseconds - one.request.milliseconds);
        const expected = `GET ${getEndpoint(id).path} responds within ${limit} ms (p95)`;
        yield deviation(expected, `${p95} ms`, slowest);
      }
    },
  },
  {
    id: 'encoding',
    promise: 'responses are UTF-8, or in the encoding that they declare',
    source: 'RFC 8259 section 8.1',
    async *run(probe) {
      // Requests records, because the other checks may have requested none. Ignores errors: this check examines only responses.
      for (const kind of KINDS) await requestFirstPage(probe, kind).catch(() => {});
      const responses = probe.listAllExchanges();
      if (responses.length === 0) throw new CheckNotApplicable('no request received a response');
      for (const exchange of responses.filter(({ isUtf8 }) => !isUtf8))
        yield deviation('UTF-8, or a charset in the content type', 'bytes that are not UTF-8', exchange);
    },
  },
];
