/** Image labels with their scores: how sure the image recognition is of each. */

import { count, percent } from '../terminal/numbers.js';
import { painter } from '../terminal/paint.js';
import type { Terminal } from '../terminal/terminal.js';
import { truncate } from '../terminal/text.js';
import { type Bar, barChart } from './bar-chart.js';

export interface ScoredLabel {
  readonly label: string;
  readonly score: number | undefined;
  readonly count?: number | undefined;
}

/** Percent from which a label counts as sure, and as likely. */
const SURE = 90;
const LIKELY = 70;

/** Draws a bar for each score, a full one for 100%, or for each count where nothing is scored; labels in the order given. */
export function renderLabelScores(labels: readonly ScoredLabel[], terminal: Terminal): string {
  const { green, yellow, red } = painter(terminal);
  const counted = labels.some((label) => label.count !== undefined);
  const bars = labels.map((label) => ({
    label: label.label,
    value: label.score ?? 0,
    figures: [
      label.score === undefined ? '' : percent(label.score),
      ...(counted ? [label.count === undefined ? '' : count(label.count)] : []),
    ],
  }));
  const isScored = labels.some(({ score }) => score !== undefined);
  if (!isScored && counted)
    return chartOf('Image labels, and how many images have them', countBars(labels), terminal);
  const head = `${isScored ? 'Image labels and how sure the recognition is' : 'Image labels'}${counted ? '; images' : ''}`;
  return chartOf(head, bars, terminal, {
    full: 100,
    style: ({ value }) => (value >= SURE ? green : value >= LIKELY ? yellow : red),
  });
}

function countBars(labels: readonly ScoredLabel[]): readonly Bar[] {
  return labels.map(({ label, count: images }) => ({
    label,
    value: images ?? 0,
    figures: [images === undefined ? '' : count(images)],
  }));
}

function chartOf(
  head: string,
  bars: readonly Bar[],
  terminal: Terminal,
  options?: Parameters<typeof barChart>[2],
): string {
  const heading = painter(terminal).bold(truncate(head, terminal.width, terminal));
  return `${heading}\n${barChart(bars, terminal, options)}`;
}
