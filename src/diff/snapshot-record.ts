/** A record of a snapshot (an export file): its original JSON, or the cells of its row in a table. */
import { isDeepStrictEqual } from 'node:util';
import {
  cellValues,
  createCellFormatter,
  type MultiValueRule,
  SHEET_MULTI,
} from '../records/cells/multi-value-rule.js';
import type { TableHeader } from '../records/files/read-table.js';
import type { JsonObject } from '../service/json.js';
import type { Kind } from '../service/kinds.js';
import { parseColumn } from '../service/records/columns.js';
import { readRecord } from '../service/records/record.js';

export interface Table extends TableHeader {
  readonly columns: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
  readonly rule: MultiValueRule;
  /** Whether `rule` comes from the manifest of the table. Without a manifest, `rule` is a guess. */
  readonly isRuleKnown: boolean;
  /** Whether the export would have written this column for a record with a value. If it is missing, no record has a value. */
  readonly wouldContain: (column: string) => boolean;
  /** Whether the export replaced the tabs and line breaks in cells with spaces (`--single-line`). */
  readonly isSingleLine: boolean;
}

export interface SnapshotRecord {
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  /** `raw` and `bytes` are undefined for a row of a table. */
  readonly raw: JsonObject | undefined;
  readonly bytes: Buffer | undefined;
  /** Returns the complete cell of a column. Exists only for a table with the separator `; `, which is also common in texts. */
  readonly cell?: ((name: string) => string | undefined) | undefined;
  /** Returns the values of a column. If a table lacks the column: `[]` if `wouldContain` is true, otherwise undefined. */
  readonly values: (name: string) => readonly string[] | undefined;
  /** Returns each text that the cell of a column can have under a rule, for example with and without empty values. */
  readonly cells: (name: string, rule: MultiValueRule) => readonly string[];
}

export function createJsonRecord(raw: JsonObject, kind: Kind, bytes: Buffer): SnapshotRecord {
  const record = readRecord(raw, kind);
  return {
    id: record.id,
    kind,
    title: record.title,
    raw,
    bytes,
    values: (name) => parseColumn(name).values(record),
    cells: (name, rule) => {
      const values = parseColumn(name).values(record);
      const print = createCellFormatter(rule);
      return [values, values.filter((value) => value !== '')].flatMap((list) => {
        const cell = list.length > 1 ? list : (list[0] ?? '');
        return [print(cell), print(cell, true)].map(toUtf8);
      });
    },
  };
}

/** Replaces lone surrogates with U+FFFD, as writing a file in UTF-8 does. JSON may contain them as escapes. */
function toUtf8(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

export function createRowRecord(cells: readonly string[], table: Table, kind: Kind): SnapshotRecord {
  const cell = (name: string) => {
    const column = table.positions.get(name);
    // Programs may omit empty cells at the end of a row.
    return column === undefined ? undefined : (cells[column] ?? '');
  };
  return {
    id: cell('id') ?? '',
    kind,
    title: cell('title') ?? cell('name') ?? '',
    raw: undefined,
    bytes: undefined,
    cell: isDeepStrictEqual(table.rule, SHEET_MULTI) ? cell : undefined,
    values: (name) => {
      const text = cell(name) ?? (table.wouldContain(name) ? '' : undefined);
      if (text === undefined) return undefined;
      return parseColumn(name).isList ? cellValues(table.rule, text) : text === '' ? [] : [text];
    },
    cells: (name, rule) => {
      const text = cell(name) ?? '';
      return [text, createCellFormatter(rule)(cellValues(table.rule, text))];
    },
  };
}
