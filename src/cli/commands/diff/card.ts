/** Differences on a terminal: a card for each record, with the words that changed, and a summary by field. */
import type { Difference } from '../../../diff/difference.js';
import { changeText, fieldRows, kindLines } from '../../../diff/reports/report.js';
import { changedWords, type Piece } from '../../../diff/reports/words.js';
import type { Tally } from '../../../diff/tally.js';
import { count } from '../../output/terminal/numbers.js';
import { painter } from '../../output/terminal/paint.js';
import { oneLine } from '../../output/terminal/sanitise.js';
import { renderTable } from '../../output/terminal/table.js';
import type { Terminal } from '../../output/terminal/terminal.js';
import { displayWidth, wrap } from '../../output/terminal/text.js';

const MARKS = { added: '+', removed: '-', changed: '~' } as const;

export function differenceCard(difference: Difference, terminal: Terminal): string {
  const { title, change, changes, context } = difference;
  const { bold, dim, green, red } = painter(terminal);
  const paint = change === 'added' ? green : change === 'removed' ? red : bold;
  const head = `${MARKS[change]} ${oneLine(title) || '(no title)'}`;
  return [
    ...wrap(head, terminal.width).map((line) => paint(line)),
    dim(`  ${oneLine(changeText(difference))}`),
    ...Object.entries(context).map(([name, values]) => dim(`  ${oneLine(`${name}: ${values.join('; ')}`)}`)),
    ...changes.flatMap((each) => {
      const how = each.change === 'changed' ? '' : ` (${each.change})`;
      return [
        `  ${oneLine(each.field)}${dim(how)}`,
        ...changedWords(each).flatMap((line) => wordLines(line, terminal)),
      ];
    }),
  ].join('\n');
}

/** The words of a value in lines, in colour; between brackets where there are no colours. */
function wordLines(pieces: readonly Piece[], terminal: Terminal): string[] {
  const { dim, green, red, strikethrough } = painter(terminal);
  const isBare = terminal.colors === 0;
  const styles = {
    same: (text: string) => (pieces.length === 1 ? dim(text) : text),
    old: (text: string) => (isBare ? `[-${text}-]` : red(strikethrough(text))),
    new: (text: string) => (isBare ? `{+${text}+}` : green(text)),
  };
  const lines: string[] = [];
  let [line, word, lineWidth, wordWidth] = ['', '', 0, 0];
  const endWord = () => {
    if (wordWidth === 0) return;
    const isFull = lineWidth > 0 && lineWidth + 1 + wordWidth > terminal.width - INDENT.length;
    if (isFull) lines.push(line);
    [line, lineWidth] =
      isFull || lineWidth === 0 ? [word, wordWidth] : [`${line} ${word}`, lineWidth + 1 + wordWidth];
    [word, wordWidth] = ['', 0];
  };
  for (const { text, sign } of pieces)
    for (const [n, part] of text.split(/\s+/).entries()) {
      if (n > 0) endWord();
      for (const fragment of broken(oneLine(part), terminal.width - INDENT.length - 4)) {
        if (wordWidth > 0 && wordWidth + displayWidth(fragment) > terminal.width - INDENT.length) endWord();
        if (fragment === '') continue;
        word += styles[sign](fragment);
        wordWidth += displayWidth(fragment) + (isBare && sign !== 'same' ? 4 : 0);
      }
    }
  endWord();
  return [...lines, line].map((each) => INDENT + each);
}

const INDENT = '    ';

/** A word in pieces that fit. */
function broken(word: string, width: number): string[] {
  return wrap(word, Math.max(width, 8));
}

/** How many records differ, and in which fields; nothing that a record says stands on top of it. */
export function summary(tally: Tally, terminal: Terminal): string {
  const rows = fieldRows(tally).map(([field, ...counts]) => [
    oneLine(field),
    ...counts.map((each) => (each === 0 ? '' : count(each))),
  ]);
  const head = kindLines(tally).map((line) => painter(terminal).bold(line));
  if (rows.length === 0) return head.join('\n');
  const columns = ['field', 'added', 'removed', 'changed', 'moved'].map((name, n) => ({
    name,
    ...(n > 0 ? { align: 'right' as const } : { whole: true as const }),
    values: () => [],
  }));
  return [...head, '', renderTable({ columns, rows }, terminal).text].join('\n');
}
