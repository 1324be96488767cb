/** Draws charts with horizontal bars. */
import { sanitizeLine } from '../terminal/sanitize.js';
import { getStyles, renderSwatch, SWATCH_WIDTH, showsSwatches } from '../terminal/styles.js';
import type { Terminal } from '../terminal/terminal.js';
import { type Align, displayWidth, pad, truncate } from '../terminal/text.js';

export interface Bar {
  readonly label: string;
  /** The largest value has the longest bar. Values of 0 and less have no bar. */
  readonly value: number;
  /** Right-aligned texts after the bar. The last ones are omitted in a narrow terminal. */
  readonly figures: readonly string[];
  readonly hex?: string | undefined;
}

const GAP = '  ';
/** Shorter bars and labels are hard to distinguish. */
const MIN_BAR_WIDTH = 6;
const MIN_LABEL_WIDTH = 8;
/** opac shortens the bars to this width before it cuts labels. */
const BAR_WIDTH_WITH_LABEL = 12;

/** Returns lines that are at most as wide as the terminal. */
export function drawBars(bars: readonly Bar[], terminal: Terminal, alignLabels: Align = 'left'): string {
  const labels = bars.map(({ label }) => sanitizeLine(label));
  const hasSwatches = showsSwatches(terminal) && bars.some(({ hex }) => hex !== undefined);
  const widths = divideWidth(bars, labels, terminal.width - (hasSwatches ? SWATCH_WIDTH + GAP.length : 0));
  const full = findLargest(bars.map(({ value }) => value));
  const { cyan } = getStyles(terminal);
  return bars
    .map((bar, index) => {
      const label = truncate(labels[index] ?? '', widths.label, terminal);
      const drawn = drawBar(bar.value / full, widths.bar, terminal);
      const cells = [
        ...(hasSwatches ? [renderSwatch(bar.hex ?? '', terminal)] : []),
        pad(label, widths.label, alignLabels),
        ...(widths.bar > 0 ? [cyan(drawn) + ' '.repeat(widths.bar - drawn.length)] : []),
        ...widths.figures.map((width, column) => pad(bar.figures[column] ?? '', width, 'right')),
      ];
      return cells.join(GAP).trimEnd();
    })
    .join('\n');
}

/**
 * Until each row fits, does the following in this order: shortens the bars, shortens the labels, omits figures from the last to
 * the second, omits the bars.
 */
function divideWidth(bars: readonly Bar[], labels: readonly string[], room: number) {
  const natural = findLargest([1, ...labels.map(displayWidth)]);
  for (let count = findLargest(bars.map(({ figures }) => figures.length)); count >= 0; count--) {
    const figures = Array.from({ length: count }, (_, column) =>
      findLargest(bars.map((bar) => displayWidth(bar.figures[column] ?? ''))),
    );
    const left = figures.reduce((rest, width) => rest - width - GAP.length, room);
    const label = Math.min(
      natural,
      Math.max(left - GAP.length - BAR_WIDTH_WITH_LABEL, Math.floor(room / 3), MIN_LABEL_WIDTH),
    );
    const bar = left - label - GAP.length;
    if (bar >= MIN_BAR_WIDTH) return { label, bar, figures };
    if (count <= 1 && left >= MIN_LABEL_WIDTH / 2) return { label: Math.min(natural, left), bar: 0, figures };
  }
  return { label: Math.min(natural, room), bar: 0, figures: [] };
}

function findLargest(values: readonly number[]): number {
  return values.reduce((most, value) => (value > most && Number.isFinite(value) ? value : most), 0);
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A value above 0 is always visible. */
function drawBar(fraction: number, width: number, terminal: Pick<Terminal, 'unicode'>): string {
  if (!(fraction > 0) || width <= 0) return '';
  const length = Math.min(fraction, 1) * width;
  if (!terminal.unicode) return '#'.repeat(Math.max(Math.round(length), 1));
  const eighths = Math.max(Math.round(length * 8), 1);
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}
