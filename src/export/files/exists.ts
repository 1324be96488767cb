/** Whether something is there. */
import { stat } from 'node:fs/promises';
import { isMissing } from './file-error.js';

/** Whether there is anything at that path; true also where the file system cannot tell. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error) => !isMissing(error),
  );
}
