/** Facets as charts: bars for texts, a histogram for ranges, swatches for colours (INTERFACE.md: facetType). */

import { count, percent } from '../terminal/numbers.js';
import { hexDigits } from '../terminal/swatch.js';
import type { Terminal } from '../terminal/terminal.js';
import { type Bar, barChart } from './bar-chart.js';

export type FacetType = 'text' | 'range' | 'color';

export interface FacetRow {
  readonly label: string;
  readonly count: number;
  readonly hex?: string | undefined;
}

export interface FacetChartOptions {
  readonly total?: number | undefined;
}

/** Draws each row with its count and share, in the order given; a range is ordered by the numbers it starts with. */
export function renderFacet(
  facet: { readonly facetType: FacetType; readonly rows: readonly FacetRow[] },
  terminal: Terminal,
  options: FacetChartOptions = {},
): string {
  const { facetType, rows } = facet;
  const total =
    options.total ?? rows.reduce((sum, row) => sum + (Number.isFinite(row.count) ? row.count : 0), 0);
  const bars = (facetType === 'range' ? byNumber(rows) : rows).map(
    (row): Bar => ({
      ...(facetType === 'color' ? withHex(row) : { label: row.label }),
      value: row.count,
      figures: [
        count(row.count),
        total > 0 && Number.isFinite(row.count) ? percent((row.count / total) * 100) : '',
      ],
    }),
  );
  return barChart(bars, terminal, facetType === 'range' ? { alignLabels: 'right' } : {});
}

function byNumber(rows: readonly FacetRow[]): readonly FacetRow[] {
  const numbered = rows.map((row) => ({ row, start: Number.parseFloat(row.label) }));
  if (numbered.some(({ start }) => Number.isNaN(start))) return rows;
  return numbered.sort((a, b) => a.start - b.start).map(({ row }) => row);
}

function withHex({ label, hex }: FacetRow): Pick<Bar, 'label' | 'hex'> {
  const digits = hexDigits(hex ?? label);
  if (!digits) return { label };
  return { label: hexDigits(label) ? `#${digits}` : `#${digits} ${label}`, hex: digits };
}
