/** Responses are UTF-8: other bytes become U+FFFD in every export, and what they were is lost. */
import { KINDS } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { requestFirstPage } from '../samples/samples.js';

export const ENCODING: readonly Check[] = [
  {
    id: 'encoding',
    promise: 'responses are UTF-8, or in the encoding that they declare',
    source: 'RFC 8259 section 8.1',
    /** Looks at all responses of the run, and at the first records where no other check has requested them. */
    async *run(probe) {
      // A request that fails is reported by the check of its endpoint.
      for (const kind of KINDS) await requestFirstPage(probe, kind).catch(() => {});
      const responses = probe.listAllExchanges();
      if (responses.length === 0) throw new CheckNotApplicable('there was no response');
      for (const at of responses.filter(({ isUtf8 }) => !isUtf8))
        yield deviation('UTF-8, or a charset in the content type', 'bytes that are not UTF-8', at);
    },
  },
];
