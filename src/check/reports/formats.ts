/** The table of report formats. */
import { renderHtml } from './html.js';
import { renderJunit } from './junit.js';
import { renderMarkdown } from './markdown.js';
import { type CheckResult, formatDeviations, formatSummary, isFailure, type Report } from './report-text.js';

export const REPORT_FORMATS = ['junit', 'json', 'markdown', 'html', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** With `strict`, warnings count as failures. */
export const REPORT_RENDERERS: Readonly<Record<ReportFormat, (report: Report, strict: boolean) => string>> = {
  junit: renderJunit,
  /** `opac help check-report -f json` prints the schema. */
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  markdown: renderMarkdown,
  html: renderHtml,
  github: renderGithubAnnotations,
};

function renderGithubAnnotations(report: Report, strict: boolean): string {
  const { checks, problem } = report;
  const lines = checks
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map((result) => formatAnnotation(isFailure(result.verdict, strict) ? 'error' : 'warning', result));
  const end = problem === null ? [] : [`::error title=opac check::${escapeData(problem)}`];
  return [...lines, ...end, `::notice title=opac check::${escapeData(formatSummary(report))}`]
    .join('\n')
    .concat('\n');
}

function formatAnnotation(level: string, result: CheckResult): string {
  const text = [result.promise, ...formatDeviations(result)].join('\n');
  return `::${level} title=${escapeProperty(result.id)}::${escapeData(text)}`;
}

/** Escapes text as the workflow commands of GitHub Actions require (actions/toolkit, packages/core, command.ts). */
function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
