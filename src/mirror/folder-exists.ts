/** Folders inside a mirror, which others may have replaced by links. */
import { lstat } from 'node:fs/promises';
import { UsageError } from '../service/errors.js';
import { isMissing } from '../system/error-code.js';

/** Whether the folder exists. Throws a UsageError for a link: what it leads to would be emptied or overwritten. */
export async function folderExists(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found && !found.isDirectory()) throw new UsageError(`"${path}" is not a folder`, 'remove it');
  return found !== undefined;
}
