/** What several reports say in the same words. */
import type { Verdict } from '../check.js';
import type { CheckResult, Report } from './report.js';

export function isFailure(verdict: Verdict, strict: boolean): boolean {
  return verdict === 'fail' || (strict && verdict === 'warn');
}

/** Verdicts at a glance, also for those who see no colours. */
export const MARKS: Readonly<Record<Verdict, string>> = { pass: '✓', fail: '✗', warn: '!', skip: '–' };

/** Each deviation: what was expected, what came, and the request that shows it. */
export function deviationLines({ deviations, source }: CheckResult): string[] {
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
export function summaryText({ summary: { fail, warn, pass, skip } }: Report): string {
  return `${fail} failed, ${warn} warned, ${pass} passed, ${skip} skipped`;
}
