/** The outcome of a run, and the texts that several reports share. */
import type { Verdict } from '../check.js';
import type { ReportedRequest } from '../probe/deviation.js';
import type { Latency } from '../probe/latency.js';

/** Increase the version if programs for the previous version would misread the report. */
export const REPORT_VERSION = 1;

/** The results of a run of checks. */
export interface Report {
  readonly version: typeof REPORT_VERSION;
  readonly generator: string;
  readonly deployment: string;
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  readonly started: string;
  readonly milliseconds: number;
  /** Number of requests, including images and retries. */
  readonly requests: number;
  readonly ended: 'finished' | 'unauthorized' | 'unreachable' | 'interrupted';
  readonly problem: string | null;
  readonly summary: Readonly<Record<Verdict, number>>;
  readonly checks: readonly CheckResult[];
  readonly latency: readonly Latency[];
}

/** The result of one check, with its deviations. */
export interface CheckResult {
  readonly id: string;
  readonly promise: string;
  readonly source: string;
  readonly verdict: Verdict;
  /** The time of the API requests. A request that several checks use counts only for the first of them. */
  readonly milliseconds: number;
  readonly reason: string | null;
  readonly deviations: readonly ReportedDeviation[];
}

/** A deviation, and the request that shows it. */
export interface ReportedDeviation {
  readonly expected: string;
  readonly received: string;
  readonly request: ReportedRequest | null;
}

export function isFailure(verdict: Verdict, strict: boolean): boolean {
  return verdict === 'fail' || (strict && verdict === 'warn');
}

export const VERDICT_SYMBOLS: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  skip: '–',
};

export function formatDeviations({ deviations, source, verdict, reason }: CheckResult): string[] {
  return [
    ...deviations.flatMap(({ expected, received, request }) => [
      `expected: ${expected}`,
      `received: ${received}`,
      ...(request?.curl ? [`request:  ${request.curl}`] : []),
    ]),
    ...(verdict === 'warn' && reason !== null ? [`only a warning: ${reason}`] : []),
    `source:   ${source}`,
  ];
}

/** Returns, for example, `3 failed, 1 warned, 60 passed, 4 skipped`. */
export function formatSummary({ summary: { fail, warn, pass, skip } }: Report): string {
  return `${fail} failed, ${warn} warned, ${pass} passed, ${skip} skipped`;
}
