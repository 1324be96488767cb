/** The table of reports: what each is called, and how it is written. */

import { htmlReport } from './html.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { type CheckResult, formatDeviations, formatSummary, isFailure, type Report } from './report-text.js';

export const REPORT_FORMATS = ['junit', 'json', 'markdown', 'html', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Each gives the text of the report; with `strict` warnings count as failures. */
export const REPORT_RENDERERS: Readonly<Record<ReportFormat, (report: Report, strict: boolean) => string>> = {
  junit: junitReport,
  /** As `opac help check-report -f json` describes it. */
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  markdown: markdownReport,
  html: htmlReport,
  github: githubAnnotations,
};

/** Annotations of GitHub Actions: a workflow command for each failure and warning, which a job prints on its standard output. */
function githubAnnotations(report: Report, strict: boolean): string {
  const { checks, problem } = report;
  const lines = checks
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map((result) => annotation(isFailure(result.verdict, strict) ? 'error' : 'warning', result));
  const end = problem === null ? [] : [`::error title=opac check::${escapedData(problem)}`];
  return [...lines, ...end, `::notice title=opac check::${escapedData(formatSummary(report))}`]
    .join('\n')
    .concat('\n');
}

function annotation(level: string, result: CheckResult): string {
  const text = [result.promise, ...formatDeviations(result)].join('\n');
  return `::${level} title=${escapedProperty(result.id)}::${escapedData(text)}`;
}

/** The escapes of workflow commands (actions/toolkit, packages/core: command). */
function escapedData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
