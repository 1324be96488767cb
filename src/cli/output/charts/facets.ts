/** Several facets, each with a heading and its first rows. */
import { counted } from '../../../service/grouped.js';
import { asList, asNumber, asObject, asText, type Json } from '../../../service/json.js';
import { count } from '../terminal/numbers.js';
import { painter } from '../terminal/paint.js';
import { oneLine } from '../terminal/sanitise.js';
import type { Terminal } from '../terminal/terminal.js';
import { displayWidth, truncate } from '../terminal/text.js';
import { type FacetType, renderFacet } from './facet-chart.js';

export interface FacetsOptions {
  readonly top: number;
  readonly hexOf: (name: string) => string | undefined;
  /** How many records were counted; undefined where the service does not say. */
  readonly records?: number | undefined;
}

/** Draws facets as the service gave them (FIELD-NOTES.md "Answers": facetsCollection). */
export function renderFacets(facets: readonly Json[], terminal: Terminal, options: FacetsOptions): string {
  return facets.map((facet) => renderOne(facet, terminal, options)).join('\n\n');
}

function renderOne(json: Json, terminal: Terminal, { top, hexOf, records }: FacetsOptions): string {
  const { bold, dim } = painter(terminal);
  const facet = asObject(json);
  const type = typeOf(facet.facetType);
  const rows = asList(facet.facetLabelValues)
    .map(asObject)
    .map(({ label, value }) => ({
      label: asText(label),
      count: asNumber(value) ?? Number.NaN,
      hex: hexOf(asText(label)),
    }));
  const shown = type === 'range' ? rows : rows.slice(0, top);
  const name = oneLine(asText(facet.facet) || asText(facet.facetId));
  const id = oneLine(asText(facet.facetId));
  const heading = truncate(name, terminal.width, terminal);
  const room = terminal.width - displayWidth(heading) - 3;
  // The id is what `opac facets get` and --facet take.
  const identity = id !== name && displayWidth(id) <= room ? dim(` (${id})`) : '';
  const left = Math.max(0, (asNumber(facet.totalLabelValues) ?? rows.length) - shown.length);
  const total = rows.reduce((sum, row) => sum + (Number.isFinite(row.count) ? row.count : 0), 0);
  return [
    bold(heading) + identity,
    ...(records === undefined || rows.length === 0
      ? []
      : [dim(truncate(base(records, total), terminal.width, terminal))]),
    rows.length === 0
      ? dim('no values')
      : renderFacet({ facetType: type, rows: shown }, terminal, { total: records ?? total }),
    ...(left > 0 ? [dim(truncate(`and ${count(left)} more (--top)`, terminal.width, terminal))] : []),
  ].join('\n');
}

/** A record may have several values, or none. */
function base(records: number, values: number): string {
  return `of ${counted(records, 'record')}; ${counted(values, 'value')}`;
}

function typeOf(value: unknown): FacetType {
  return value === 'range' || value === 'color' ? value : 'text';
}
