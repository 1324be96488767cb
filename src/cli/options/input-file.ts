/** Files that the user names as input. */
import { readFile } from 'node:fs/promises';
import { UsageError } from '../../service/errors.js';
import { isMissing } from '../../system/file-errors.js';

/** Throws a UsageError for a file that is missing or cannot be read. */
export async function readInputFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(isMissing(error) ? `file not found: "${file}"` : `cannot read "${file}"`);
  }
}
