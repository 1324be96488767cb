/** Codes of file system errors. */
import { stat } from 'node:fs/promises';

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? '');
}

/** Also returns true if opac cannot check the path, for example because it has no permission. */
export async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error) => !isMissing(error),
  );
}
