/** Runs the checks one after the other in the order of the table. */

import { HttpError } from '../client/errors/http-error.js';
import { OpacError, UsageError } from '../service/errors.js';
import { VERSION } from '../service/version.js';
import type { Clock } from '../system/clock.js';
import type { Check, Verdict } from './check.js';
import { REACHABILITY_CHECK } from './checks/access.js';
import { endpointCheckId } from './checks/endpoints.js';
import { applyKnownDeviations, type KnownDeviation } from './known-deviations.js';
import {
  CheckBlocked,
  CheckNotApplicable,
  type Deviation,
  deviation,
  type RecordedExchange,
} from './probe/deviation.js';
import { measureLatency } from './probe/latency.js';
import { type Deployment, Probe, type Received, RequestFailed } from './probe/probe.js';
import {
  type CheckResult,
  REPORT_VERSION,
  type Report,
  type ReportedDeviation,
} from './reports/report-text.js';

export interface RunOptions {
  readonly checks: readonly Check[];
  readonly deployment: Deployment;
  readonly known: readonly KnownDeviation[];
  readonly clock: Pick<Clock, 'now'>;
  /** Sends further requests after the checks, unless they ended early. */
  readonly afterwards?: ((probe: Probe) => Promise<void>) | undefined;
  /** Called for each check as soon as it is done. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
}

export interface CheckRunOutcome {
  readonly report: Report;
  readonly error: OpacError | undefined;
}

/** Never throws for what the deployment does: that is in the report. */
export function runChecks(options: RunOptions): Promise<CheckRunOutcome> {
  return new CheckRun(options).run();
}

/** The outcome of a check, before known deviations and other checks are taken into account. */
interface Outcome {
  readonly deviations: readonly Deviation[];
  /** Why the check went no further. */
  readonly ended?: RequestFailed | CheckNotApplicable | undefined;
  readonly used: ReadonlySet<RecordedExchange>;
}

/** Deviations of one check that are shown; more of the same say nothing new. */
const MAX_DEVIATIONS = 5;

class CheckRun {
  readonly #options: RunOptions;
  readonly #received: Received = { replies: new Map(), pictures: new Map() };
  readonly #outcomes = new Map<string, Outcome>();
  /** Requests that count for an earlier check already. */
  readonly #counted = new Map<RecordedExchange, string>();
  /** Why no further check is made. */
  #ended: CheckNotApplicable | undefined;
  #error: OpacError | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  async run(): Promise<CheckRunOutcome> {
    const { checks, known, clock, onResult, deployment } = this.#options;
    const started = clock.now();
    const first = await this.#outcomeOf(REACHABILITY_CHECK);
    if (first.ended instanceof RequestFailed) this.#end(toDeploymentError(first.ended.error));
    const results: CheckResult[] = [];
    for (const check of checks) {
      const result = applyKnownDeviations(
        this.#result(check, await this.#outcomeOf(check)),
        known,
        clock.now(),
      );
      results.push(result);
      onResult?.(result);
    }
    const probe = this.#probe('');
    if (!this.#error) await this.#options.afterwards?.(probe);
    const { recorder, clients, scheme } = deployment;
    const error = this.#error;
    const count = (verdict: Verdict) => results.filter((each) => each.verdict === verdict).length;
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
        ended: getEndReason(error),
        problem: error ? recorder.clean(error.message) : null,
        summary: { pass: count('pass'), fail: count('fail'), warn: count('warn'), skip: count('skip') },
        checks: results,
        latency: measureLatency(probe.listAllExchanges()),
      },
    };
  }

  /** Makes a check once: perhaps before its turn, when an earlier check needs it. */
  async #outcomeOf(check: Check): Promise<Outcome> {
    const outcome = this.#outcomes.get(check.id) ?? (await this.#attempt(check));
    this.#outcomes.set(check.id, outcome);
    return outcome;
  }

  async #attempt(check: Check): Promise<Outcome> {
    const probe = this.#probe(check.id);
    const deviations: Deviation[] = [];
    let ended: Outcome['ended'];
    try {
      if (this.#ended) throw this.#ended;
      for (const id of check.needs ?? []) await this.#await(id, 'warn');
      for await (const each of check.run(probe)) if (deviations.push(each) === MAX_DEVIATIONS) break;
    } catch (error) {
      if (this.#options.deployment.signal.aborted) ended = this.#interrupted();
      else if (error instanceof CheckNotApplicable || error instanceof RequestFailed) ended = error;
      else deviations.push(faultOf(error));
    }
    if (ended instanceof RequestFailed && ended.isSilence) await this.#confirmAlive(ended.error);
    return { deviations, ended, used: probe.listUsedExchanges };
  }

  #probe(id: string): Probe {
    return new Probe(this.#options.deployment, this.#received, async (endpointId) => {
      if (this.#ended) throw this.#ended;
      const needed = endpointCheckId(endpointId);
      if (needed !== id) await this.#await(needed, 'fail');
    });
  }

  /** Waits for another check, if it is made. Throws Blocked when it found at least such a deviation. */
  async #await(id: string, worst: 'fail' | 'warn'): Promise<void> {
    const check = this.#options.checks.find((each) => each.id === id);
    if (!check) return;
    const { deviations, ended } = await this.#outcomeOf(check);
    const deviates = deviations.some(
      ({ verdict = check.deviation ?? 'fail' }) => verdict === 'fail' || worst === 'warn',
    );
    if (deviates || ended instanceof RequestFailed || ended instanceof CheckBlocked)
      throw new CheckBlocked(`needs ${id}, which found a deviation`);
    if (ended && worst === 'fail') throw new CheckNotApplicable(ended.message);
  }

  #interrupted(): CheckNotApplicable {
    const { reason } = this.#options.deployment.signal;
    this.#error ??= reason instanceof OpacError ? reason : new OpacError('interrupted', 'interrupted');
    return new CheckNotApplicable(this.#error.message);
  }

  /** After a request without a response: checks whether the deployment still responds, with a client that no other request delays. */
  async #confirmAlive(silence: OpacError): Promise<void> {
    const { clients, signal } = this.#options.deployment;
    try {
      await clients.nobody.getPath('/opacrecords', { query: [['limit', '0']], signal });
    } catch (error) {
      if (!signal.aborted && error instanceof HttpError && error.status === undefined) this.#end(silence);
    }
  }

  #end(error: OpacError): void {
    this.#error ??= error;
    const message = this.#options.deployment.recorder.clean(error.message);
    this.#ended ??= new CheckNotApplicable(
      error.kind === 'auth' ? message : `the deployment does not answer: ${message}`,
    );
  }

  #result({ id, promise, source, deviation: usual = 'fail' }: Check, outcome: Outcome): CheckResult {
    const { recorder } = this.#options.deployment;
    const failed = outcome.ended instanceof RequestFailed ? outcome.ended : undefined;
    const found = [...outcome.deviations];
    const fresh = [...outcome.used].filter((each) => !this.#counted.has(each));
    const blamed = failed && this.#counted.get(failed.exchange);
    if (failed && blamed === undefined) {
      found.push(deviation('a response that can be read', failed.message, failed.exchange, 'fail'));
      fresh.push(failed.exchange);
    }
    for (const exchange of fresh) {
      this.#counted.set(exchange, id);
      if (exchange.tries > 1 && exchange !== failed?.exchange) found.push(flaky(exchange));
    }
    const skipped = blamed ? `needs a request that failed in ${blamed}` : outcome.ended?.message;
    const isSkipped = skipped !== undefined && found.length === 0;
    return {
      id,
      promise,
      source,
      verdict: isSkipped ? 'skip' : findWorst(found.map(({ verdict = usual }) => verdict)),
      milliseconds: Math.round(fresh.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
      reason: isSkipped ? recorder.clean(skipped) : null,
      deviations: found.map((each) => this.#reported(each)),
    };
  }

  #reported({ expected, received, at }: Deviation): ReportedDeviation {
    const { recorder } = this.#options.deployment;
    const request = at && {
      path: at.path,
      status: at.status ?? null,
      milliseconds: Math.round(at.milliseconds),
      tries: at.tries,
      curl: at.curl,
      response: at.excerpt,
    };
    return {
      expected: recorder.clean(expected),
      received: recorder.clean(received),
      request: request ?? null,
    };
  }
}

function flaky(at: RecordedExchange): Deviation {
  const received = `flaky: ${at.earlier.join(', ')}, then ${at.status} at try ${at.tries}`;
  return deviation('a response at the first try', received, at, 'warn');
}

function faultOf(error: unknown): Deviation {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof UsageError
    ? deviation('identifiers that stand in a path', message, undefined, 'fail')
    : deviation('the check can be made', `internal error, a fault of opac: ${message}`, undefined, 'fail');
}

function findWorst(verdicts: readonly Verdict[]): Verdict {
  return (['fail', 'warn'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'pass';
}

function getEndReason(error: OpacError | undefined): Report['ended'] {
  if (!error) return 'finished';
  if (error.kind === 'interrupted' || error.code === 'deadline') return 'interrupted';
  return error.kind === 'auth' ? 'unauthorized' : 'unreachable';
}

/** What the checks ask is no query of the user's, so whatever is refused is the deployment's fault. */
function toDeploymentError(error: OpacError): OpacError {
  if (error.kind !== 'usage' && error.kind !== 'not-found') return error;
  return new OpacError('deployment', error.message, { hint: error.hint, code: error.code, cause: error });
}
