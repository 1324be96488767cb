/** Checks a deployment, as `opac check` does. */
import { readFile } from 'node:fs/promises';
import { CHECK_RETRIES, createCheckedDeployment } from '../check/checked-deployment.js';
import { createChecks, selectChecks } from '../check/checks.js';
import { parseKnownDeviations } from '../check/known-deviations.js';
import { Recorder } from '../check/probe/recorder.js';
import type { CheckResult, Report } from '../check/reports/report-text.js';
import { runChecks } from '../check/run-checks.js';
import { parseBaseline } from '../check/samples/baseline.js';
import { DEFAULT_TOLERANCE_PERCENT } from '../check/samples/expectations.js';
import { type Client, type ClientOptions, createClient } from '../client/client.js';

/** The checks to run, and the files that they use. */
export interface CheckOptions {
  /** Ids or groups of checks, such as `paging` or `search.*`. Default: all checks. */
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** A file from `opac check --update-baseline`. */
  readonly baseline?: string | undefined;
  /** A file with accepted deviations, one per line. */
  readonly known?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onResult?: ((result: CheckResult) => void) | undefined;
}

/**
 * Sends fewer than 100 requests. Throws a UsageError for an unknown check or an invalid file, the error of Node for an unreadable
 * file, an OpacError if the deployment does not respond or rejects the credentials, and the reason of the signal.
 */
export async function checkDeployment(
  connection: ClientOptions,
  options: CheckOptions = {},
): Promise<Report> {
  const { only = [], skip = [], baseline, known, onResult, signal = new AbortController().signal } = options;
  const all = createChecks({
    minimums: new Map(),
    fields: new Map(),
    maxLatency: undefined,
    tolerance: DEFAULT_TOLERANCE_PERCENT,
    baseline: baseline === undefined ? undefined : parseBaseline(await readFile(baseline, 'utf8'), baseline),
  });
  const checks = selectChecks(all, { only, skip });
  const accepted = known === undefined ? [] : parseKnownDeviations(await readFile(known, 'utf8'), known, all);
  const clients: Client[] = [];
  const connect = (more: Partial<ClientOptions>) => {
    const client = createClient({ retries: CHECK_RETRIES, ...connection, ...more });
    clients.push(client);
    return client;
  };
  const scheme = connection.credentials?.scheme ?? 'anonymous';
  const deployment = createCheckedDeployment(scheme, new Recorder(() => ''), signal, connect);
  try {
    const clock = { now: Date.now };
    const { report, error } = await runChecks({ checks, deployment, known: accepted, clock, onResult });
    signal.throwIfAborted();
    if (error) throw error;
    return report;
  } finally {
    for (const client of clients) await client.close();
  }
}
