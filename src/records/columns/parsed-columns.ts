/** Columns of parsed records: chosen columns, or all columns, including attributes and related ids. */
import type { Kind } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import {
  type Column,
  listColumnNames,
  parseColumn,
  RECORD_COLUMN_NAMES,
} from '../../service/records/columns.js';
import { readRecord } from '../../service/records/record.js';
import { Spans } from '../json/spans.js';
import type { ColumnReader } from './discovered-columns.js';
import { createCell, Row } from './row.js';

export function createChosenColumns(kind: Kind, chosen: readonly Column[]): ColumnReader {
  return new ParsedColumns(kind, chosen, false);
}

/** Adds each column when it first occurs in a record. */
export function createAllColumns(kind: Kind, names: readonly string[] = []): ColumnReader {
  return new ParsedColumns(kind, (names.length > 0 ? names : RECORD_COLUMN_NAMES).map(parseColumn), true);
}

class ParsedColumns implements ColumnReader {
  readonly names: string[];
  readonly row = new Row(new Spans());
  readonly #kind: Kind;
  readonly #columns: Column[];
  readonly #known: Set<string>;
  readonly #isGrowing: boolean;

  constructor(kind: Kind, columns: readonly Column[], isGrowing: boolean) {
    this.#kind = kind;
    this.#columns = [...columns];
    this.names = columns.map(({ name }) => name);
    this.#known = new Set(this.names);
    this.#isGrowing = isGrowing;
  }

  read(bytes: Buffer, start: number, end: number): void {
    const record = readRecord(parseJsonLossless(bytes.subarray(start, end)), this.#kind);
    if (this.#isGrowing) {
      for (const name of listColumnNames(record, { withAttributes: true, withRelatedIds: true })) {
        if (this.#known.has(name)) continue;
        this.#known.add(name);
        this.#columns.push(parseColumn(name));
        this.names.push(name);
      }
    }
    this.row.clear(this.#columns.length);
    for (const [number, { values }] of this.#columns.entries()) {
      this.row.setText(number, createCell(values(record)));
    }
  }
}
