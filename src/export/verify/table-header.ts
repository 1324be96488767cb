/** Reads the header of a table file, from an export or from a spreadsheet program. */
import { CSV } from '../../records/cells/dialect.js';
import { DecompressedFile } from '../../records/files/decompressed-file.js';
import { AS_WINDOWS_1252 } from '../../records/files/encoding.js';
import { DELIMITERS } from '../../records/files/read-table.js';
import { readHeader } from '../../records/files/table-locations.js';
import { UsageError } from '../../service/errors.js';
import type { ColumnHeader } from '../../service/records/columns.js';
import { FORMATS, type Format, findFormatByName } from '../convert/formats.js';
import { manifestPath } from '../export-paths.js';
import { mapHeadersToColumns, readManifest } from './manifest.js';

function findFormat(path: string): Format | undefined {
  const name = findFormatByName(path);
  return name && FORMATS[name];
}

export function isTableName(path: string): boolean {
  return findFormat(path)?.table !== undefined;
}

/** Takes column names from the manifest, otherwise from the header. Throws a UsageError for a file without a complete header. */
export async function readColumnHeaders(
  path: string,
  signal?: AbortSignal,
  note: (text: string) => void = () => undefined,
): Promise<readonly ColumnHeader[]> {
  const file = await DecompressedFile.open(path, undefined, signal);
  try {
    const cells = await readFirstRow(file, note);
    const headers = cells.map((cell) => cell.trim());
    if (headers.length === 0) throw new UsageError(`"${path}" is empty: it has no header`);
    const unnamed = headers.indexOf('');
    if (unnamed >= 0) throw new UsageError(`column ${unnamed + 1} of "${path}" has no header`);
    const manifest = await readManifest(manifestPath(path)).catch(() => undefined);
    const names = manifest && mapHeadersToColumns(manifest);
    return headers.map((header) => ({ name: names?.get(header) ?? header, header }));
  } finally {
    await file.close();
  }
}

async function readFirstRow(
  file: DecompressedFile,
  note: (text: string) => void,
): Promise<readonly string[]> {
  if (file.size === 0) return [];
  const named = file.sheet ? CSV : findFormat(file.path)?.table;
  const delimiters = new Set([named?.delimiter ?? CSV.delimiter, ...DELIMITERS]);
  const header = await readHeader(file, () => true, [...delimiters]);
  if (!header)
    throw new UsageError(`"${file.path}" does not begin with a header`, 'save the table as CSV UTF-8');
  if (header.encoding === 'windows-1252') note(`"${file.path}" ${AS_WINDOWS_1252}`);
  return header.cells;
}
