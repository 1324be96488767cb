/** The outcome of a run: what every report is written from, and what several reports say in the same words. */
import type { Verdict } from '../check.js';
import type { Latency } from '../probe/latency.js';

/** Raised when a reader of an older report would misread a newer one. */
export const REPORT_VERSION = 1;

export interface Report {
  readonly version: typeof REPORT_VERSION;
  readonly generator: string;
  readonly deployment: string;
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  readonly started: string;
  readonly milliseconds: number;
  /** Requests sent, retries included. */
  readonly requests: number;
  readonly ended: 'finished' | 'unauthorized' | 'unreachable' | 'interrupted';
  readonly problem: string | null;
  readonly summary: Readonly<Record<Verdict, number>>;
  readonly checks: readonly CheckResult[];
  readonly latency: readonly Latency[];
}

export interface CheckResult {
  readonly id: string;
  readonly promise: string;
  readonly source: string;
  readonly verdict: Verdict;
  /** That the requests of this check took, those of earlier checks left out. */
  readonly milliseconds: number;
  readonly reason: string | null;
  readonly deviations: readonly ReportedDeviation[];
}

export interface ReportedDeviation {
  readonly expected: string;
  readonly received: string;
  readonly request: ReportedRequest | null;
}

export interface ReportedRequest {
  /** Below `/api/v3`, with its query. */
  readonly path: string;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly tries: number;
  /** The command that sends it again, with variables in place of credentials. */
  readonly curl: string;
  readonly response: string;
}

export function isFailure(verdict: Verdict, strict: boolean): boolean {
  return verdict === 'fail' || (strict && verdict === 'warn');
}

/** Verdicts at a glance, also for those who see no colours. */
export const MARKS: Readonly<Record<Verdict, string>> = { pass: '✓', fail: '✗', warn: '!', skip: '–' };

/** Each deviation: what was expected, what came, and the request that shows it. */
export function formatDeviations({ deviations, source }: CheckResult): string[] {
  return [
    ...deviations.flatMap(({ expected, received, request }) => [
      `expected: ${expected}`,
      `received: ${received}`,
      ...(request?.curl ? [`request:  ${request.curl}`] : []),
    ]),
    `source:   ${source}`,
  ];
}

/** `3 failed, 1 warned, 60 passed, 4 skipped`. */
export function formatSummary({ summary: { fail, warn, pass, skip } }: Report): string {
  return `${fail} failed, ${warn} warned, ${pass} passed, ${skip} skipped`;
}
