/** The texts of the cells of a record: several values by the rule of `--multi`, HTML as text with `--plain-text`. */
import { beginsFormula } from '../../records/cells/excel.js';
import {
  createCellFormatter,
  dropEmptyValues,
  type MultiValueRule,
} from '../../records/cells/multi-value-rule.js';
import type { Row } from '../../records/columns/row.js';

/** What is known of columns by their numbers. */
export interface ColumnTraits {
  /** Whether it can have several values. */
  readonly isList: (column: number) => boolean;
  /** Whether it has a line for each, under the rule `rows`. */
  readonly isSplit: (column: number) => boolean;
  /** What becomes of its values, which may hold HTML; nothing where there is none. */
  readonly plainOf?: ((column: number) => ((text: string) => string) | undefined) | undefined;
}

export class RowTexts {
  readonly #print: ReturnType<typeof createCellFormatter>;
  readonly #rule: MultiValueRule['rule'];
  readonly #kinds: ColumnTraits;
  /** So far: cells that begin like formulas, and rows. */
  formulas = 0;
  rows = 0;

  constructor(multi: MultiValueRule, kinds: ColumnTraits) {
    this.#print = createCellFormatter(multi);
    this.#rule = multi.rule;
    this.#kinds = kinds;
  }

  isSplit(column: number): boolean {
    return this.#rule === 'rows' && this.#kinds.isSplit(column);
  }

  /** Whether a cell is a list of JSON, also of one value. */
  isArray(column: number): boolean {
    return this.#rule === 'json' && this.#kinds.isList(column);
  }

  /** The number of lines of a record, which are added to `rows`. */
  linesOf(row: Row): number {
    let lines = 1;
    if (this.#rule === 'rows') {
      for (let column = 0; column < row.width; column++)
        if (this.isSplit(column)) lines = Math.max(lines, row.countValues(column));
    }
    this.rows += lines;
    return lines;
  }

  textOf(row: Row, column: number, line: number): string {
    const all = row.cell(column);
    const found = this.isSplit(column) ? ([all].flat()[line] ?? '') : all;
    const plain = this.#kinds.plainOf?.(column);
    const cell = plain ? (typeof found === 'string' ? plain(found) : found.map(plain)) : found;
    const isJoined = this.#rule === 'join' || this.#rule === 'rows';
    const shown = isJoined ? dropEmptyValues(cell, countOtherValues(row, column)) : cell;
    const text = this.#print(shown, this.#kinds.isList(column));
    if (beginsFormula(text)) this.formulas++;
    return text;
  }
}

/** The numbers of values in the other cells. */
function* countOtherValues(row: Row, column: number): Generator<number> {
  for (let other = 0; other < row.width; other++) if (other !== column) yield row.countValues(other);
}
