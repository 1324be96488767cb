/** The table of reports: what each is called, and how it is written. */
import type { Report } from './report.js';
import { githubAnnotations } from './reports/github.js';
import { htmlReport } from './reports/html.js';
import { jsonReport } from './reports/json.js';
import { junitReport } from './reports/junit.js';
import { markdownReport } from './reports/markdown.js';
import { tapReport } from './reports/tap.js';

type Writer = (report: Report, strict: boolean) => string;

export const REPORT_FORMATS = ['junit', 'tap', 'json', 'markdown', 'html', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Each gives the text of the report; with `strict` warnings count as failures. */
export const REPORTS: Readonly<Record<ReportFormat, Writer>> = {
  junit: junitReport,
  tap: tapReport,
  json: jsonReport,
  markdown: markdownReport,
  html: htmlReport,
  github: githubAnnotations,
};
