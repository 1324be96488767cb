/** The table of reports: what each is called, and how it is written. */

import { githubAnnotations } from './github.js';
import { htmlReport } from './html.js';
import { jsonReport } from './json.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import type { Report } from './report.js';

type Writer = (report: Report, strict: boolean) => string;

export const REPORT_FORMATS = ['junit', 'json', 'markdown', 'html', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Each gives the text of the report; with `strict` warnings count as failures. */
export const REPORTS: Readonly<Record<ReportFormat, Writer>> = {
  junit: junitReport,
  json: jsonReport,
  markdown: markdownReport,
  html: htmlReport,
  github: githubAnnotations,
};
