/**
 * From one state of a mirror to the next: a run writes its files to a folder and renames it when all are there. From then on
 * any run moves them into place, so that a mirror is always in the earlier state or the later one.
 */
import { constants, copyFile, link, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../service/errors.js';
import { isMissing, pathExists } from '../system/error-code.js';
import { fileError } from '../system/file-error.js';
import { makeFolder, syncFolder } from '../system/folders.js';
import { writeNewFile } from '../system/replace-file.js';
import { CHANGES_FOLDER, type MirrorState, printState, readMirrorState, STATE_FILE } from './mirror-state.js';

const STAGING = '.next';
const COMMITTED = '.whole';
/** The changes that a run found, until they are moved into place. */
export const CHANGES = 'changes.ndjson';
const OLD = 'old';

export function getStagingFolder(folder: string): string {
  return join(folder, STAGING);
}

/** Throws an OpacError for what is not a folder, and when the disk fails. */
export async function clearStagingFolder(folder: string): Promise<void> {
  const staging = getStagingFolder(folder);
  if (!(await folderExists(staging))) return;
  await rm(staging, { recursive: true }).catch((error) =>
    Promise.reject(fileError(error, 'write in', staging)),
  );
}

/** Throws a UsageError for a link: what it leads to would be emptied or overwritten. */
async function folderExists(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found && !found.isDirectory()) throw new UsageError(`"${path}" is not a folder`, 'remove it');
  return found !== undefined;
}

/** Makes what lies in the staging folder the state of the mirror. Throws an OpacError when the disk does not take it. */
export async function commit(folder: string, state: MirrorState, keep: number): Promise<void> {
  try {
    await writeNewFile(join(folder, STAGING, STATE_FILE), printState(state), { named: folder });
    await syncFolder(join(folder, STAGING));
    await rename(join(folder, STAGING), join(folder, COMMITTED));
    await syncFolder(folder);
  } catch (error) {
    throw fileError(error, 'write', folder);
  }
  await finishCommit(folder, keep);
}

/** Finishes moving the files of a run that was killed meanwhile. Does nothing when there are none. */
export async function finishCommit(folder: string, keep: number): Promise<void> {
  const whole = join(folder, COMMITTED);
  try {
    if (!(await folderExists(whole))) return;
    const names = await readdir(whole);
    if (names.includes(STATE_FILE)) {
      // A first run may have moved its snapshots already, which alone are no mirror.
      const before = (await pathExists(join(folder, STATE_FILE))) ? await readMirrorState(folder) : undefined;
      const after = (await readMirrorState(whole)) as MirrorState;
      const ending = after.ending.replaceAll('.', '\\.');
      const snapshotName = new RegExp(`^[a-z]+\\.${ending}(?:\\.manifest\\.json)?$`);
      if (names.includes(CHANGES)) await moveChanges(folder, after);
      for (const name of names.filter((each) => snapshotName.test(each))) {
        if (before && keep > 0) await keepPrevious(folder, name, before);
        await rename(join(whole, name), join(folder, name));
      }
      await syncFolder(folder);
      await rename(join(whole, STATE_FILE), join(folder, STATE_FILE));
      await syncFolder(folder);
    }
    await rm(whole, { recursive: true, force: true });
    await removePrevious(folder, keep);
  } catch (error) {
    // Of the many that are moved, the one at fault.
    const path = error instanceof Error && 'path' in error ? String(error.path) : folder;
    throw fileError(error, 'write', path);
  }
}

async function moveChanges(folder: string, { changes = CHANGES }: MirrorState): Promise<void> {
  await makeFolder(join(folder, CHANGES_FOLDER));
  await rename(join(folder, COMMITTED, CHANGES), join(folder, changes));
  await syncFolder(join(folder, CHANGES_FOLDER));
}

/** A time as part of a file name: to the millisecond, as two runs may begin within a second. */
export function formatTimeForFileName(time: string): string {
  return time.replaceAll(/[:.]/g, '-');
}

/** A second name for a snapshot or manifest that is about to be replaced. */
async function keepPrevious(folder: string, name: string, { updated }: MirrorState): Promise<void> {
  const [current, kept] = [
    join(folder, name),
    join(folder, OLD, `${formatTimeForFileName(updated)}.${name}`),
  ];
  if (!(await pathExists(current))) return;
  await makeFolder(join(folder, OLD));
  // A run that was killed here may have made it; a link that somebody else put here must not be written through.
  await rm(kept, { force: true });
  await link(current, kept).catch(() => copyFile(current, kept, constants.COPYFILE_EXCL));
  await syncFolder(join(folder, OLD));
}

/** Keeps the newest snapshots of each kind, and their manifests. */
async function removePrevious(folder: string, keep: number): Promise<void> {
  const names = await readdir(join(folder, OLD)).catch(() => []);
  const counts = new Map<string, number>();
  for (const name of names.sort().reverse()) {
    const kind = name.replace(/^[^.]*\./, '');
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count > keep) await rm(join(folder, OLD, name), { force: true });
  }
}
