import type { OpacError } from '../service/errors.js';
import { VERSION } from '../service/version.js';
import type { Verdict } from './check.js';
import { CheckRun, type RunOptions } from './check-run.js';
import { latencies } from './probe/latency.js';
import { type CheckResult, REPORT_VERSION, type Report } from './reports/report.js';

export interface Run {
  readonly report: Report;
  readonly error: OpacError | undefined;
}

/** Runs the checks. Never throws for what the deployment does: that is in the report. */
export async function runChecks(options: RunOptions): Promise<Run> {
  const { clock, onResult } = options;
  const started = clock.now();
  const run = new CheckRun(options);
  const results: CheckResult[] = [];
  for await (const result of run.results()) {
    results.push(result);
    onResult?.(result);
  }
  if (!run.error) await run.afterwards();
  const count = (verdict: Verdict) => results.filter((each) => each.verdict === verdict).length;
  const { recorder, clients, scheme } = options.deployment;
  const error = run.error;
  return {
    error,
    report: {
      version: REPORT_VERSION,
      generator: `opac ${VERSION}`,
      deployment: recorder.clean(clients.user.baseUrl, 500),
      scheme,
      started: new Date(started).toISOString(),
      milliseconds: Math.round(clock.now() - started),
      requests: recorder.sent,
      ended: endOf(error),
      problem: error ? recorder.clean(error.message) : null,
      summary: { pass: count('pass'), fail: count('fail'), warn: count('warn'), skip: count('skip') },
      checks: results,
      latency: latencies(await run.exchanges()),
    },
  };
}

function endOf(error: OpacError | undefined): Report['ended'] {
  if (!error) return 'finished';
  if (error.kind === 'interrupted' || error.code === 'deadline') return 'interrupted';
  return error.kind === 'auth' ? 'unauthorized' : 'unreachable';
}
