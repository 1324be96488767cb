/** Who may read: what INTERFACE.md "Authentication" says of the Authorization header. */
import { KIND_WORDS } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import { type Probe, Unanswered } from '../probe/probe.js';
import type { Caller } from '../probe/recorder.js';

const SOURCE = 'INTERFACE.md "Authentication"; FIELD-NOTES.md "Errors": 401';
const QUERY = [['limit', '0']] as const;

/** Runs before all others: when it fails, no other can run. */
export const FIRST: Check = {
  id: 'access.works',
  promise: 'the deployment answers, and takes the credentials in use',
  source: SOURCE,
  run: works,
};

export const ACCESS: readonly Check[] = [
  FIRST,
  {
    id: 'access.none',
    promise: 'a request without credentials is refused with 401',
    source: SOURCE,
    run: (probe) => refuses(probe, 'nobody', 'without an Authorization header'),
  },
  {
    id: 'access.token',
    promise: 'a request with a wrong token is refused with 401',
    source: SOURCE,
    run: (probe) => refuses(probe, 'stranger', 'with a token that was never given out'),
  },
];

async function* works(probe: Probe): AsyncGenerator<Deviation> {
  const paths = (['records', 'objects'] as const).map((kind) => `/${KIND_WORDS[kind].segment}`);
  for (const path of paths) {
    try {
      await probe.askPath(path, QUERY);
      return;
    } catch (error) {
      const isMissing = error instanceof Unanswered && error.status === 404;
      if (!isMissing || path === paths.at(-1)) throw error;
    }
  }
}

async function* refuses(probe: Probe, as: Caller, how: string): AsyncGenerator<Deviation> {
  if (probe.scheme === 'anonymous')
    throw new NothingToTry('the deployment is read without credentials, so it has none to refuse');
  const expected = `a request ${how} is refused with 401`;
  try {
    const { at } = await probe.ask('records.search', { query: QUERY, as });
    yield { expected, received: `it is answered with ${at.status}, as if everybody may read`, at };
  } catch (error) {
    if (!(error instanceof Unanswered) || error.isSilence) throw error;
    const { status, at } = error;
    if (status === 401) return;
    // Any other refusal protects the records as well; only 401 was observed.
    const verdict = status !== undefined && status >= 400 && status < 500 ? 'warn' : 'fail';
    yield { expected, received: `it is answered with ${status}`, at, verdict };
  }
}
