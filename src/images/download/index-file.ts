/** `index.ndjson` and `index.csv`: the images in a folder and their sources. A later run continues from it. */
import { constants } from 'node:fs';
import { join } from 'node:path';
import { CSV } from '../../records/cells/delimited.js';
import { readTable } from '../../records/files/read-table.js';
import { asNumber, asObject, asText, isObject, type JsonObject } from '../../service/json.js';
import { tryParseJson } from '../../service/parse-json.js';
import { isMissing } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { linesOf } from '../../system/lines.js';
import { openOurs } from '../../system/our-file.js';

export const INDEX_FORMATS = ['ndjson', 'csv'] as const;
export type IndexFormat = (typeof INDEX_FORMATS)[number];

export interface ImageReference {
  readonly recordType: string;
  readonly recordId: string;
  readonly title: string;
  readonly imageId: string;
  readonly position: number;
  readonly sourceUrl: string;
}

export interface IndexRow extends ImageReference {
  readonly file: string;
  readonly derivative: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly rights: string;
  readonly rightsReason: string;
  readonly creditLine: string;
  /** `left over`: no longer found, or not fetched again. */
  readonly status: 'current' | 'left over';
}

const INDEX_COLUMNS = [
  ...['file', 'recordType', 'recordId', 'title', 'imageId', 'position', 'derivative', 'sourceUrl'],
  ...['sha256', 'bytes', 'width', 'height', 'rights', 'rightsReason', 'creditLine', 'status'],
] as const;

const NUMBERS: ReadonlySet<string> = new Set(['position', 'bytes', 'width', 'height']);

export interface ReportRow extends ImageReference {
  /** Only `failed` makes the download incomplete. */
  readonly status: 'failed' | 'refused' | 'skipped' | 'substituted' | 'renamed';
  readonly reason: string;
}

const REPORT_COLUMNS = [
  ...['recordType', 'recordId', 'title', 'imageId', 'position', 'sourceUrl', 'status', 'reason'],
] as const;

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

/** Characters of a line. */
const LONGEST = 16 * 1024 * 1024;

/** Yields undefined for a line that is no row: a killed run may have left half of one. */
export async function* readRows(path: string, format: IndexFormat): AsyncGenerator<IndexRow | undefined> {
  try {
    const text = (await openOurs(path, constants.O_RDONLY)).createReadStream({ encoding: 'utf8' });
    if (format === 'ndjson') {
      for await (const line of linesOf(text, LONGEST)) yield rowOf(tryParseJson(line));
      return;
    }
    let header: readonly string[] | undefined;
    for await (const cells of readTable(text, { format: 'csv' })) {
      if (header) yield rowOf(Object.fromEntries(header.map((name, n) => [name, cells[n] ?? ''])));
      header ??= cells;
    }
  } catch (error) {
    if (!isMissing(error)) throw fileError(error, 'read', path);
  }
}

/** Rejects files outside the folder: somebody may have edited the index. */
function rowOf(value: unknown): IndexRow | undefined {
  if (!isObject(value)) return undefined;
  const row = asObject(value);
  const file = asText(row.file);
  if (file === '' || /\\|^[A-Za-z]:/.test(file) || file.split('/').some((part) => /^\.{0,2}$/.test(part)))
    return undefined;
  const status = row.status === 'left over' ? 'left over' : 'current';
  const cell = (name: string) => (NUMBERS.has(name) ? (asNumber(row[name]) ?? 0) : asText(row[name]));
  return indexRow({ ...Object.fromEntries(INDEX_COLUMNS.map((name) => [name, cell(name)])), status });
}

/** The columns of the index, in their order, of what has them and perhaps more. */
export function indexRow(values: object): IndexRow {
  const all: Readonly<Record<string, unknown>> = { ...values };
  return Object.fromEntries(INDEX_COLUMNS.map((name) => [name, all[name]])) as unknown as IndexRow;
}

export function stemOf(file: string): string {
  return file.replace(/\.[^./]*$/, '');
}
