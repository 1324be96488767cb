/** Files that the user names as input. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { UsageError } from '../../../service/errors.js';
import { isMissing } from '../../../system/file-errors.js';

/** Throws a UsageError for a file that is missing or cannot be read. */
export async function readInputFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(isMissing(error) ? `file not found: "${file}"` : `cannot read "${file}"`);
  }
}

/** The text in UTF-8 or, where the bytes begin so, UTF-16 (Excel "Unicode Text"), without a byte order mark. Throws a UsageError. */
export function decodeText(bytes: Buffer, file: string): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-16be';
  if (wide === 'utf-16le' || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return new TextDecoder(wide).decode(bytes);
  if (!isUtf8(bytes))
    throw new UsageError(
      `the text in "${file}" is neither UTF-8 nor UTF-16`,
      'save it as UTF-8, as in CSV UTF-8',
    );
  return new TextDecoder().decode(bytes);
}
