/** Checks what exists at the path of an output file, and whether the output may replace it. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../service/errors.js';

/** `stream`: a device, a pipe, or a link to one. `link`: any other link, or one of another user; opac does not follow it. */
export type PathType = 'free' | 'folder' | 'stream' | 'link';

export async function getPathType(path: string): Promise<PathType> {
  const [target, entry] = await Promise.all(
    [stat(path), lstat(path)].map((found) => found.catch(() => undefined)),
  );
  if (entry?.isSymbolicLink() && !isTrusted(entry.uid) && !(await isSystemPath(path))) return 'link';
  if (target?.isDirectory()) return 'folder';
  if (target && !target.isFile()) return 'stream';
  if (!entry?.isSymbolicLink()) return 'free';
  return (await isSystemPath(path)) ? 'stream' : 'link';
}

/** Whether a file of this user could not have been planted by another one: it belongs to the same user or to root. */
function isTrusted(uid: number): boolean {
  return uid === 0 || uid === (process.getuid?.() ?? uid);
}

/** A new file would replace the link, and programs that read its old target would not notice. */
export function createLinkError(path: string): UsageError {
  return new UsageError(
    `"${path}" is a symbolic link`,
    'name the file that it points to, or delete the link',
  );
}

/** Throws a UsageError if the output file or one of its temporary files is also an input file, even under another name. */
export async function assertNotInput(output: string, inputs: readonly string[]): Promise<void> {
  const written = await Promise.all(
    ['', '.part', '.opac-new'].map((ending) => getFileIdentity(`${output}${ending}`)),
  );
  for (const input of inputs) {
    const read = await getFileIdentity(input);
    if (read !== undefined && written.includes(read))
      throw new UsageError(
        `"${output}" would replace the input file "${input}"`,
        'name another file with -o',
      );
  }
}

async function getFileIdentity(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? `${found.dev} ${found.ino}` : undefined;
}

/** Whether a path such as `/dev/stdout` belongs to the system. It may link to a regular file, but must not be replaced. */
async function isSystemPath(path: string): Promise<boolean> {
  const folder = await realpath(dirname(path)).catch(() => '');
  return /^\/(?:dev(?!\/shm)|proc)(?:\/|$)/.test(folder);
}
