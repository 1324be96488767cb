/** Image labels with their scores: how sure the image recognition is of each. */

import { count, percent } from '../terminal/numbers.js';
import { painter } from '../terminal/paint.js';
import type { Terminal } from '../terminal/terminal.js';
import { truncate } from '../terminal/text.js';
import { barChart } from './bar-chart.js';

export interface ScoredLabel {
  readonly label: string;
  readonly score: number | undefined;
  readonly count?: number | undefined;
}

/** Percent from which a label counts as sure, and as likely. */
const SURE = 90;
const LIKELY = 70;

/** Draws a bar for each score, a full one for 100%; labels in the order given. */
export function renderLabelScores(labels: readonly ScoredLabel[], terminal: Terminal): string {
  const { green, yellow, red, bold } = painter(terminal);
  const counted = labels.some((label) => label.count !== undefined);
  const bars = labels.map((label) => ({
    label: label.label,
    value: label.score ?? 0,
    figures: [
      label.score === undefined ? '' : percent(label.score),
      ...(counted ? [label.count === undefined ? '' : count(label.count)] : []),
    ],
  }));
  const head = `${labels.some(({ score }) => score !== undefined) ? 'Image labels and how sure the recognition is' : 'Image labels'}${counted ? '; images' : ''}`;
  const chart = barChart(bars, terminal, {
    full: 100,
    style: ({ value }) => (value >= SURE ? green : value >= LIKELY ? yellow : red),
  });
  return `${bold(truncate(head, terminal.width, terminal))}\n${chart}`;
}
