/** Shows differences on a terminal. */
import { type DiffSegment, WordDiff } from '../../../diff/reports/diff-words.js';
import { countFieldChanges, formatChange, formatKindCounts } from '../../../diff/reports/report.js';
import type { Difference, Tally } from '../../../diff/tally.js';
import { count } from '../../output/terminal/numbers.js';
import { sanitizeLine } from '../../output/terminal/sanitize.js';
import { getStyles } from '../../output/terminal/styles.js';
import { renderTable } from '../../output/terminal/table.js';
import type { Terminal } from '../../output/terminal/terminal.js';
import { wrap } from '../../output/terminal/text.js';

const CHANGE_SYMBOLS = { added: '+', removed: '-', changed: '~' } as const;

export function renderDifferenceCard(difference: Difference, terminal: Terminal): string {
  const { title, change, changes, context } = difference;
  const words = new WordDiff();
  const { bold, dim, green, red } = getStyles(terminal);
  const paint = change === 'added' ? green : change === 'removed' ? red : bold;
  const heading = `${CHANGE_SYMBOLS[change]} ${sanitizeLine(title) || '(no title)'}`;
  return [
    ...wrap(heading, terminal.width).map((line) => paint(line)),
    dim(`  ${sanitizeLine(formatChange(difference))}`),
    ...Object.entries(context).map(([name, values]) =>
      dim(`  ${sanitizeLine(`${name}: ${values.join('; ')}`)}`),
    ),
    ...changes.flatMap((each) => {
      const how = each.change === 'changed' ? '' : ` (${each.change})`;
      return [
        `  ${sanitizeLine(each.field)}${dim(how)}`,
        ...words.compare(each).flatMap((line) => formatWords(line, terminal)),
      ];
    }),
  ].join('\n');
}

/** Changed words have colours, or brackets if the terminal has no colours. */
function formatWords(pieces: readonly DiffSegment[], terminal: Terminal): string[] {
  const { dim, green, red, strikethrough } = getStyles(terminal);
  const isBare = terminal.colors === 0;
  const marks = { same: ['', ''], old: ['[-', '-]'], new: ['{+', '+}'] } as const;
  const styles = {
    same: (text: string) => (pieces.length === 1 ? dim(text) : text),
    old: (text: string) => red(strikethrough(text)),
    new: (text: string) => green(text),
  };
  const words = pieces.map(({ text, type }) => {
    const [open, close] = isBare ? marks[type] : marks.same;
    const marked = text.replace(/\S(?:.*\S)?/s, (inner) => `${open}${inner}${close}`);
    return marked
      .split(/\s+/)
      .map((part) => {
        const word = sanitizeLine(part);
        return word === '' ? '' : styles[type](word);
      })
      .join(' ');
  });
  return wrap(words.join(''), terminal.width - INDENT.length).map((line) => INDENT + line);
}

const INDENT = '    ';

export function renderDiffSummary(tally: Tally, terminal: Terminal): string {
  const rows = countFieldChanges(tally).map(([field, ...counts]) => [
    sanitizeLine(field),
    ...counts.map((each) => (each === 0 ? '' : count(each))),
  ]);
  const lines = formatKindCounts(tally).map((line) => getStyles(terminal).bold(line));
  if (rows.length === 0) return lines.join('\n');
  const columns = ['field', 'added', 'removed', 'changed', 'moved'].map((name, n) => ({
    name,
    ...(n > 0 ? { align: 'right' as const } : { isNeverCut: true as const }),
    values: () => [],
  }));
  return [...lines, '', renderTable({ columns, rows }, terminal).text].join('\n');
}
