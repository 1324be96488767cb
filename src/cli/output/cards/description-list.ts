/** The layout of cards: labels with their values, texts in rows, and sections. */
import { formatNumber } from '../../../service/format-numbers.js';
import { sanitizeLine, sanitizeLines } from '../terminal/sanitize.js';
import { getGlyphs, getStyles, type StyledText } from '../terminal/styles.js';
import type { Terminal } from '../terminal/terminal.js';
import { displayWidth, truncate, wrap } from '../terminal/text.js';

export interface DescriptionItem {
  readonly label: string;
  readonly lines: (width: number) => readonly string[];
}

const GAP = '  ';

/** The lines fit the terminal. The column of labels takes at most a third of the width. */
export function renderDescriptionList(items: readonly DescriptionItem[], terminal: Terminal): string[] {
  const labels = items.map(({ label }) => sanitizeLine(label));
  const natural = labels.reduce((widest, label) => Math.max(widest, displayWidth(label)), 1);
  const width = Math.min(natural, Math.floor(terminal.width / 3));
  const { cyan } = getStyles(terminal);
  return items.flatMap((item, index) =>
    item.lines(terminal.width - width - GAP.length).map((line, row) => {
      const label = row === 0 ? truncate(labels[index] ?? '', width, terminal) : '';
      return `${label === '' ? '' : cyan(label)}${' '.repeat(width - displayWidth(label))}${GAP}${line}`.trimEnd();
    }),
  );
}

/** Wrapping a longer text takes seconds. */
const MAX_CHARACTERS = 20_000;

function limitLength(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const left = formatNumber(text.length - MAX_CHARACTERS);
  return `${text.slice(0, MAX_CHARACTERS)} [${left} more characters; use -f json]`;
}

export function toTextItem(label: string, values: readonly string[], terminal: Terminal): DescriptionItem {
  const bullet = values.length > 1 ? `${getGlyphs(terminal).bullet} ` : '';
  const indent = ' '.repeat(bullet.length);
  return {
    label,
    lines: (width) =>
      values.flatMap((value) =>
        sanitizeLines(limitLength(value))
          .flatMap((line) => wrap(line, width - bullet.length))
          .map((line, row) => (row === 0 ? bullet : indent) + line),
      ),
  };
}

/** Puts texts next to each other, in as many lines as necessary. Cuts a text that is wider than a line. */
export function flow(
  texts: readonly StyledText[],
  width: number,
  separator: string,
  terminal: Terminal,
): string[] {
  const lines: { text: string; width: number }[] = [];
  for (const { plain, styled } of texts) {
    const textWidth = displayWidth(plain);
    const text = textWidth > width ? truncate(plain, width, terminal) : (styled ?? plain);
    const line = lines.at(-1);
    if (line && line.width + separator.length + textWidth <= width) {
      line.text += separator + text;
      line.width += separator.length + textWidth;
    } else {
      lines.push({ text, width: Math.min(textWidth, width) });
    }
  }
  return lines.map(({ text }) => text);
}

/** Omits empty sections, and puts an empty line between the others. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
