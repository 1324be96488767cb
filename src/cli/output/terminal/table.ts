/** Items as a table that fits the terminal. */
import Table from 'cli-table3';
import { formatCount } from '../../../service/format-numbers.js';
import { sanitizeLine } from './sanitize.js';
import { getGlyphs, getStyles } from './styles.js';
import type { Terminal } from './terminal.js';
import { type Align, displayWidth, pad, truncate } from './text.js';

export interface TableColumn {
  readonly name: string;
  readonly align?: Align | undefined;
  /** Cut only if it is wider than the terminal, because users copy it: an id, or a name for `--columns`. */
  readonly isNeverCut?: true | undefined;
  /** Relative width if columns must be cut. Default: 1. */
  readonly weight?: number | undefined;
}

export interface TableContent {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
}

export interface RenderedTable {
  readonly text: string;
  /** For standard error, if the table does not have all columns. */
  readonly note: string | undefined;
}

const GAP = 2;
/** The width that a column needs, unless its text is shorter. If the terminal is too narrow, opac omits the last columns. */
const MIN_COLUMN_WIDTH = 16;
/** An emoji can have many characters, but is only two cells of the terminal wide. */
const MAX_CHARACTERS_PER_CELL = 10;

interface SizedColumn extends TableColumn {
  width: number;
  /** If a column has less room, this column and all further columns are omitted. The first column always stays. */
  readonly minWidth: number;
}

/** Cuts the widest columns to fit the terminal. If this is not enough, omits the last columns; the note says how many. */
export function renderTable(content: TableContent, terminal: Terminal): RenderedTable {
  if (content.rows.length === 0) return { text: '', note: undefined };
  // The terminal shows only the beginning of a long text, and measuring all of it would be slow.
  const maxLength = MAX_CHARACTERS_PER_CELL * terminal.width;
  const rows = content.rows.map((row) =>
    content.columns.map((_, index) => sanitizeLine((row[index] ?? '').slice(0, maxLength))),
  );
  const sized = content.columns.map((column, index) => measure(column, rows, index, terminal.width));
  const columns = fitColumns(sized, terminal.width);
  const omitted = sized.length - columns.length;
  const { ellipsis } = getGlyphs(terminal);
  return {
    text: drawTable(columns, rows, terminal),
    note:
      omitted > 0
        ? `${ellipsis} and ${formatCount(omitted, 'more column')} (use --columns or -f card)`
        : undefined,
  };
}

function measure(
  column: TableColumn,
  rows: readonly (readonly string[])[],
  index: number,
  maxWidth: number,
): SizedColumn {
  const name = sanitizeLine(column.name);
  const natural = rows.reduce(
    (width, row) => Math.max(width, displayWidth(row[index] ?? '')),
    Math.max(displayWidth(name), 1),
  );
  const width = Math.min(natural, maxWidth);
  return { ...column, name, width, minWidth: isUncut(column) ? width : Math.min(width, MIN_COLUMN_WIDTH) };
}

/** Also returns true for numbers, because a cut number is a different number. */
function isUncut({ isNeverCut, align }: TableColumn): boolean {
  return isNeverCut === true || align === 'right';
}

function fitColumns(all: readonly SizedColumn[], width: number): readonly SizedColumn[] {
  let room = width + GAP;
  const firstOmitted = all.findIndex(({ minWidth }) => {
    room -= minWidth + GAP;
    return room < 0;
  });
  const columns = firstOmitted < 0 ? all : all.slice(0, Math.max(firstOmitted, 1));
  const total = columns.reduce((sum, column) => sum + column.width, GAP * (columns.length - 1));
  const getShare = (column: SizedColumn) => (isUncut(column) ? 0 : column.width / (column.weight ?? 1));
  for (let excess = total - width; excess > 0; excess--) {
    const widest = columns.reduce((one, other) => (getShare(other) > getShare(one) ? other : one));
    widest.width -= 1;
  }
  return columns;
}

const BORDERS = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [side, `${side}-mid`]);
const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'left-mid', 'right-mid'];
const NO_LINES = Object.fromEntries([...BORDERS, ...CORNERS].map((name) => [name, '']));

function drawTable(
  columns: readonly SizedColumn[],
  rows: readonly (readonly string[])[],
  terminal: Terminal,
): string {
  const drawRow = (cells: readonly string[]) =>
    joinCells(
      columns.map(({ width, align }, index) =>
        pad(truncate(cells[index] ?? '', width, terminal), width, align),
      ),
    );
  const rule = columns.map(({ width }) => getGlyphs(terminal).rule.repeat(width));
  const { bold, dim } = getStyles(terminal);
  return [bold(drawRow(columns.map(({ name }) => name))), dim(drawRow(rule)), ...rows.map(drawRow)].join(
    '\n',
  );
}

/** cli-table3 measures text in another way, so it receives one row at a time, with cells that are already padded. */
function joinCells(cells: readonly string[]): string {
  const table = new Table({
    chars: { ...NO_LINES, middle: ' '.repeat(GAP) },
    style: { 'padding-left': 0, 'padding-right': 0, border: [] },
  });
  table.push([...cells]);
  return table.toString().trimEnd();
}
