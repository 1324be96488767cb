/** What the errors of the file system say. */
import { stat } from 'node:fs/promises';

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the file system says that there is nothing at that path: not that it cannot tell. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? '');
}

/** Whether there is anything at that path; true also where the file system cannot tell. */
export async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error) => !isMissing(error),
  );
}
