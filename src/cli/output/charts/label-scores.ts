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
  const { bold, green, yellow, red } = painter(terminal);
  const isScored = labels.some(({ score }) => score !== undefined);
  const isCounted = labels.some((label) => label.count !== undefined);
  const byCount = isCounted && !isScored;
  const bars = labels.map(({ label, score, count: images }) => ({
    label,
    value: (byCount ? images : score) ?? 0,
    figures: [
      ...(byCount ? [] : [score === undefined ? '' : percent(score)]),
      ...(isCounted ? [images === undefined ? '' : count(images)] : []),
    ],
  }));
  const head = byCount
    ? 'Image labels, and how many images have them'
    : `${isScored ? 'Image labels and how sure the recognition is' : 'Image labels'}${isCounted ? '; images' : ''}`;
  const style = ({ value }: Bar) => (value >= SURE ? green : value >= LIKELY ? yellow : red);
  const chart = barChart(bars, terminal, byCount ? {} : { full: 100, style });
  return `${bold(truncate(head, terminal.width, terminal))}\n${chart}`;
}
