/** Horizontal bars between a label and figures, scaled to the terminal. */

import { sanitizeLine } from '../terminal/sanitize.js';
import { getStyles } from '../terminal/styles.js';
import { SWATCH_WIDTH, showsSwatches, swatch } from '../terminal/swatch.js';
import type { Terminal } from '../terminal/terminal.js';
import { type Align, displayWidth, pad, truncate } from '../terminal/text.js';

export interface Bar {
  readonly label: string;
  /** The largest has the full bar; a value that is not above 0 has none. */
  readonly value: number;
  /** Right-aligned texts behind the bar; the last ones are left out without room. */
  readonly figures: readonly string[];
  readonly hex?: string | undefined;
}

const GAP = '  ';
/** Shorter bars and labels cannot be told apart. */
const MIN_BAR_WIDTH = 6;
const MIN_LABEL_WIDTH = 8;
/** Labels are read before bars: they take what they need while a bar keeps this much. */
const BAR_BESIDE_LABEL = 12;

/** Draws bars no wider than the terminal, in the order given. */
export function barChart(bars: readonly Bar[], terminal: Terminal, alignLabels: Align = 'left'): string {
  const labels = bars.map(({ label }) => sanitizeLine(label));
  const swatches = showsSwatches(terminal) && bars.some(({ hex }) => hex !== undefined);
  const widths = layOut(bars, labels, terminal.width - (swatches ? SWATCH_WIDTH + GAP.length : 0));
  const full = largest(bars.map(({ value }) => value));
  const { cyan } = getStyles(terminal);
  return bars
    .map((bar, index) => {
      const label = truncate(labels[index] ?? '', widths.label, terminal);
      const drawn = drawBar(bar.value / full, widths.bar, terminal);
      const parts = [
        ...(swatches ? [swatch(bar.hex ?? '', terminal)] : []),
        pad(label, widths.label, alignLabels),
        ...(widths.bar > 0 ? [cyan(drawn) + ' '.repeat(widths.bar - drawn.length)] : []),
        ...widths.figures.map((width, column) => pad(bar.figures[column] ?? '', width, 'right')),
      ];
      return parts.join(GAP).trimEnd();
    })
    .join('\n');
}

interface Widths {
  readonly label: number;
  readonly bar: number;
  readonly figures: readonly number[];
}

/** Divides the room: labels are cut last; the first figure comes before bars, bars before other figures. */
function layOut(bars: readonly Bar[], labels: readonly string[], room: number): Widths {
  const natural = largest([1, ...labels.map(displayWidth)]);
  const columns = largest(bars.map(({ figures }) => figures.length));
  for (let shown = columns; shown >= 0; shown--) {
    const figures = Array.from({ length: shown }, (_, column) =>
      largest(bars.map((bar) => displayWidth(bar.figures[column] ?? ''))),
    );
    const left = figures.reduce((rest, width) => rest - width - GAP.length, room);
    const label = Math.min(
      natural,
      Math.max(left - GAP.length - BAR_BESIDE_LABEL, Math.floor(room / 3), MIN_LABEL_WIDTH),
    );
    const bar = left - label - GAP.length;
    if (bar >= MIN_BAR_WIDTH) return { label, bar, figures };
    if (shown <= 1 && left >= MIN_LABEL_WIDTH / 2) return { label: Math.min(natural, left), bar: 0, figures };
  }
  return { label: Math.min(natural, room), bar: 0, figures: [] };
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => (value > most && Number.isFinite(value) ? value : most), 0);
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar for a part of 1; anything above 0 is visible. */
function drawBar(part: number, width: number, terminal: Pick<Terminal, 'unicode'>): string {
  if (!(part > 0) || width <= 0) return '';
  const length = Math.min(part, 1) * width;
  if (!terminal.unicode) return '#'.repeat(Math.max(Math.round(length), 1));
  const eighths = Math.max(Math.round(length * 8), 1);
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}
