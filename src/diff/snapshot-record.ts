/** A record of a snapshot, in whichever form it was kept: JSON of the service, or the cells of a row. */

import { cellValues, createCellFormatter, type MultiValueRule } from '../records/cells/multi-value-rule.js';
import type { TableHeader } from '../records/files/read-table.js';
import type { JsonObject } from '../service/json.js';
import type { Kind } from '../service/kinds.js';
import { parseColumn } from '../service/records/columns.js';
import { readRecord } from '../service/records/record.js';

/** The table that a snapshot is, undefined for JSON. */
export interface Table extends TableHeader {
  readonly columns: readonly string[];
  readonly rule: MultiValueRule;
  /** Whether a column that is not there had no value in any record. */
  readonly isWhole: boolean;
}

export interface SnapshotRecord {
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  /** The record as the service gave it, and its bytes; undefined for a row. */
  readonly raw: JsonObject | undefined;
  readonly bytes: Buffer | undefined;
  /** The values under the name of a column; undefined where a table does not have it. */
  readonly values: (name: string) => readonly string[] | undefined;
  /** What a table may hold in their place: empty values count where a list beside them is as long. */
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
        return [print(cell), print(cell, true)].map(asUtf8);
      });
    },
  };
}

/** A lone surrogate, which JSON can hold, is U+FFFD in a file. */
function asUtf8(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

export function createRowRecord(cells: readonly string[], table: Table, kind: Kind): SnapshotRecord {
  const cell = (name: string) => {
    const place = table.columns.indexOf(name);
    // Programs may leave out empty cells at the end of a row.
    return place < 0 ? undefined : (cells[place] ?? '');
  };
  return {
    id: cell('id') ?? '',
    kind,
    title: cell('title') ?? cell('name') ?? '',
    raw: undefined,
    bytes: undefined,
    values: (name) => {
      const text = cell(name) ?? (table.isWhole ? '' : undefined);
      return text === undefined ? undefined : cellValues(table.rule, text);
    },
    cells: (name) => [cell(name) ?? ''],
  };
}
