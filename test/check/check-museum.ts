/** Runs the checks of `opac check` against a museum, with a clock that does not wait. */
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createChecks } from '../../src/check/checks.js';
import type { KnownDeviation } from '../../src/check/known-deviations.js';
import type { Probe } from '../../src/check/probe/probe.js';
import { type CredentialsKind, Recorder } from '../../src/check/probe/recorder.js';
import type { CheckResult } from '../../src/check/reports/report-text.js';
import { type CheckRunOutcome, runChecks } from '../../src/check/run-checks.js';
import { DEFAULT_TOLERANCE_PERCENT, type Expectations } from '../../src/check/samples/expectations.js';
import { createClient } from '../../src/client/client.js';
import { ANONYMOUS, type Credentials } from '../../src/client/credentials.js';
import { type Museum, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { clearSecrets } from '../../src/service/redact.js';

export interface CheckOptions {
  readonly expectations?: Partial<Expectations>;
  readonly known?: readonly KnownDeviation[];
  readonly signal?: AbortSignal;
  readonly onResult?: (result: CheckResult) => void;
  readonly afterwards?: (probe: Probe) => Promise<void>;
}

const NO_EXPECTATIONS: Expectations = {
  minimums: new Map(),
  maxLatency: undefined,
  fields: new Map(),
  baseline: undefined,
  tolerance: DEFAULT_TOLERANCE_PERCENT,
};

/** Returns a clock that jumps instead of waiting. Pauses protect real deployments; the museum does not need them. */
function jumpingClock() {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    sleep: async (milliseconds: number) => {
      ahead += milliseconds;
    },
  };
}

const fixed = (scheme: Credentials['scheme'], value: string): Credentials => ({
  scheme,
  authorization: async () => value,
});

/** Starts a museum, which closes when the test ends. */
export async function openMuseum(options: MuseumOptions = {}): Promise<Museum> {
  const museum = await startMuseum(options);
  onTestFinished(() => museum.close());
  return museum;
}

/** Runs all checks against a museum. If `access` is `authorized`, the user has a token of the museum. */
export async function checkMuseum(
  museum: Museum,
  access: MuseumOptions['access'],
  {
    expectations,
    known = [],
    signal = new AbortController().signal,
    onResult,
    afterwards,
  }: CheckOptions = {},
): Promise<CheckRunOutcome> {
  // Each run of opac does this, too. Otherwise, hiding the secrets of all earlier runs would take half of the time.
  clearSecrets();
  const scheme = access === 'authorized' ? 'bearer' : 'anonymous';
  const recorder = new Recorder(({ path }, caller) => `curl ${caller} ${museum.url}/api/v3${path}`);
  const clock = jumpingClock();
  const client = (caller: CredentialsKind, credentials: Credentials) =>
    createClient({
      baseUrl: museum.url,
      credentials,
      retries: 1,
      clock,
      wrapTransport: recorder.withRecording(caller),
    });
  const clients = {
    user: client('user', scheme === 'bearer' ? fixed('bearer', `Bearer ${museum.issueToken()}`) : ANONYMOUS),
    none: client('none', ANONYMOUS),
    invalid: client('invalid', fixed('bearer', `Bearer ${randomUUID()}`)),
  };
  try {
    return await runChecks({
      checks: createChecks({ ...NO_EXPECTATIONS, ...expectations }),
      deployment: {
        scheme,
        recorder,
        clients,
        signal,
      },
      known,
      clock: { now: Date.now },
      onResult,
      afterwards,
    });
  } finally {
    await Promise.all(Object.values(clients).map((each) => each.close()));
  }
}

/** Returns the checks that failed or warned, such as `paging.cap warn`. */
export function listDeviations({ report }: CheckRunOutcome): string[] {
  return report.checks
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id, verdict }) => `${id} ${verdict}`);
}
