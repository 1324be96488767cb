/** Formats a comparison as Markdown: a title, the counts, and a table with one row per change. */
import { formatCount } from '../../service/format-numbers.js';
import { createHeaderRow, formatKindCounts, formatRows, type ReportFacts } from './report.js';

export function createMarkdownReport(facts: ReportFacts): string {
  const { title, tally, differences, notCompared, context } = facts;
  const header = createHeaderRow(context);
  const rows = differences.flatMap((difference) => formatRows(difference));
  const left = tally.countDifferences - differences.length;
  const lines = [
    `# ${escapeText(title)}`,
    ...[...formatKindCounts(tally), ...(notCompared === undefined ? [] : [notCompared])].map(escapeText),
    ...(rows.length === 0 ? [] : [[header, header.map(() => '---'), ...rows].map(formatRow).join('\n')]),
    ...(left > 0
      ? [`${formatCount(left, 'more record differs', 'more records differ')}; -f csv lists all of them.`]
      : []),
  ];
  return `${lines.join('\n\n')}\n`;
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => (cell === '---' ? cell : escapeText(cell))).join(' | ')} |`;
}

function escapeText(text: string): string {
  const visible = text.replace(/\s+/g, ' ').replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');
  return visible.replace(/[\\`*_[\]<>|#~&]/g, '\\$&');
}
