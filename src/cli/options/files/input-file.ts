/** Reads and decodes input files of the user. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { AS_WINDOWS_1252, decodeBytes } from '../../../records/files/encoding.js';
import { isWorkbook, ONLY_FIRST_SHEET, readWorkbook } from '../../../records/files/read-workbook.js';
import { UsageError } from '../../../service/errors.js';
import { formatNumber } from '../../../service/format-numbers.js';
import { inputError } from '../../../system/file-error.js';
import { openInput } from '../../../system/open-stream.js';

/** Enough for millions of ids, and less than the maximum length of a string. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;

/** Throws a UsageError if the file is missing, too large or not readable. If `signal` is aborted, throws its reason. */
export async function readInputFile(file: string, signal?: AbortSignal): Promise<Buffer> {
  try {
    return await readInput(openInput(file, { signal, chunkBytes: CHUNK_BYTES }), file);
  } catch (error) {
    signal?.throwIfAborted();
    throw inputError(error, file);
  }
}

/** Throws the errors of the stream, and a UsageError if the stream is too large. */
export async function readInput(input: Readable, file: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of input) {
    pieces.push(Buffer.from(piece));
    bytes += piece.length;
    if (bytes > MAX_FILE_BYTES) throw new UsageError(`"${file}" is larger than 256 MB`, 'use a smaller file');
  }
  return Buffer.concat(pieces);
}

/** Decodes UTF-8, or UTF-16 with a BOM (Excel "Unicode Text"). Throws a UsageError for other encodings. */
export function decodeText(bytes: Buffer, file: string): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-16be';
  if (wide === 'utf-16le' || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return new TextDecoder(wide).decode(bytes);
  if (!isUtf8(bytes))
    throw new UsageError(
      `the text in "${file}" is neither UTF-8 nor UTF-16`,
      'save it as UTF-8, for example as CSV UTF-8',
    );
  return new TextDecoder().decode(bytes);
}

/** Decodes UTF-8, UTF-16 or Windows-1252. Returns the first sheet of a workbook as CSV, with `sep=,` as the first line. */
export async function decodeList(
  bytes: Buffer,
  file: string,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<string> {
  if (isWorkbook(file, bytes)) {
    const { csv, isOneOfSeveral } = await readWorkbook(bytes, file, signal);
    if (isOneOfSeveral) note(`"${file}" ${ONLY_FIRST_SHEET}`);
    return `sep=,\n${csv}`;
  }
  assertFewLines(bytes, file);
  const text = bytes.toString();
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  // If at least half of the non-ASCII characters are valid UTF-8, the text is UTF-8, possibly damaged.
  if (
    count(/\ufffd/g) <= count(/[^\0-\x7f\ufffd]/g) ||
    /^(\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2))
  )
    return decodeText(bytes, file);
  note(`"${file}" ${AS_WINDOWS_1252}`);
  return decodeBytes(bytes, 0, bytes.length, 'windows-1252');
}

/** Large collections have about a million records. Many millions of empty lines would need gigabytes of memory. */
const MAX_LINES = 5_000_000;

function assertFewLines(bytes: Buffer, file: string): void {
  let lines = 0;
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1))
    if (++lines > MAX_LINES)
      throw new UsageError(`"${file}" has more than ${formatNumber(MAX_LINES)} lines`, 'use a shorter list');
}
