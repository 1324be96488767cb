/** Finds the header, the encoding and the positions of the records in a table file. */
import { UsageError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import { kindOfRecordType } from '../../service/kinds.js';
import type { DecompressedFile } from './decompressed-file.js';
import { type Encoding, sizeOfBom } from './encoding.js';
import type { OnRecord, RecordLocation } from './json-locations.js';
import { createCutFileError } from './read-json.js';
import { findHeader, MAX_HEADER_BYTES, readRows, type TableHeader } from './read-table.js';

const MAX_SHOWN_ROWS = 20;
/** The header is row 1, as in spreadsheets. */
const FIRST_ROW = 2;

/** Returns undefined for a table without a header. Throws a UsageError for damaged UTF-8. */
export async function readHeader(
  file: DecompressedFile,
  isHeader: (cells: readonly string[]) => boolean,
  delimiters?: readonly string[],
): Promise<TableHeader | undefined> {
  const begin = file.bytes(0, MAX_HEADER_BYTES);
  const options = { delimiters, isLast: begin.length === file.size };
  const header = findHeader(begin, isHeader, options);
  return header && findHeader(begin, isHeader, { ...options, encoding: await findEncoding(file) });
}

/** Skips empty rows. At the end, throws a UsageError for rows without an id if `onRowWithoutId` is absent or no row has an id. */
export async function forEachRow(
  file: DecompressedFile,
  header: TableHeader,
  columns: readonly string[],
  onRecord: OnRecord,
  onRowWithoutId?: (row: number, location: RecordLocation, bytes: Buffer) => void,
): Promise<void> {
  const id = columns.indexOf('id');
  const type = columns.indexOf('recordType');
  // Reads at least two cells: with one cell, a row cannot be distinguished from an empty line.
  const count = Math.max(id, type, 1) + 1;
  const options = {
    begin: header.rowsStart,
    count,
    cutError: (at: number) => createCutFileError(file.path, file.lineNumberAt(at)),
  };
  const withoutId: number[] = [];
  let isAnyWithId = false;
  let row = FIRST_ROW - 1;
  for await (const { cells, start, end, bytes } of readRows(file.pieces(header.rowsStart), header, options)) {
    row++;
    if (cells.length === 1 && cells[0] === '' && columns.length > 1) continue;
    const kind = kindOfRecordType(cells[type] ?? '');
    const location = { id: cells[id] ?? '', kind, isTyped: kind !== undefined, start, end };
    // Spreadsheets may save empty rows below the table.
    if (location.id === '' && columns.length > 1 && /^[\s",;]*$/.test(bytes.toString())) continue;
    if (location.id === '') {
      withoutId.push(row);
      onRowWithoutId?.(row, location, bytes);
    } else {
      isAnyWithId = true;
      onRecord(location, bytes);
    }
  }
  if (withoutId.length > 0 && !(isAnyWithId && onRowWithoutId))
    throw new UsageError(describeRowsWithoutId(file.path, withoutId), 'add the id of the record to each row');
}

export function describeRowsWithoutId(path: string, rows: readonly number[]): string {
  const shown = rows.slice(0, MAX_SHOWN_ROWS).map(formatNumber).join(', ');
  const more = rows.length > MAX_SHOWN_ROWS ? ` and ${formatNumber(rows.length - MAX_SHOWN_ROWS)} more` : '';
  return rows.length === 1
    ? `"${path}" row ${shown} has no id`
    : `"${path}" has ${formatNumber(rows.length)} rows without an id: rows ${shown}${more}`;
}

/**
 * Returns Windows-1252 for a file with bytes that are not UTF-8. Throws a UsageError if the file is probably damaged UTF-8: it
 * begins with a BOM, or has fewer invalid bytes than valid non-ASCII characters.
 */
async function findEncoding(file: DecompressedFile): Promise<Encoding> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const decoder = new TextDecoder();
  /** The position of the first invalid byte, counted from 1; 0 if there is none. */
  let firstInvalid = 0;
  let [valid, invalid] = [0, 0];
  let at = 0;
  for await (const bytes of file.pieces(0)) {
    const stream = at + bytes.length < file.size;
    const text = decoder.decode(bytes, { stream });
    const [before = '', ...others] = text.split('\ufffd');
    if (firstInvalid === 0 && !isDecoded(strict, bytes, stream))
      firstInvalid = at + Buffer.byteLength(before) + 1;
    invalid += others.length;
    valid += text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
    at += bytes.length;
  }
  if (firstInvalid === 0) return 'utf8';
  if (valid <= invalid && sizeOfBom(file.bytes(0, 3)) === 0) return 'windows-1252';
  throw new UsageError(
    `"${file.path}" is not UTF-8: see line ${file.lineNumberAt(firstInvalid - 1)}`,
    'save it as CSV UTF-8',
  );
}

function isDecoded(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer, stream: boolean): boolean {
  try {
    decoder.decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}
