/** Who may read: what INTERFACE.md "Authentication" says of the Authorization header. */
import { KIND_KEYS } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { RequestFailed } from '../probe/probe.js';
import type { CredentialsKind } from '../probe/recorder.js';

const SOURCE = 'INTERFACE.md "Authentication"; FIELD-NOTES.md "Errors": 401';
const QUERY = [['limit', '0']] as const;

/** Runs before all others: when it fails, no other can run. */
export const REACHABILITY_CHECK: Check = {
  id: 'access.works',
  promise: 'the deployment answers, and takes the credentials in use',
  source: SOURCE,
  // biome-ignore lint/correctness/useYield: what fails here fails by throwing
  async *run(probe) {
    try {
      await probe.askPath(`/${KIND_KEYS.records.segment}`, QUERY);
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
      await probe.askPath(`/${KIND_KEYS.objects.segment}`, QUERY);
    }
  },
};

export const ACCESS_CHECKS: readonly Check[] = [
  REACHABILITY_CHECK,
  refusal('access.none', 'nobody', 'without credentials'),
  refusal('access.token', 'stranger', 'with a wrong token'),
];

function refusal(id: string, as: CredentialsKind, how: string): Check {
  const promise = `a request ${how} is refused with 401`;
  return {
    id,
    promise,
    source: SOURCE,
    async *run(probe) {
      if (probe.scheme === 'anonymous')
        throw new CheckNotApplicable('the deployment is read without credentials, so it has none to refuse');
      try {
        const { exchange } = await probe.request('records.search', { query: QUERY, as });
        yield deviation(
          promise,
          `it is answered with ${exchange.status}, as if everybody may read`,
          exchange,
        );
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.isSilence) throw error;
        const { status = 0, exchange } = error;
        if (status === 401) return;
        // Any other refusal protects the records as well; only 401 was observed.
        const verdict = status >= 400 && status < 500 ? 'warn' : 'fail';
        yield deviation(promise, `it is answered with ${error.status}`, exchange, verdict);
      }
    },
  };
}
