/** Checks access with valid, missing and invalid credentials (INTERFACE.md "Authentication"). */
import { KIND_KEYS } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { RequestFailed } from '../probe/probe.js';
import type { CredentialsKind } from '../probe/recorder.js';

const SOURCE = 'opac help interface, "Authentication"; opac help field-notes, "Errors": 401';
const QUERY = [['limit', '0']] as const;

/** Runs before all other checks, even if it is not selected. If it fails, the other checks cannot run. */
export const REACHABILITY_CHECK: Check = {
  id: 'access.works',
  promise: 'the deployment responds and accepts the credentials',
  source: SOURCE,
  // biome-ignore lint/correctness/useYield: this check reports errors only by throwing
  async *run(probe) {
    try {
      await probe.requestPath(`/${KIND_KEYS.records.segment}`, QUERY);
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
      await probe.requestPath(`/${KIND_KEYS.objects.segment}`, QUERY);
    }
  },
};

export const ACCESS_CHECKS: readonly Check[] = [
  REACHABILITY_CHECK,
  createRefusalCheck('access.none', 'none', 'without credentials'),
  createRefusalCheck('access.token', 'invalid', 'with a token that the service never issued'),
];

function createRefusalCheck(id: string, credentials: CredentialsKind, how: string): Check {
  const promise = `a request ${how} is rejected with 401`;
  return {
    id,
    promise,
    source: SOURCE,
    async *run(probe) {
      if (probe.scheme === 'anonymous')
        throw new CheckNotApplicable('the deployment is used without credentials');
      try {
        const { exchange } = await probe.request('records.search', { query: QUERY, as: credentials });
        const received = `the service responded with ${exchange.request.status}; anyone can read the records`;
        yield deviation(promise, received, exchange);
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.lacksStatus) throw error;
        const { status = 0, exchange } = error;
        if (status === 401) return;
        // Any status from 400 to 499 protects the records, but real deployments respond with 401.
        const verdict = status >= 400 && status < 500 ? 'warn' : 'fail';
        yield deviation(promise, `the service responded with ${error.status}`, exchange, verdict);
      }
    },
  };
}
