/** Records as a table that fits the terminal: one line a row, a rule below the header, no boxes. */
import Table from 'cli-table3';
import { count } from './numbers.js';
import { sanitizeLine } from './sanitize.js';
import { getGlyphs, getStyles } from './styles.js';
import type { Terminal } from './terminal.js';
import { type Align, displayWidth, pad, truncate } from './text.js';

export interface TableColumn {
  readonly name: string;
  readonly align?: Align | undefined;
  /** Never cut, because people copy it: an id, or a name for `--columns`. */
  readonly isNeverCut?: true | undefined;
  /** Its share of a width that is too small for all, against 1 for others. */
  readonly weight?: number | undefined;
}

export interface TableContent {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
}

export interface RenderedTable {
  readonly text: string;
  /** A note for standard error when columns were left out. */
  readonly note: string | undefined;
}

const GAP = 2;
/** A column is not made narrower than this to make room for others. */
const MIN_COLUMN_WIDTH = 16;

/**
 * Draws a table no wider than the terminal. Columns take what they need; when that is too much, the widest ones are
 * cut first, and when even that is too much, the last ones are left out and named in the note.
 */
export function renderTable(content: TableContent, terminal: Terminal): RenderedTable {
  if (content.rows.length === 0) return { text: '', note: undefined };
  const names = content.columns.map(({ name }) => sanitizeLine(name));
  const rows = content.rows.map((row) => names.map((_, index) => sanitizeLine(row[index] ?? '')));
  const natural = names.map((name, index) =>
    rows.reduce(
      (width, row) => Math.max(width, displayWidth(row[index] ?? '')),
      Math.max(displayWidth(name), 1),
    ),
  );
  const least = natural.map((width, index) =>
    isWhole(content.columns[index]) ? Math.min(width, terminal.width) : Math.min(width, MIN_COLUMN_WIDTH),
  );
  const shown = columnsThatFit(least, terminal.width);
  const widths = shareWidth(natural.slice(0, shown), content.columns, terminal.width - GAP * (shown - 1));
  const missing = names.length - shown;
  return {
    text: draw(names, rows, widths, content.columns, terminal),
    note: missing > 0 ? leftOut(missing, terminal) : undefined,
  };
}

/** A number that is cut is another number. */
function isWhole(column: TableColumn | undefined): boolean {
  return column?.isNeverCut === true || column?.align === 'right';
}

function leftOut(missing: number, terminal: Terminal): string {
  const columns = missing === 1 ? 'column' : 'columns';
  return `${getGlyphs(terminal).ellipsis} and ${count(missing)} more ${columns} (use --columns or -f card)`;
}

function columnsThatFit(least: readonly number[], width: number): number {
  let left = width + GAP;
  const fitting = least.findIndex((wanted) => {
    left -= wanted + GAP;
    return left < 0;
  });
  return fitting === -1 ? least.length : Math.max(fitting, 1);
}

/**
 * Widths that add up to at most the width: whole columns are served first, then the narrow ones keep theirs and the wide
 * ones share the rest by their weights.
 */
function shareWidth(natural: readonly number[], columns: readonly TableColumn[], width: number): number[] {
  const widths = new Array<number>(natural.length).fill(0);
  const places = natural.map((_, index) => index);
  const narrowFirst = places.sort(
    (a, b) =>
      Number(isWhole(columns[b])) - Number(isWhole(columns[a])) ||
      wantedAt(a) / weightAt(a) - wantedAt(b) / weightAt(b),
  );
  let left = width;
  let weights = narrowFirst.reduce((sum, index) => sum + weightAt(index), 0);
  for (const index of narrowFirst) {
    const share = isWhole(columns[index]) ? left : Math.floor((left * weightAt(index)) / weights);
    const given = Math.min(wantedAt(index), share);
    widths[index] = given;
    left -= given;
    weights -= weightAt(index);
  }
  return widths;

  function weightAt(index: number): number {
    return columns[index]?.weight ?? 1;
  }

  function wantedAt(index: number): number {
    return natural[index] ?? 0;
  }
}

const BORDERS = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [side, `${side}-mid`]);
const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'left-mid', 'right-mid'];
const NO_LINES = Object.fromEntries([...BORDERS, ...CORNERS].map((name) => [name, '']));

function draw(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  columns: readonly TableColumn[],
  terminal: Terminal,
): string {
  const line = (cells: readonly string[]) =>
    drawRow(
      widths.map((width, index) =>
        pad(truncate(cells[index] ?? '', width, terminal), width, columns[index]?.align),
      ),
    );
  const rule = widths.map((width) => getGlyphs(terminal).rule.repeat(width));
  const { bold, dim } = getStyles(terminal);
  return [bold(line(names)), dim(line(rule)), ...rows.map(line)].join('\n');
}

/** cli-table3 measures with an older string-width, so cells come as wide as their columns, and each row is drawn alone. */
function drawRow(cells: readonly string[]): string {
  const table = new Table({
    chars: { ...NO_LINES, middle: ' '.repeat(GAP) },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  table.push([...cells]);
  return table.toString().trimEnd();
}
