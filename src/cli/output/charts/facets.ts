/** Facets as charts: bars for texts, a histogram for ranges, swatches for colours (INTERFACE.md: facetType). */
import { formatCount } from '../../../service/format-numbers.js';
import { asList, asNumber, asObject, asText, type Json } from '../../../service/json.js';
import { count, formatPercent } from '../terminal/numbers.js';
import { sanitizeLine } from '../terminal/sanitize.js';
import { getStyles } from '../terminal/styles.js';
import { hexDigits } from '../terminal/swatch.js';
import type { Terminal } from '../terminal/terminal.js';
import { displayWidth, truncate } from '../terminal/text.js';
import { type Bar, barChart } from './bar-chart.js';

export type FacetType = 'text' | 'range' | 'color';

export interface FacetRow {
  readonly label: string;
  readonly count: number;
  readonly hex?: string | undefined;
}

export interface FacetsOptions {
  readonly top: number;
  readonly hexOf: (name: string) => string | undefined;
  /** How many records were counted; undefined where the service does not say. */
  readonly records?: number | undefined;
}

/** Draws facets as the service gave them (FIELD-NOTES.md "Answers": facetsCollection), each below a heading. */
export function renderFacets(facets: readonly Json[], terminal: Terminal, options: FacetsOptions): string {
  return facets.map((facet) => renderOne(facet, terminal, options)).join('\n\n');
}

function renderOne(json: Json, terminal: Terminal, { top, hexOf, records }: FacetsOptions): string {
  const { bold, dim } = getStyles(terminal);
  const dimmed = (text: string) => dim(truncate(text, terminal.width, terminal));
  const facet = asObject(json);
  const facetType = typeOf(facet.facetType);
  const rows = asList(facet.facetLabelValues)
    .map(asObject)
    .map(({ label, value }) => ({
      label: asText(label),
      count: asNumber(value) ?? Number.NaN,
      hex: hexOf(asText(label)),
    }));
  const shown = facetType === 'range' ? rows : rows.slice(0, top);
  const name = sanitizeLine(asText(facet.facet) || asText(facet.facetId));
  const id = sanitizeLine(asText(facet.facetId));
  const heading = truncate(name, terminal.width, terminal);
  // The id is what `opac facets get` and --facet take.
  const isIdShown = id !== name && displayWidth(id) <= terminal.width - displayWidth(heading) - 3;
  const title = bold(heading) + (isIdShown ? dim(` (${id})`) : '');
  if (rows.length === 0) return `${title}\n${dim('no values')}`;
  const left = Math.max(0, (asNumber(facet.totalLabelValues) ?? rows.length) - shown.length);
  const total = totalOf(rows);
  // A record may have several values, or none.
  const base =
    records === undefined ? '' : `of ${formatCount(records, 'record')}; ${formatCount(total, 'value')}`;
  return [
    title,
    ...(base === '' ? [] : [dimmed(base)]),
    renderFacet({ facetType, rows: shown }, terminal, records ?? total),
    ...(left > 0 ? [dimmed(`and ${count(left)} more (--top)`)] : []),
  ].join('\n');
}

function typeOf(value: unknown): FacetType {
  return value === 'range' || value === 'color' ? value : 'text';
}

function totalOf(rows: readonly FacetRow[]): number {
  return rows.reduce((sum, row) => sum + (Number.isFinite(row.count) ? row.count : 0), 0);
}

/** Draws each row with its count and share, in the order given; a range is ordered by the numbers it starts with. */
export function renderFacet(
  { facetType, rows }: { readonly facetType: FacetType; readonly rows: readonly FacetRow[] },
  terminal: Terminal,
  total = totalOf(rows),
): string {
  const bars = (facetType === 'range' ? byNumber(rows) : rows).map(
    (row): Bar => ({
      ...(facetType === 'color' ? withHex(row) : { label: row.label }),
      value: row.count,
      figures: [
        count(row.count),
        total > 0 && Number.isFinite(row.count) ? formatPercent((row.count / total) * 100) : '',
      ],
    }),
  );
  return barChart(bars, terminal, facetType === 'range' ? 'right' : 'left');
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
