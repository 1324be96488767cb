/**
 * From one state of a mirror to the next: a run gathers its files in a folder, whose new name says that all are there. From
 * then on any run moves them into place, so that a mirror is always the earlier state or the later one.
 */
import { copyFile, link, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '../export/files/file-error.js';
import { writeSynced } from '../export/files/whole-file.js';
import { UsageError } from '../service/errors.js';
import { errorCode, exists, isMissing } from '../system/file-errors.js';
import { makeFolder } from '../system/make-folder.js';
import { syncFolder } from '../system/sync-folder.js';
import { CHANGES_FOLDER, type MirrorState, readState, STATE_FILE } from './state.js';

const NEXT = '.next';
const WHOLE = '.whole';
/** What a run found, until it has its place. */
export const CHANGES = 'changes.ndjson';
const OLD = 'old';

export function nextFolder(folder: string): string {
  return join(folder, NEXT);
}

/** Makes what lies in the next folder the state of the mirror. Throws an OpacError when the disk does not take it. */
export async function commit(folder: string, state: MirrorState, keep: number): Promise<void> {
  try {
    await writeSynced(join(folder, NEXT, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`);
    await syncFolder(join(folder, NEXT));
    await rename(join(folder, NEXT), join(folder, WHOLE));
    await syncFolder(folder);
  } catch (error) {
    throw fileError(error, 'write', folder);
  }
  await settle(folder, keep);
}

/** Ends what a run that was killed had begun to put into place. Does nothing when there is nothing. */
export async function settle(folder: string, keep: number): Promise<void> {
  const whole = join(folder, WHOLE);
  try {
    if (!(await isOurFolder(whole))) return;
    const names = await readdir(whole);
    if (names.includes(STATE_FILE)) {
      // A first run may have moved its snapshots already, which alone are no mirror.
      const before = (await exists(join(folder, STATE_FILE))) ? await readState(folder) : undefined;
      const after = (await readState(whole)) as MirrorState;
      const ending = after.ending.replaceAll('.', '\\.');
      const snapshotName = new RegExp(`^[a-z]+\\.${ending}(?:\\.manifest\\.json)?$`);
      for (const name of names.filter((each) => each === CHANGES || snapshotName.test(each))) {
        if (name === CHANGES) await moveChanges(folder, after);
        else {
          if (before && keep > 0 && name.endsWith(before.ending)) await keepOld(folder, name, before);
          await rename(join(whole, name), join(folder, name));
        }
      }
      await syncFolder(folder);
      await rename(join(whole, STATE_FILE), join(folder, STATE_FILE));
      await syncFolder(folder);
    }
    await rm(whole, { recursive: true, force: true });
    await removeOld(folder, keep);
  } catch (error) {
    // Of the many that are moved, the one at fault.
    const path = error instanceof Error && 'path' in error ? String(error.path) : folder;
    throw fileError(error, 'write', path);
  }
}

/** Whether it is there. Throws a UsageError for a link: it would have us empty the folder that it leads to. */
export async function isOurFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found && !found.isDirectory()) throw new UsageError(`"${path}" is not a folder`, 'remove it');
  return found !== undefined;
}

async function moveChanges(folder: string, { changes = CHANGES }: MirrorState): Promise<void> {
  await makeFolder(join(folder, CHANGES_FOLDER));
  await rename(join(folder, WHOLE, CHANGES), join(folder, changes));
  await syncFolder(join(folder, CHANGES_FOLDER));
}

/** A time as file names may hold it everywhere. */
export function timeName(time: string): string {
  return time.replace(/\.\d+/, '').replaceAll(':', '-');
}

/** A second name for a snapshot that is about to be replaced. */
async function keepOld(folder: string, name: string, { updated }: MirrorState): Promise<void> {
  const [current, kept] = [join(folder, name), join(folder, OLD, `${timeName(updated)}.${name}`)];
  if (!(await exists(current))) return;
  await makeFolder(join(folder, OLD));
  await link(current, kept).catch(async (error) => {
    if (errorCode(error) !== 'EEXIST') await copyFile(current, kept);
  });
  await syncFolder(join(folder, OLD));
}

/** Keeps the newest of each kind. */
async function removeOld(folder: string, keep: number): Promise<void> {
  const names = await readdir(join(folder, OLD)).catch(() => []);
  const kinds = new Set(names.map((name) => name.replace(/^[^.]*\./, '')));
  for (const kind of kinds) {
    const old = names.filter((name) => name.endsWith(`.${kind}`)).sort();
    for (const name of old.slice(0, Math.max(0, old.length - keep)))
      await rm(join(folder, OLD, name), { force: true });
  }
}
