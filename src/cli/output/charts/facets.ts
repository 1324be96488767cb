/** Facets as charts: bars for texts, a histogram for ranges, swatches for colours (INTERFACE.md: facetType). */
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import { asList, asNumber, asObject, asText, type Json } from '../../../service/json.js';
import type { Chart } from '../../../service/records/collection-figures.js';
import { formatPercent } from '../terminal/numbers.js';
import { sanitizeLine } from '../terminal/sanitize.js';
import { getStyles, parseHexDigits } from '../terminal/styles.js';
import type { Terminal } from '../terminal/terminal.js';
import { displayWidth, truncate } from '../terminal/text.js';
import { type Bar, drawBars } from './bar-chart.js';
import { selectMostFrequent } from './most-frequent.js';

export type FacetType = 'text' | 'range' | 'color';

export interface FacetRow {
  readonly label: string;
  readonly count: number;
  readonly hex?: string | undefined;
}

interface FacetRows {
  readonly facetType: FacetType;
  readonly rows: readonly FacetRow[];
  readonly rest?: readonly FacetRow[];
}

export interface FacetsOptions {
  /** How many values to show per facet. Default: all ranges, and the 10 most frequent values of other facets. */
  readonly top?: number | undefined;
  readonly hexOf: (name: string) => string | undefined;
  /** The number of records that match the search; undefined if it is not known. */
  readonly records?: number | undefined;
  /** By facet id: how many records have no value, and how many have several. */
  readonly gaps: ReadonlyMap<string, { readonly withoutValue: number; readonly severalValues: number }>;
}

const DEFAULT_TOP = 10;

/** `facets` is the JSON of the service (FIELD-NOTES.md "Answers": facetsCollection). */
export function renderFacets(facets: readonly Json[], terminal: Terminal, options: FacetsOptions): string {
  return facets.map((facet) => renderTitledFacet(facet, terminal, options)).join('\n\n');
}

function readFacet(json: Json, { top, hexOf, gaps }: FacetsOptions) {
  const { facet, facetId, facetType: type, facetLabelValues, totalLabelValues } = asObject(json);
  const facetType: FacetType = type === 'range' || type === 'color' ? type : 'text';
  const all = asList(facetLabelValues)
    .map(asObject)
    .map(({ label, value }) => ({
      label: asText(label),
      count: asNumber(value) ?? Number.NaN,
      hex: hexOf(asText(label)),
    }));
  const isRange = facetType === 'range';
  const shown = top === undefined && isRange ? all : selectMostFrequent(all, top ?? DEFAULT_TOP);
  const rows = isRange ? sortByNumber(shown) : shown;
  const gap = gaps.get(asText(facetId));
  return {
    facetType,
    id: asText(facetId),
    title: asText(facet) || asText(facetId),
    rows,
    rest: gap ? [{ label: isRange ? 'in no range' : 'no value', count: gap.withoutValue, isRest: true }] : [],
    severalValues: gap?.severalValues ?? 0,
    values: sumCounts(all),
    more: Math.max(0, (asNumber(totalLabelValues) ?? all.length) - rows.length),
  };
}

function renderTitledFacet(json: Json, terminal: Terminal, options: FacetsOptions): string {
  const { bold, dim } = getStyles(terminal);
  const dimLine = (text: string) => dim(truncate(text, terminal.width, terminal));
  const { records } = options;
  const { more, values, ...facet } = readFacet(json, options);
  const [name, id] = [sanitizeLine(facet.title), sanitizeLine(facet.id)];
  const heading = truncate(name, terminal.width, terminal);
  // Shows the id, because `opac facets get` and --facet accept it.
  const isIdShown = id !== name && displayWidth(id) <= terminal.width - displayWidth(heading) - 3;
  const title = bold(heading) + (isIdShown ? dim(` (${id})`) : '');
  if (facet.rows.length === 0) return `${title}\n${dim('no values')}`;
  return [
    title,
    // The two numbers may differ, because a record may have several values, or none.
    ...(records === undefined
      ? []
      : [dimLine(`${formatCount(values, 'value')} in ${formatCount(records, 'record')}`)]),
    renderFacet(facet, terminal, records ?? values),
    ...(more > 0 ? [dimLine(formatMore(more))] : []),
  ].join('\n');
}

const formatMore = (more: number) => `${formatCount(more, 'other value')} not shown (use --top)`;

/** Returns the data for charts in an HTML page or an SVG picture. */
export function createCharts(facets: readonly Json[], options: FacetsOptions): readonly Chart[] {
  return facets.map((json) => {
    const { title, rows, rest, severalValues, values, more } = readFacet(json, options);
    const records = options.records ?? values;
    const notes = [
      `${formatCount(values, 'value')} in ${formatCount(records, 'record')}`,
      ...(severalValues > 0 ? [`${formatCount(severalValues, 'record')} with several values`] : []),
      ...(more > 0 ? [formatMore(more)] : []),
    ];
    return {
      title,
      rows: [...rows.map(({ label, count }) => ({ label, count: count || 0 })), ...rest],
      records,
      inSeveralRows: 0,
      note: notes.join('; '),
    };
  });
}

function sumCounts(rows: readonly FacetRow[]): number {
  return rows.reduce((sum, row) => sum + (Number.isFinite(row.count) ? row.count : 0), 0);
}

/** `total` is the number for 100%. Sorts ranges by their start if all labels begin with a number. */
export function renderFacet(
  { facetType, rows, rest = [] }: FacetRows,
  terminal: Terminal,
  total = sumCounts(rows),
): string {
  const bars = [...(facetType === 'range' ? sortByNumber(rows) : rows), ...rest].map(
    (row): Bar => ({
      ...(facetType === 'color' ? addHexToLabel(row) : { label: row.label }),
      value: row.count,
      figures: [
        formatNumber(row.count),
        total > 0 && Number.isFinite(row.count) ? formatPercent((row.count / total) * 100) : '',
      ],
    }),
  );
  return drawBars(bars, terminal, facetType === 'range' ? 'right' : 'left');
}

function sortByNumber(rows: readonly FacetRow[]): readonly FacetRow[] {
  const numbered = rows.map((row) => ({ row, start: Number.parseFloat(row.label) }));
  if (numbered.some(({ start }) => Number.isNaN(start))) return rows;
  return numbered.sort((a, b) => a.start - b.start).map(({ row }) => row);
}

function addHexToLabel({ label, hex }: FacetRow): Pick<Bar, 'label' | 'hex'> {
  const digits = parseHexDigits(hex ?? label);
  if (!digits) return { label };
  return { label: parseHexDigits(label) ? `#${digits}` : `#${digits} ${label}`, hex: digits };
}
