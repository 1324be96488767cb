/** Checks what exists at the path of an output file, and whether the output may replace it. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../service/errors.js';

/**
 * - `free`: a file, or nothing
 * - `folder`: a folder, or a link to a folder
 * - `stream`: a device, a pipe, or a link to one of them; also a link in /dev or /proc to a file, such as `/dev/stdout`
 * - `link`: any other link; also any link of another user (not root) outside /dev and /proc. opac does not follow these links
 * - `foreign`: a pipe or device of another user (not root) outside /dev and /proc
 */
export type PathType = 'free' | 'folder' | 'stream' | 'link' | 'foreign';

export async function getPathType(path: string): Promise<PathType> {
  const [target, entry] = await Promise.all(
    [stat(path), lstat(path)].map((found) => found.catch(() => undefined)),
  );
  if (entry?.isSymbolicLink() && !isTrusted(entry.uid) && !(await isSystemPath(path))) return 'link';
  if (target?.isDirectory()) return 'folder';
  if (target && !target.isFile())
    return isTrusted(target.uid) || (await isSystemPath(path)) ? 'stream' : 'foreign';
  if (!entry?.isSymbolicLink()) return 'free';
  return (await isSystemPath(path)) ? 'stream' : 'link';
}

/** Returns true for root and for the user of this process. Another user may have created a link to redirect the output. */
function isTrusted(uid: number): boolean {
  return uid === 0 || uid === (process.getuid?.() ?? uid);
}

/** opac would replace the link with a file, and programs that read the target of the link would still read old content. */
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

/** Returns true for a path in /dev or /proc, except /dev/shm. opac must not replace a link such as `/dev/stdout`. */
async function isSystemPath(path: string): Promise<boolean> {
  const folder = await realpath(dirname(path)).catch(() => '');
  return /^\/(?:dev(?!\/shm)|proc)(?:\/|$)/.test(folder);
}
