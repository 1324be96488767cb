/** The table of reports: what each is called, and how it is written. */

import { githubAnnotations } from './github.js';
import { htmlReport } from './html.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import type { Report } from './report.js';

export const REPORT_FORMATS = ['junit', 'json', 'markdown', 'html', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Each gives the text of the report; with `strict` warnings count as failures. */
export const REPORTS: Readonly<Record<ReportFormat, (report: Report, strict: boolean) => string>> = {
  junit: junitReport,
  /** As `opac help check-report -f json` describes it. */
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  markdown: markdownReport,
  html: htmlReport,
  github: githubAnnotations,
};
