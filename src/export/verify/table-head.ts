/** The head of a table on the disk: of an earlier export, or of what a spreadsheet has saved of it. */
import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { CSV, TSV } from '../../records/cells/delimited.js';
import { readTable } from '../../records/files/read-table.js';
import { UsageError } from '../../service/errors.js';
import type { ColumnHead } from '../../service/records/columns.js';
import { compressionOf } from '../../system/compression.js';
import { isMissing } from '../../system/error-code.js';
import { readFrom } from '../../system/finished-file.js';
import { FORMATS, formatOfName } from '../convert/formats.js';
import { manifestPath } from '../target.js';
import { columnsByHead, readManifest } from './manifest.js';

/** A head that is longer is none. */
const LONGEST = 1 << 20;

/** Whether its name says that a file is a table. */
export function isTableName(path: string): boolean {
  const format = formatOfName(path);
  return format !== undefined && FORMATS[format].table !== undefined;
}

/**
 * The columns of a CSV, TSV or XLSX file, compressed or not; heads mean the columns that a manifest beside the file gives them.
 * Throws a UsageError for a file that cannot be read, is empty, or has a column without a head.
 */
export async function readHead(path: string, signal?: AbortSignal): Promise<readonly ColumnHead[]> {
  const heads = await headsOf(path, signal);
  if (heads.length === 0) throw new UsageError(`"${path}" is empty: it has no head`);
  const nameless = heads.indexOf('');
  if (nameless >= 0) throw new UsageError(`column ${nameless + 1} of "${path}" has no head`);
  const manifest = await readManifest(manifestPath(path)).catch(() => undefined);
  const names = manifest && columnsByHead(manifest);
  return heads.map((head) => ({ name: names?.get(head) ?? head, head }));
}

async function headsOf(path: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  try {
    const bytes = readFrom(path, { added: compressionOf(path), signal });
    const heads = formatOfName(path) === 'xlsx' ? await firstOfSheet(bytes) : await firstRow(bytes, path);
    bytes.destroy();
    return heads.map((head) => head.trim());
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UsageError) throw error;
    throw new UsageError(isMissing(error) ? `file not found: "${path}"` : `cannot read "${path}"`);
  }
}

async function firstOfSheet(bytes: Readable): Promise<readonly string[]> {
  const { streamXlsxRows } = await import('hucre/xlsx');
  for await (const { values } of streamXlsxRows(Readable.toWeb(bytes) as ReadableStream<Uint8Array>))
    return values.map((value) => String(value ?? ''));
  return [];
}

async function firstRow(bytes: Readable, path: string): Promise<readonly string[]> {
  const text = await beginning(bytes);
  const [, said] = /^\ufeff?sep=(.)\r?\n/.exec(text) ?? [];
  const lines = said === undefined ? text : text.slice(text.indexOf('\n') + 1);
  const [head = ''] = /^(?:[^"\r\n]+|"[^"]*(?:"|$))*/.exec(lines) ?? [];
  if (head.includes('\ufffd') || head.length >= LONGEST)
    throw new UsageError(
      `"${path}" does not begin with a head in UTF-8 or UTF-16`,
      'save it as UTF-8, as in CSV UTF-8',
    );
  const delimiter = said ?? delimiterOf(head, formatOfName(path) === 'tsv' ? TSV.delimiter : CSV.delimiter);
  for await (const row of readTable([head], { format: 'csv', delimiter, excel: true })) return row;
  return [];
}

/** Excel separates with semicolons where commas are for decimals, and saves "Unicode Text" with tabs. */
function delimiterOf(head: string, usual: string): string {
  const plain = head.replace(/"[^"]*"/g, '');
  return [usual, ';', '\t'].find((each) => plain.includes(each)) ?? usual;
}

/** As text, at least the first line. */
async function beginning(bytes: Readable): Promise<string> {
  let decoder: TextDecoder | undefined;
  let text = '';
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    decoder ??= new TextDecoder(encodingOf(piece));
    text += decoder.decode(piece, { stream: true });
    if (text.length >= LONGEST) break;
  }
  return text;
}

function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
