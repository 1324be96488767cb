/** Runs the checks one after the other. A check runs earlier if another check needs it. */
import { HttpError } from '../client/errors/http-error.js';
import { OpacError, UsageError } from '../service/errors.js';
import { VERSION } from '../service/version.js';
import type { Clock } from '../system/clock.js';
import type { Check, Verdict } from './check.js';
import { REACHABILITY_CHECK } from './checks/access.js';
import { getEndpointCheckId } from './checks/endpoints.js';
import { applyKnownDeviations, type KnownDeviation } from './known-deviations.js';
import {
  CheckBlocked,
  CheckNotApplicable,
  type Deviation,
  deviation,
  type RecordedExchange,
} from './probe/deviation.js';
import { measureLatency } from './probe/latency.js';
import { type CheckedDeployment, Probe, type Received, RequestFailed } from './probe/probe.js';
import {
  type CheckResult,
  REPORT_VERSION,
  type Report,
  type ReportedDeviation,
} from './reports/report-text.js';

export interface RunOptions {
  readonly checks: readonly Check[];
  readonly deployment: CheckedDeployment;
  readonly known: readonly KnownDeviation[];
  readonly clock: Pick<Clock, 'now'>;
  /** Sends further requests after the checks, unless the run stopped early. */
  readonly afterwards?: ((probe: Probe) => Promise<void>) | undefined;
  readonly onResult?: ((result: CheckResult) => void) | undefined;
}

export interface CheckRunOutcome {
  readonly report: Report;
  readonly error: OpacError | undefined;
}

/** Runs the checks and returns their report, even if the run is interrupted. Throws the errors of `afterwards`. */
export function runChecks(options: RunOptions): Promise<CheckRunOutcome> {
  return new CheckRun(options).run();
}

/** The outcome of one check. `#toResult` adds deviations for requests that failed or were retried. */
interface Outcome {
  readonly deviations: readonly Deviation[];
  readonly ended?: RequestFailed | CheckNotApplicable | undefined;
  readonly used: ReadonlySet<RecordedExchange>;
}

/** A check stops after this number of deviations. */
const MAX_DEVIATIONS = 5;

class CheckRun {
  readonly #options: RunOptions;
  readonly #received: Received = { responses: new Map(), images: new Map(), exchanges: [] };
  readonly #outcomes = new Map<string, Outcome>();
  /** For each request: the id of the one check that reports its time and its retries. Other checks may use the request too. */
  readonly #counted = new Map<RecordedExchange, string>();
  #stopReason: CheckNotApplicable | undefined;
  #error: OpacError | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  async run(): Promise<CheckRunOutcome> {
    const { checks, known, clock, onResult, deployment } = this.#options;
    const started = clock.now();
    const first = await this.#getOutcome(REACHABILITY_CHECK);
    if (first.ended instanceof RequestFailed) this.#stop(toDeploymentError(first.ended.error));
    const results: CheckResult[] = [];
    for (const check of checks) {
      const outcome = await this.#getOutcome(check);
      const result = applyKnownDeviations(this.#toResult(check, outcome), known, clock.now());
      results.push(result);
      onResult?.(result);
    }
    const probe = this.#createProbe('');
    if (!this.#error) await this.#options.afterwards?.(probe);
    const { recorder, clients, scheme } = deployment;
    const error = this.#error;
    const count = (verdict: Verdict) => results.filter((each) => each.verdict === verdict).length;
    return {
      error,
      report: {
        version: REPORT_VERSION,
        generator: `opac ${VERSION}`,
        deployment: recorder.sanitize(clients.user.baseUrl, 500),
        scheme,
        started: new Date(started).toISOString(),
        milliseconds: Math.round(clock.now() - started),
        requests: recorder.sent,
        ended: getEndReason(error),
        problem: error ? recorder.sanitize(error.message) : null,
        summary: { pass: count('pass'), fail: count('fail'), warn: count('warn'), skip: count('skip') },
        checks: results,
        latency: measureLatency(probe.listAllExchanges()),
      },
    };
  }

  async #getOutcome(check: Check): Promise<Outcome> {
    const outcome = this.#outcomes.get(check.id) ?? (await this.#runCheck(check));
    this.#outcomes.set(check.id, outcome);
    return outcome;
  }

  async #runCheck(check: Check): Promise<Outcome> {
    const probe = this.#createProbe(check.id);
    const deviations: Deviation[] = [];
    let ended: Outcome['ended'];
    try {
      if (this.#stopReason) throw this.#stopReason;
      for (const id of check.needs ?? []) await this.#waitForCheck(id, 'warn');
      for await (const each of check.run(probe)) if (deviations.push(each) === MAX_DEVIATIONS) break;
    } catch (error) {
      if (this.#options.deployment.signal.aborted) ended = this.#recordInterruption();
      else if (error instanceof CheckNotApplicable || error instanceof RequestFailed) ended = error;
      else deviations.push(toDeviation(error));
    }
    if (ended instanceof RequestFailed && ended.lacksStatus) await this.#confirmAlive(ended.error);
    return { deviations, ended, used: probe.usedExchanges };
  }

  #createProbe(id: string): Probe {
    return new Probe(this.#options.deployment, this.#received, async (endpointId) => {
      if (this.#stopReason) throw this.#stopReason;
      const needed = getEndpointCheckId(endpointId);
      if (needed !== id) await this.#waitForCheck(needed, 'fail');
    });
  }

