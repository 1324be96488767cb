/** Formats the cells of a record as text: joins values by the rule of `--multi`, and converts HTML for `--plain-text`. */
import { beginsFormula } from '../../records/cells/excel.js';
import {
  createCellFormatter,
  dropEmptyValues,
  type MultiValueRule,
} from '../../records/cells/multi-value-rule.js';
import type { Row } from '../../records/columns/row.js';
import { listMalformed } from './converter.js';

export interface ColumnTraits {
  readonly isList: (column: number) => boolean;
  /** Whether the rule `rows` gives each value of the column its own row. */
  readonly hasRowPerValue: (column: number) => boolean;
  /** Returns undefined if opac does not convert HTML in the column. */
  readonly getTextConverter?: ((column: number) => ((text: string) => string) | undefined) | undefined;
}

export class RowTexts {
  readonly #print: ReturnType<typeof createCellFormatter>;
  readonly #rule: MultiValueRule['rule'];
  readonly #traits: ColumnTraits;
  /** Counts cells that begin like formulas. */
  formulas = 0;
  rows = 0;
  #malformed = 0;

  constructor(multi: MultiValueRule, traits: ColumnTraits) {
    this.#print = createCellFormatter(multi);
    this.#rule = multi.rule;
    this.#traits = traits;
  }

  hasRowPerValue(column: number): boolean {
    return this.#rule === 'rows' && this.#traits.hasRowPerValue(column);
  }

  /** Whether cells are JSON arrays, even for one value. */
  isArray(column: number): boolean {
    return this.#rule === 'json' && this.#traits.isList(column);
  }

  /** Returns the number of rows for a record, and adds it to `rows`. */
  countRows(row: Row): number {
    let rows = 1;
    if (this.#rule === 'rows') {
      for (let column = 0; column < row.width; column++)
        if (this.hasRowPerValue(column)) rows = Math.max(rows, row.countValues(column));
    }
    this.rows += rows;
    return rows;
  }

  /** `rowInRecord`: counted from 0. */
  format(record: Row, column: number, rowInRecord: number): string {
    const found = this.hasRowPerValue(column) ? record.valueAt(column, rowInRecord) : record.cell(column);
    const plain = this.#traits.getTextConverter?.(column);
    const cell = plain ? (typeof found === 'string' ? plain(found) : found.map(plain)) : found;
    const isJoined = this.#rule === 'join' || this.#rule === 'rows';
    const shown = isJoined ? dropEmptyValues(cell, countOtherValues(record, column)) : cell;
    const text = this.#print(shown, this.#traits.isList(column));
    if (beginsFormula(text)) this.formulas++;
    if (!text.isWellFormed()) this.#malformed++;
    return text;
  }

  losses(): readonly string[] {
    return listMalformed(this.#malformed, 'cell');
  }
}

function* countOtherValues(row: Row, column: number): Generator<number> {
  for (let other = 0; other < row.width; other++) if (other !== column) yield row.countValues(other);
}
