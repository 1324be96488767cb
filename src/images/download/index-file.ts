/** `index.ndjson`: the images in a folder and their sources, from which a later run continues; `index.csv` is for people. */
import { constants } from 'node:fs';
import { CSV } from '../../records/cells/dialect.js';
import { asNumber, asText, isObject, type JsonObject } from '../../service/json.js';
import { tryParseJson } from '../../service/parse-json.js';
import { isMissing } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { openRegularFile } from '../../system/regular-file.js';
import { splitLines } from '../../system/split-lines.js';

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

const COLUMNS = {
  index: INDEX_COLUMNS,
  report: ['recordType', 'recordId', 'title', 'imageId', 'position', 'sourceUrl', 'status', 'reason'],
} as const;

export const ROW_FORMATS = ['ndjson', 'csv'] as const;

/** The lines of an index or a report. */
export async function* printRows(
  kind: keyof typeof COLUMNS,
  format: (typeof ROW_FORMATS)[number],
  rows: AsyncIterable<IndexRow | ReportRow>,
): AsyncGenerator<string> {
  const csvLine = (cells: readonly string[]) =>
    `${cells.map(CSV.formatCell).join(CSV.delimiter)}${CSV.lineEnd}`;
  const columns = COLUMNS[kind];
  if (format === 'csv') yield csvLine(columns);
  for await (const row of rows) {
    const object: JsonObject = { ...row };
    yield format === 'csv'
      ? csvLine(columns.map((name) => asText(object[name])))
      : `${JSON.stringify(object)}\n`;
  }
}

/** Characters of a line. */
const MAX_LINE = 16 * 1024 * 1024;

/** The rows of a file of lines, none for a missing one. A killed run may have left half a line, which is no row. */
export async function* readRows(path: string): AsyncGenerator<IndexRow> {
  try {
    const text = (await openRegularFile(path, constants.O_RDONLY)).createReadStream({ encoding: 'utf8' });
    for await (const line of splitLines(text, MAX_LINE)) {
      const row = parseRow(tryParseJson(line));
      if (row) yield row;
    }
  } catch (error) {
    if (!isMissing(error)) throw fileError(error, 'read', path);
  }
}

/** Rejects files outside the folder: somebody may have edited the index. */
function parseRow(row: unknown): IndexRow | undefined {
  if (!isObject(row)) return undefined;
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

export function getStem(file: string): string {
  return file.replace(/\.[^./]*$/, '');
}
