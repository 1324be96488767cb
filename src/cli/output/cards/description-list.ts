/** Labels on the left, wrapped values on the right: the body of every card. */

import { sanitizeLine, sanitizeLines } from '../terminal/sanitize.js';
import { getGlyphs, getStyles, type StyledText } from '../terminal/styles.js';
import type { Terminal } from '../terminal/terminal.js';
import { displayWidth, truncate, wrap } from '../terminal/text.js';

export interface DescriptionItem {
  readonly label: string;
  readonly lines: (width: number) => readonly string[];
}

const GAP = '  ';

/** Lines for the entries, no wider than the terminal, their labels in a column of at most a third of it. */
export function renderDescriptionList(entries: readonly DescriptionItem[], terminal: Terminal): string[] {
  const labels = entries.map(({ label }) => sanitizeLine(label));
  const natural = labels.reduce((widest, label) => Math.max(widest, displayWidth(label)), 1);
  const width = Math.min(natural, Math.floor(terminal.width / 3));
  const { cyan } = getStyles(terminal);
  return entries.flatMap((entry, index) =>
    entry.lines(terminal.width - width - GAP.length).map((line, row) => {
      const label = row === 0 ? truncate(labels[index] ?? '', width, terminal) : '';
      return `${label === '' ? '' : cyan(label)}${' '.repeat(width - displayWidth(label))}${GAP}${line}`.trimEnd();
    }),
  );
}

export function textItem(label: string, values: readonly string[], terminal: Terminal): DescriptionItem {
  const mark = values.length > 1 ? `${getGlyphs(terminal).bullet} ` : '';
  const indent = ' '.repeat(mark.length);
  return {
    label,
    lines: (width) =>
      values.flatMap((value) =>
        sanitizeLines(value)
          .flatMap((line) => wrap(line, width - mark.length))
          .map((line, row) => (row === 0 ? mark : indent) + line),
      ),
  };
}

/** Pieces side by side, in as many lines as they need; a piece wider than a line is cut. */
export function flow(
  pieces: readonly StyledText[],
  width: number,
  between: string,
  terminal: Terminal,
): string[] {
  const lines: { text: string; width: number }[] = [];
  for (const { plain, styled } of pieces) {
    const wide = displayWidth(plain);
    const text = wide > width ? truncate(plain, width, terminal) : (styled ?? plain);
    const line = lines.at(-1);
    if (line && line.width + between.length + wide <= width) {
      line.text += between + text;
      line.width += between.length + wide;
    } else {
      lines.push({ text, width: Math.min(wide, width) });
    }
  }
  return lines.map(({ text }) => text);
}
