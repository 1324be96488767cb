/** Folders and files that only their owner may read: made so, checked, and put right. */
import { chmod, mkdir, stat } from 'node:fs/promises';
import { OpacError } from '../../service/errors.js';

const PERMISSIONS = 0o777;
const STICKY = 0o1000;

/** The user that runs the program; undefined where there is no such notion (Windows). */
export const currentUser = (): number | undefined => process.getuid?.();

async function statOrNothing(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/**
 * Throws an OpacError when the folder or file belongs to another user than `user`: what is written there would be theirs
 * to read and to replace.
 */
export async function refuseForeign(path: string, user: number | undefined): Promise<void> {
  const found = await statOrNothing(path);
  if (user === undefined || !found || found.uid === user) return;
  throw new OpacError('internal', `"${path}" belongs to another user, so no credentials are kept there`, {
    hint: 'run opac as its owner, or name a folder of your own in OPAC_CONFIG_DIR',
  });
}

/**
 * Makes the folder with mode 0700. From a folder that is there already, `taken` is taken: what others may do with it. A
 * folder with the sticky bit (`/tmp`) is meant for everyone and guards its files by itself, so it stays as it is.
 */
export async function makePrivateFolder(path: string, taken = 0o077): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const { mode } = await stat(path);
  if (process.platform === 'win32' || mode & STICKY || !(mode & taken)) return;
  await chmod(path, mode & PERMISSIONS & ~taken);
}

/** Gives the file mode 0600 when it has another; nothing when there is no such file. */
export async function makePrivateFile(path: string): Promise<void> {
  const found = await statOrNothing(path);
  if (process.platform !== 'win32' && found && (found.mode & PERMISSIONS) !== 0o600) await chmod(path, 0o600);
}
