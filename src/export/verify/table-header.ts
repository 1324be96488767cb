/** The header of a table on the disk: of an earlier export, or of what a spreadsheet has saved of it. */
import { Readable } from 'node:stream';
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

function formatOf(path: string): Format | undefined {
  const name = findFormatByName(path);
  return name && FORMATS[name];
}

/** Whether its name says that a file is a table. */
export function isTableName(path: string): boolean {
  return formatOf(path)?.table !== undefined;
}

/**
 * The columns of a CSV, TSV or XLSX file, compressed or not; heads mean the columns that a manifest beside the file gives them.
 * Throws a UsageError for a file that cannot be read, is empty, or has a column without a head.
 */
export async function readHead(
  path: string,
  signal?: AbortSignal,
  note: (text: string) => void = () => undefined,
): Promise<readonly ColumnHeader[]> {
  const file = await DecompressedFile.open(path, undefined, signal);
  try {
    const isWorkbook = formatOf(path)?.isText === false;
    const cells = isWorkbook ? await readFirstSheetRow(file) : firstRow(file, note);
    const heads = cells.map((cell) => cell.trim());
    if (heads.length === 0) throw new UsageError(`"${path}" is empty: it has no head`);
    const nameless = heads.indexOf('');
    if (nameless >= 0) throw new UsageError(`column ${nameless + 1} of "${path}" has no head`);
    const manifest = await readManifest(manifestPath(path)).catch(() => undefined);
    const names = manifest && mapHeadersToColumns(manifest);
    return heads.map((header) => ({ name: names?.get(header) ?? header, header }));
  } finally {
    await file.close();
  }
}

async function readFirstSheetRow(file: DecompressedFile): Promise<readonly string[]> {
  const { streamXlsxRows } = await import('hucre/xlsx');
  const bytes = Readable.toWeb(Readable.from(file.pieces(0))) as ReadableStream<Uint8Array>;
  try {
    for await (const { values } of streamXlsxRows(bytes)) return values.map((value) => String(value ?? ''));
    return [];
  } catch {
    throw new UsageError(`cannot read "${file.path}"`);
  }
}

function firstRow(file: DecompressedFile, note: (text: string) => void): readonly string[] {
  if (file.size === 0) return [];
  const delimiters = new Set([formatOf(file.path)?.table?.delimiter ?? CSV.delimiter, ...DELIMITERS]);
  const header = readHeader(file, () => true, [...delimiters]);
  if (!header) throw new UsageError(`"${file.path}" does not begin with a header`, 'save it as CSV UTF-8');
  if (header.encoding === 'windows-1252') note(`"${file.path}" ${AS_WINDOWS_1252}`);
  return header.cells;
}
