/**
 * Commits a run of a mirror: renames the complete staging folder, and then moves its files into place. If the run is killed
 * after the rename, the next run moves the files.
 */
import { constants, copyFile, link, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists } from '../system/error-code.js';
import { fileError } from '../system/file-error.js';
import { makeFolder, syncFolder } from '../system/folders.js';
import { moveIntoPlace, writeNewFile } from '../system/replace-file.js';
import {
  assertIsFile,
  CHANGES_FOLDER,
  folderExists,
  type MirrorState,
  OLD_FOLDER,
  readMirrorState,
  refuseLinks,
  STATE_FILE,
  serializeState,
} from './mirror-state.js';

const STAGING = '.opac-next';
const COMMITTED = '.whole';
export const CHANGES = 'changes.ndjson';

export function getStagingFolder(folder: string): string {
  return join(folder, STAGING);
}

export async function clearStagingFolder(folder: string): Promise<void> {
  const staging = getStagingFolder(folder);
  if (!(await folderExists(staging))) return;
  await rm(staging, { recursive: true }).catch((error) =>
    Promise.reject(fileError(error, 'write in', staging)),
  );
}

export async function commit(folder: string, state: MirrorState, keep: number): Promise<void> {
  try {
    await writeNewFile(join(folder, STAGING, STATE_FILE), serializeState(state), { named: folder });
    await syncFolder(join(folder, STAGING));
    await rename(join(folder, STAGING), join(folder, COMMITTED));
    await syncFolder(folder);
  } catch (error) {
    throw fileError(error, 'write', folder);
  }
  await finishCommit(folder, keep);
}

/** Moves the files of a committed run into place. Continues if an earlier run was killed while it moved them. */
export async function finishCommit(folder: string, keep: number): Promise<void> {
  const committed = join(folder, COMMITTED);
  try {
    await refuseLinks(folder);
    if (!(await folderExists(committed))) return;
    const names = await readdir(committed);
    if (names.includes(STATE_FILE)) {
      // If the first run was killed while it moved its files, the folder may have snapshots, but no state file.
      // `readMirrorState` would refuse this folder.
      const before = (await pathExists(join(folder, STATE_FILE))) ? await readMirrorState(folder) : undefined;
      const after = (await readMirrorState(committed)) as MirrorState;
      const ending = after.ending.replaceAll('.', '\\.');
      const snapshotName = new RegExp(`^[a-z]+\\.${ending}(?:\\.manifest\\.json)?$`);
      if (names.includes(CHANGES)) await moveChanges(folder, after);
      for (const name of names.filter((each) => each !== CHANGES && snapshotName.test(each))) {
        if (before && keep > 0) await keepPrevious(folder, name, before);
        await moveIntoPlace(join(committed, name), join(folder, name));
      }
      await syncFolder(folder);
      await moveIntoPlace(join(committed, STATE_FILE), join(folder, STATE_FILE));
      await syncFolder(folder);
    }
    await rm(committed, { recursive: true, force: true });
    await removePrevious(folder, keep);
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? String(error.path) : folder;
    throw fileError(error, 'write', path);
  }
}

async function moveChanges(folder: string, { changes = CHANGES }: MirrorState): Promise<void> {
  await makeFolder(join(folder, CHANGES_FOLDER));
  await rename(join(folder, COMMITTED, CHANGES), join(folder, changes));
  await syncFolder(join(folder, CHANGES_FOLDER));
}

/** Replaces colons and dots in an ISO 8601 time. Keeps the milliseconds, because two runs may begin in the same second. */
export function formatTimeForFileName(time: string): string {
  return time.replaceAll(/[:.]/g, '-');
}

async function keepPrevious(folder: string, name: string, { updated }: MirrorState): Promise<void> {
  const [current, kept] = [
    join(folder, name),
    join(folder, OLD_FOLDER, `${formatTimeForFileName(updated)}.${name}`),
  ];
  if (!(await pathExists(current))) return;
  await makeFolder(join(folder, OLD_FOLDER));
  // A killed run may have left a file with this name. There may also be a link of another user, whose target must not change.
  await rm(kept, { force: true });
  await link(current, kept).catch(() => copyFile(current, kept, constants.COPYFILE_EXCL));
  await syncFolder(join(folder, OLD_FOLDER));
}

/** Returns the snapshots, the oldest first. `time`: the day (UTC) of the last run that created or confirmed the snapshot. */
export async function listSnapshotsByTime(folder: string, kind: string) {
  const state = (await pathExists(join(folder, STATE_FILE))) ? await readMirrorState(folder) : undefined;
  if (!state) return [];
  const current = `${kind}.${state.ending}`;
  const folderOfOld = join(folder, OLD_FOLDER);
  const entries = await readdir(folderOfOld, { withFileTypes: true }).catch(() => []);
  const old = entries.filter(({ name }) => name.endsWith(`.${current}`));
  for (const entry of old) assertIsFile(entry, folderOfOld);
  const names = old.map(({ name }) => name).sort();
  return [
    ...names.map((name) => ({ path: join(folderOfOld, name), time: name.slice(0, 10) })),
    { path: join(folder, current), time: state.updated.slice(0, 10) },
  ];
}

/** Matches `2026-11-01T03-00-00-000Z.objects.ndjson.gz.manifest.json`. */
const KEPT_NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z\.[a-z]+\.[a-z.]+$/;

/** Deletes old snapshots and their manifests, except the newest `keep` of each kind. Does not delete other files. */
async function removePrevious(folder: string, keep: number): Promise<void> {
  // Another user may have replaced the folder with a link during the run.
  if (!(await folderExists(join(folder, OLD_FOLDER)))) return;
  const names = (await readdir(join(folder, OLD_FOLDER))).filter((name) => KEPT_NAME.test(name));
  const counts = new Map<string, number>();
  for (const name of names.sort().reverse()) {
    const nameWithoutTime = name.replace(/^[^.]*\./, '');
    const count = (counts.get(nameWithoutTime) ?? 0) + 1;
    counts.set(nameWithoutTime, count);
    if (count > keep) await rm(join(folder, OLD_FOLDER, name), { force: true });
  }
}
