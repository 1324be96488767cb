/** Reads the first sheet of an XLSX file as CSV, so that every reader of tables can read workbooks. */
import type { CellValue } from 'hucre/xlsx';
import { UsageError } from '../../service/errors.js';
import { CSV } from '../cells/dialect.js';

/** The first bytes of a ZIP file, and so of an XLSX file. */
const ZIP = Buffer.from('PK\x03\x04');
/** Sheets after the first that opac looks at to see whether they contain rows. */
const MAX_OTHER_SHEETS = 9;

export interface Sheet {
  readonly csv: string;
  /** Whether other sheets of the workbook contain rows, which opac does not read. */
  readonly isOneOfSeveral: boolean;
}

/** Whether a file is a workbook, from its name or its first bytes. */
export function isWorkbook(path: string, begin: Buffer): boolean {
  return begin.subarray(0, ZIP.length).equals(ZIP) || /\.xlsx(\.(gz|zst))?$/i.test(path);
}

/** A note for users, after the name of a workbook. */
export const ONLY_FIRST_SHEET = 'has several sheets; only the first one was read';

/** Throws a UsageError for a file that is not a workbook, and the reason of the signal. */
export async function readWorkbook(bytes: Buffer, path: string, signal?: AbortSignal): Promise<Sheet> {
  // The library may parse for a long time without a row.
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([readSheets(bytes, signal), stopped]);
  } catch {
    signal?.throwIfAborted();
    throw new UsageError(`cannot read "${path}" as an XLSX file`, 'save it as XLSX or as CSV UTF-8');
  }
}

async function readSheets(bytes: Buffer, signal: AbortSignal | undefined): Promise<Sheet> {
  const { streamXlsxRows } = await import('hucre/xlsx');
  const lines: string[] = [];
  for await (const { values } of streamXlsxRows(bytes)) {
    signal?.throwIfAborted();
    lines.push(`${values.map((value) => CSV.formatCell(formatValue(value))).join(',')}\n`);
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
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? '');
}
