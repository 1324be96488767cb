/** The report in the Test Anything Protocol, version 14. A warning is a passed test with a severity, unless `strict`. */

import { deviationLines, isFailure, summaryText } from './lines.js';
import type { Report } from './report.js';

export function tapReport(report: Report, strict: boolean): string {
  const { checks, problem } = report;
  const tests = checks.flatMap((result, index) => {
    const { id, promise, verdict, reason } = result;
    const ok = isFailure(verdict, strict) ? 'not ok' : 'ok';
    const skip = verdict === 'skip' ? ` # SKIP ${escaped(reason ?? '')}` : '';
    const line = `${ok} ${index + 1} - ${escaped(`${id}: ${promise}`)}${skip}`;
    return verdict === 'fail' || verdict === 'warn'
      ? [line, ...diagnosis({ severity: verdict, details: deviationLines(result) })]
      : [line];
  });
  const comments = [...(problem === null ? [] : [problem]), summaryText(report)].map((text) => `# ${text}`);
  return `${['TAP version 14', `1..${checks.length}`, ...tests, ...comments].join('\n')}\n`;
}

/** What TAP gives a meaning to inside a description. */
function escaped(text: string): string {
  return text.replace(/[\\#]/g, '\\$&');
}

/** A YAML block: every JSON text is YAML (YAML 1.2 section 1.3). */
function diagnosis(value: Readonly<Record<string, unknown>>): string[] {
  const lines = Object.entries(value).map(([key, each]) => `  ${key}: ${JSON.stringify(each)}`);
  return ['  ---', ...lines, '  ...'];
}
