/** What stands at the name of a file that is to be written, and whether a whole file may take its place. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** `stream`: a device or a pipe, or a link to one. A link to a file, or to nowhere, is `free`: it is replaced, never followed. */
export type Occupant = 'free' | 'folder' | 'stream';

export async function occupantOf(path: string): Promise<Occupant> {
  const [there, itself] = await Promise.all(
    [stat(path), lstat(path)].map((asked) => asked.catch(() => undefined)),
  );
  if (there?.isDirectory()) return 'folder';
  if (there && !there.isFile()) return 'stream';
  return itself?.isSymbolicLink() && (await isOfSystem(path)) ? 'stream' : 'free';
}

/** `/dev/stdout` leads to whatever the shell opened, a file even; to replace that name would break the machine. */
async function isOfSystem(path: string): Promise<boolean> {
  const folder = await realpath(dirname(path)).catch(() => '');
  return /^\/(?:dev(?!\/shm)|proc)(?:\/|$)/.test(folder);
}
