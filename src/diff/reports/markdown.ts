/** A comparison in Markdown, for merge requests and mails. What records say stands in code alone, where nothing is a command. */
import { grouped } from '../../service/grouped.js';
import { changeText, fieldRows, kindLines, notShown, type ReportFacts } from './report.js';
import { changedWords, type Piece } from './words.js';

export function markdownReport(facts: ReportFacts): string {
  const { older, newer, tally, differences } = facts;
  const rows = fieldRows(tally);
  const table = [
    '| field | added | removed | changed | moved |',
    '| --- | --: | --: | --: | --: |',
    ...rows.map(([field, ...counts]) => `| ${code(field)} | ${counts.map(grouped).join(' | ')} |`),
  ];
  const left = notShown(facts);
  return `${[
    `# Changes from ${code(older)} to ${code(newer)}`,
    [...kindLines(tally), ...(facts.notCompared === undefined ? [] : [code(facts.notCompared)])]
      .map((line) => `- ${line}`)
      .join('\n'),
    ...(rows.length > 0 ? [table.join('\n')] : []),
    ...differences.map((difference) => {
      const lines = [
        ...Object.entries(difference.context).map(
          ([name, values]) => `- ${code(name)}: ${values.map(code).join(', ')}`,
        ),
        ...difference.changes.map((change) => {
          const words = changedWords(change).map((line) => `  - ${line.map(marked).join(' ')}`);
          return [`- ${code(change.field)} ${change.change}`, ...words].join('\n');
        }),
      ];
      return [
        `## ${code(changeText(difference))}`,
        code(difference.title),
        ...(lines.length > 0 ? [lines.join('\n')] : []),
      ].join('\n\n');
    }),
    ...(left > 0 ? [`${grouped(left)} more records differ; \`-f csv\` has them all.`] : []),
  ].join('\n\n')}\n`;
}

function marked({ text, sign }: Piece): string {
  if (text.trim() === '') return '';
  return sign === 'old' ? `~~${code(text)}~~` : sign === 'new' ? `**${code(text)}**` : code(text);
}

/**
 * A code span that nothing in it can end (CommonMark 6.1), on one line, without controls and what reorders text; a bar would end
 * a cell.
 */
function code(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replaceAll('|', '\u00a6')
    .trim();
  if (line === '') return '(no text)';
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  return fence.length > 1 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
