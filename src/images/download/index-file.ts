/** `index.ndjson` and `index.csv`: what lies in a folder of images, and where each came from. A later run goes on from it. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from '../../export/files/lines.js';
import { CSV } from '../../export/table/delimited.js';
import { readTable } from '../../export/table/read-table.js';
import { asNumber, asObject, asText, isObject, type JsonObject } from '../../service/json.js';
import { isMissing } from '../../system/file-errors.js';

export const INDEX_FORMATS = ['ndjson', 'csv'] as const;
export type IndexFormat = (typeof INDEX_FORMATS)[number];

/** An image in the folder. */
export interface IndexRow {
  /** Its path below the folder, with `/`. */
  readonly file: string;
  readonly recordType: string;
  readonly recordId: string;
  readonly title: string;
  readonly imageId: string;
  readonly position: number;
  readonly derivative: string;
  readonly sourceUrl: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly rights: string;
  readonly rightsReason: string;
  readonly creditLine: string;
  /** `left over`: the search does not find it any more, or its image could not be had anew. */
  readonly status: 'current' | 'left over';
}

const INDEX_COLUMNS = [
  ...['file', 'recordType', 'recordId', 'title', 'imageId', 'position', 'derivative', 'sourceUrl'],
  ...['sha256', 'bytes', 'width', 'height', 'rights', 'rightsReason', 'creditLine', 'status'],
] as const;

/** What of an image could not be had, should not be had, or is otherwise than asked. */
export interface ReportRow {
  readonly recordType: string;
  readonly recordId: string;
  readonly title: string;
  readonly imageId: string;
  readonly position: number;
  readonly sourceUrl: string;
  /** `failed` alone makes the download incomplete. */
  readonly status: 'failed' | 'refused' | 'skipped' | 'substituted' | 'renamed';
  readonly reason: string;
}

const REPORT_COLUMNS = [
  ...['recordType', 'recordId', 'title', 'imageId', 'position', 'sourceUrl', 'status', 'reason'],
] as const;

/** The lines of a file of rows, in either format, its header too where it has one. */
export function rowPrinter(kind: 'index' | 'report', format: IndexFormat) {
  const columns = kind === 'index' ? INDEX_COLUMNS : REPORT_COLUMNS;
  const csvLine = (cells: readonly string[]) => `${cells.map(CSV.cell).join(CSV.delimiter)}${CSV.lineEnd}`;
  return {
    head: format === 'csv' ? csvLine(columns) : '',
    line: (row: IndexRow | ReportRow) => {
      const object: JsonObject = { ...row };
      return format === 'csv'
        ? csvLine(columns.map((name) => asText(object[name])))
        : `${JSON.stringify(object)}\n`;
    },
  };
}

/** The rows of the index in a folder, from whichever of its files is there; none where there is none. */
export async function* readIndex(folder: string): AsyncGenerator<IndexRow> {
  for (const format of INDEX_FORMATS) {
    let found = false;
    for await (const row of readRows(join(folder, `index.${format}`), format)) {
      found = true;
      if (row) yield row;
    }
    if (found) return;
  }
}

/** The rows of one file; undefined for a line that is no row (a run that was killed may have left half of one). */
export async function* readRows(path: string, format: IndexFormat): AsyncGenerator<IndexRow | undefined> {
  const text = createReadStream(path, 'utf8');
  try {
    if (format === 'ndjson') {
      for await (const line of linesOf(text)) yield rowOf(parsed(line));
      return;
    }
    let header: readonly string[] | undefined;
    for await (const cells of readTable(text, { format: 'csv' })) {
      if (header) yield rowOf(Object.fromEntries(header.map((name, n) => [name, cells[n] ?? ''])));
      header ??= cells;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A row whose file would lie outside of the folder is none: somebody may have written to the index. */
function rowOf(value: unknown): IndexRow | undefined {
  if (!isObject(value)) return undefined;
  const row = asObject(value);
  const file = asText(row.file);
  if (file === '' || /\\|^[A-Za-z]:/.test(file) || file.split('/').some((part) => /^\.{0,2}$/.test(part)))
    return undefined;
  return {
    file,
    recordType: asText(row.recordType),
    recordId: asText(row.recordId),
    title: asText(row.title),
    imageId: asText(row.imageId),
    position: asNumber(row.position) ?? 0,
    derivative: asText(row.derivative),
    sourceUrl: asText(row.sourceUrl),
    sha256: asText(row.sha256),
    bytes: asNumber(row.bytes) ?? 0,
    width: asNumber(row.width) ?? 0,
    height: asNumber(row.height) ?? 0,
    rights: asText(row.rights),
    rightsReason: asText(row.rightsReason),
    creditLine: asText(row.creditLine),
    status: row.status === 'left over' ? 'left over' : 'current',
  };
}

/** The path without its ending: what the template gave. */
export function stemOf(file: string): string {
  return file.replace(/\.[^./]*$/, '');
}
