/** Converts the first sheet of an XLSX file to CSV. */
import { setImmediate } from 'node:timers/promises';
import type { CellValue } from 'hucre/xlsx';
import { UsageError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import { CSV } from '../cells/dialect.js';
import { assertSmallParts } from './workbook-parts.js';

const ZIP = Buffer.from('PK\x03\x04');
const MAX_OTHER_SHEETS = 9;
/** The limit of Excel ("Excel specifications and limits"). A small file may unpack to many more rows. */
const MAX_ROWS = 1_048_576;
/** Limits the memory: a row with a value only in the last column becomes a long line of CSV. */
const MAX_CSV_CHARACTERS = 256 * 1024 * 1024;
/** Limits the memory: while opac joins the pieces of the file, its bytes are in memory twice. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Pauses let opac handle signals. */
const ROWS_BETWEEN_PAUSES = 5000;

export interface Sheet {
  readonly csv: string;
  /** Whether one of the next MAX_OTHER_SHEETS sheets, which opac ignores, contains a value. */
  readonly isOneOfSeveral: boolean;
}

export function isWorkbook(path: string, begin: Buffer): boolean {
  return begin.subarray(0, ZIP.length).equals(ZIP) || /\.xlsx(\.(gz|zst))?$/i.test(path);
}

/** Throws a UsageError for a file that is too large. */
export async function collectWorkbook(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const collected: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > MAX_FILE_BYTES)
      throw new UsageError('the workbook is larger than 256 MB', 'save it as CSV UTF-8');
    collected.push(piece);
  }
  return Buffer.concat(collected, length);
}

/** The end of a note that begins with the name of a workbook. */
export const ONLY_FIRST_SHEET = 'has several sheets; only the first one was read';

export async function readWorkbook(bytes: Buffer, path: string, signal?: AbortSignal): Promise<Sheet> {
  // The library may parse for a long time before it returns a row. An abort ends the wait.
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([readSheets(bytes, signal), stopped]);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read "${path}" as an XLSX file`, 'save it as XLSX or as CSV UTF-8');
  }
}

async function readSheets(bytes: Buffer, signal: AbortSignal | undefined): Promise<Sheet> {
  assertSmallParts(bytes);
  const { streamXlsxRows } = await import('hucre/xlsx');
  const lines: string[] = [];
  let length = 0;
  for await (const { values } of streamXlsxRows(bytes)) {
    signal?.throwIfAborted();
    if (lines.length === MAX_ROWS)
      throw new UsageError(`the sheet has more than ${formatNumber(MAX_ROWS)} rows`, 'save it as CSV UTF-8');
    if (lines.length % ROWS_BETWEEN_PAUSES === 0) await setImmediate();
    const line = `${values.map((value) => CSV.formatCell(formatValue(value))).join(',')}\n`;
    length += line.length;
    if (length > MAX_CSV_CHARACTERS)
      throw new UsageError('the sheet is larger than 256 MB', 'save it as CSV UTF-8');
    lines.push(line);
  }
  const csv = lines.join('');
  for (let sheet = 1; sheet <= MAX_OTHER_SHEETS; sheet++) {
    signal?.throwIfAborted();
    for await (const { values } of streamXlsxRows(bytes, { sheet }))
      if (values.some((value) => value !== null && value !== '')) return { csv, isOneOfSeveral: true };
  }
  return { csv, isOneOfSeveral: false };
}

function formatValue(value: CellValue | undefined): string {
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '');
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new UsageError('the sheet contains a number that is too large', 'save the column as text');
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? '');
}
