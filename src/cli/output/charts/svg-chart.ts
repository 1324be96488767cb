/** Draws charts as an SVG picture, for slides and documents. */
import { formatNumber } from '../../../service/format-numbers.js';
import type { Chart } from '../../../service/records/collection-figures.js';
import { escapeHtml } from '../../../system/html.js';
import { formatPercent } from '../terminal/numbers.js';
import { truncate } from '../terminal/text.js';

/** The sizes are in pixels. */
const WIDTH = 960;
const MARGIN = 24;
const TITLE_HEIGHT = 44;
const NOTE_HEIGHT = 24;
const ROW_HEIGHT = 28;
const BAR_HEIGHT = 18;
const LABEL_WIDTH = 300;
const BAR_X = MARGIN + LABEL_WIDTH + 12;
const MAX_BAR_WIDTH = 460;
/** In columns of text, as in `truncate`. */
const MAX_LABEL_CELLS = 36;
const MAX_TITLE_CELLS = 70;

/** Returns one picture, with one chart below the other. The background is white, because slides have no dark mode. */
export function renderSvgCharts(charts: readonly Chart[]): string {
  const parts: string[] = [];
  let y = MARGIN;
  for (const chart of charts) {
    parts.push(...drawChart(chart, y));
    y += TITLE_HEIGHT + chart.rows.length * ROW_HEIGHT + NOTE_HEIGHT + MARGIN;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" font-family="sans-serif" font-size="15" fill="#1b1f24">
<rect width="${WIDTH}" height="${y}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}

function drawChart({ title, rows, records, note = '' }: Chart, top: number): readonly string[] {
  const largest = Math.max(1, ...rows.map(({ count }) => count));
  const heading = `<text x="${MARGIN}" y="${top + 20}" font-size="20" font-weight="bold">${cutText(title, MAX_TITLE_CELLS)}</text>`;
  const bars = rows.map(({ label, count, isRest }, n) => {
    const y = top + TITLE_HEIGHT + n * ROW_HEIGHT;
    const width = Math.round((count / largest) * MAX_BAR_WIDTH);
    const share = records > 0 ? ` (${formatPercent((count / records) * 100)})` : '';
    return [
      `<text x="${MARGIN + LABEL_WIDTH}" y="${y + 14}" text-anchor="end">${cutText(label, MAX_LABEL_CELLS)}</text>`,
      `<rect x="${BAR_X}" y="${y}" width="${width}" height="${BAR_HEIGHT}" fill="${isRest ? '#8a94a3' : '#0b57a4'}"/>`,
      `<text x="${BAR_X + width + 8}" y="${y + 14}">${formatNumber(count)}${share}</text>`,
    ].join('');
  });
  const noteY = top + TITLE_HEIGHT + rows.length * ROW_HEIGHT + 16;
  return [
    heading,
    ...bars,
    `<text x="${BAR_X}" y="${noteY}" font-size="13" fill="#5b6470">${escapeHtml(note)}</text>`,
  ];
}

const cutText = (text: string, cells: number) => escapeHtml(truncate(text, cells, { unicode: true }));
