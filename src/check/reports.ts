/** The table of reports: what each is called, and how it is written. */
import type { Report } from './report.js';
import { jsonReport } from './reports/json.js';
import { junitReport } from './reports/junit.js';

type Writer = (report: Report, strict: boolean) => string;

export const REPORTS = {
  junit: junitReport,
  json: jsonReport,
} as const satisfies Readonly<Record<string, Writer>>;

export type ReportFormat = keyof typeof REPORTS;
