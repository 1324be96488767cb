/** The report as JSON: as `opac help check-report -f json` describes it. */
import type { Report } from './report.js';

export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
