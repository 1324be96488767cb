/** What stands at the name of a file that is to be written, and whether a whole file may take its place. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../service/errors.js';

/** `stream`: a device or a pipe, or a link to one. A link to a file, or to nowhere, is `free`: it is replaced, never followed. */
export type PathType = 'free' | 'folder' | 'stream';

export async function getPathType(path: string): Promise<PathType> {
  const [there, itself] = await Promise.all(
    [stat(path), lstat(path)].map((asked) => asked.catch(() => undefined)),
  );
  if (there?.isDirectory()) return 'folder';
  if (there && !there.isFile()) return 'stream';
  return itself?.isSymbolicLink() && (await isSystemPath(path)) ? 'stream' : 'free';
}

/** Throws a UsageError when the file, or one that is written beside it, is one of those that are read meanwhile, by whatever name. */
export async function assertNotInput(output: string, inputs: readonly string[]): Promise<void> {
  const written = await Promise.all(['', '.part', '.new'].map((ending) => identityOf(`${output}${ending}`)));
  for (const input of inputs) {
    const read = await identityOf(input);
    if (read !== undefined && written.includes(read))
      throw new UsageError(
        `"${output}" would replace "${input}", which is read`,
        'name another file with -o',
      );
  }
}

async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? `${found.dev} ${found.ino}` : undefined;
}

/** `/dev/stdout` leads to whatever the shell opened, a file even; to replace that name would break the machine. */
async function isSystemPath(path: string): Promise<boolean> {
  const folder = await realpath(dirname(path)).catch(() => '');
  return /^\/(?:dev(?!\/shm)|proc)(?:\/|$)/.test(folder);
}