  /**
   * Runs the check `id`, if it is selected. Throws CheckBlocked if that check finds a deviation with the verdict `least` or a
   * worse one, if one of its requests fails, or if it is blocked. With `fail`, also throws CheckNotApplicable if that check is
   * not applicable.
   */
  async #waitForCheck(id: string, least: 'fail' | 'warn'): Promise<void> {
    const check = this.#options.checks.find((each) => each.id === id);
    if (!check) return;
    const { deviations, ended } = await this.#getOutcome(check);
    const deviates = deviations.some(
      ({ verdict = getSeverity(check) }) => verdict === 'fail' || least === 'warn',
    );
    if (deviates || ended instanceof RequestFailed || ended instanceof CheckBlocked)
      throw new CheckBlocked(`depends on ${id}, which did not pass`);
    if (ended && least === 'fail') throw new CheckNotApplicable(ended.message);
  }

  #recordInterruption(): CheckNotApplicable {
    const { reason } = this.#options.deployment.signal;
    this.#error ??= reason instanceof OpacError ? reason : new OpacError('interrupted', 'interrupted');
    return new CheckNotApplicable(this.#error.message);
  }

  /** Stops the run if a second request also receives no response. */
  async #confirmAlive(silence: OpacError): Promise<void> {
    const { clients, signal } = this.#options.deployment;
    try {
      await clients.none.getPath('/opacrecords', { query: [['limit', '0']], signal });
    } catch (error) {
      if (!signal.aborted && error instanceof HttpError && error.status === undefined) this.#stop(silence);
    }
  }

  #stop(error: OpacError): void {
    this.#error ??= error;
    const message = this.#options.deployment.recorder.sanitize(error.message);
    this.#stopReason ??= new CheckNotApplicable(
      error.kind === 'auth' ? message : `the deployment does not respond: ${message}`,
    );
  }

  #toResult(check: Check, outcome: Outcome): CheckResult {
    const { id, promise, source, warning = null } = check;
    const severity = getSeverity(check);
    const { recorder } = this.#options.deployment;
    const failed = outcome.ended instanceof RequestFailed ? outcome.ended : undefined;
    const found = [...outcome.deviations];
    const own = [...outcome.used].filter((each) => !this.#counted.has(each));
    const blamed = failed && this.#counted.get(failed.exchange);
    if (failed && blamed === undefined) {
      found.push(deviation('a valid response', failed.message, failed.exchange, 'fail'));
      own.push(failed.exchange);
    }
    for (const exchange of own) {
      this.#counted.set(exchange, id);
      if (exchange.request.tries > 1 && exchange !== failed?.exchange)
        found.push(createFlakyDeviation(exchange));
    }
    const skipped = blamed ? `depends on a request that failed in ${blamed}` : outcome.ended?.message;
    const isSkipped = skipped !== undefined && found.length === 0;
    const verdict = isSkipped ? 'skip' : findWorst(found.map((each) => each.verdict ?? severity));
    const whyWarning = verdict === 'warn' && outcome.deviations.length > 0 ? warning : null;
    return {
      id,
      promise,
      source,
      verdict,
      milliseconds: own.reduce((sum, { request }) => sum + request.milliseconds, 0),
      reason: isSkipped ? recorder.sanitize(skipped) : whyWarning,
      deviations: found.map((each) => this.#toReported(each)),
    };
  }

  #toReported({ expected, received, at }: Deviation): ReportedDeviation {
    const { recorder } = this.#options.deployment;
    return {
      expected: recorder.sanitize(expected),
      received: recorder.sanitize(received),
      request: at?.request ?? null,
    };
  }
}

function getSeverity({ warning }: Check): 'fail' | 'warn' {
  return warning === undefined ? 'fail' : 'warn';
}

function createFlakyDeviation(at: RecordedExchange): Deviation {
  const received = `flaky: ${at.earlier.join(', ')}, then ${at.request.status} on try ${at.request.tries}`;
  return deviation('a valid response to the first try', received, at, 'warn');
}

function toDeviation(error: unknown): Deviation {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof UsageError
    ? deviation('ids that can be used in a URL path', message, undefined, 'fail')
    : deviation('the check runs', `internal error (a bug in opac): ${message}`, undefined, 'fail');
}

function findWorst(verdicts: readonly Verdict[]): Verdict {
  return (['fail', 'warn'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'pass';
}

function getEndReason(error: OpacError | undefined): Report['ended'] {
  if (!error) return 'finished';
  if (error.kind === 'interrupted' || error.code === 'deadline') return 'interrupted';
  return error.kind === 'auth' ? 'unauthorized' : 'unreachable';
}

/** The checks send only valid requests, so the deployment is the cause of `usage` and `not-found` errors, not the user. */
function toDeploymentError(error: OpacError): OpacError {
  if (error.kind !== 'usage' && error.kind !== 'not-found') return error;
  return new OpacError('deployment', error.message, { hint: error.hint, code: error.code, cause: error });
}
