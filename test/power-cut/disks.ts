/** Finds the states in which a power cut may leave a folder, from a recording of the changes to the folder. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recording, Step } from './recording.js';

export interface Disk {
  /** When the power cut happened and what was lost, for the message of a failed test. */
  readonly name: string;
  /** True if the run had ended before the power cut. */
  readonly isOver: boolean;
  /** Contents by path; undefined for a folder. */
  readonly files: ReadonlyMap<string, Buffer | undefined>;
}

type Kept = (step: Step, at: number) => boolean | 'half';

/** Lock files. They appear and disappear often, so only the first of the states that differ only in lock files counts. */
const OF_LOCK = /\.lock\b/;

/**
 * Returns the different states. A power cut may lose a name that was not synced, either alone or with all later names. It may
 * lose all or half of the bytes that were not synced, although the name of their file is not lost.
 */
export function listDisks(recording: Recording): Disk[] {
  const disks = new Map<string, Disk>();
  for (let cut = countFirstSteps(recording); cut <= recording.steps.length; cut++) {
    const steps = recording.steps.slice(0, cut);
    const isOver = cut === recording.steps.length;
    const isSynced = (step: Step, at: number) =>
      steps.some((sync) => sync.kind === 'sync' && sync.begun > at && sync.of === placeOf(step));
    const synced = steps.map(isSynced);
    const add = (what: string, kept: Kept) => {
      const files = filesAfter(recording, steps, kept);
      const key = createHash('sha256');
      for (const [path, bytes] of files)
        if (!OF_LOCK.test(path)) key.update(`\n${path} ${bytes?.length}\n`).update(bytes ?? '');
      const name = `step ${cut} of ${recording.steps.length}, ${what}`;
      const digest = `${isOver} ${key.digest('hex')}`;
      if (!disks.has(digest)) disks.set(digest, { name, isOver, files });
    };
    const loose = steps.flatMap((step, at) => (step.kind === 'names' && !synced[at] ? [at] : []));
    add('nothing lost', () => true);
    add('bytes lost', (step, at) => step.kind === 'names' || synced[at] === true);
    add('bytes torn', (step, at) => step.kind === 'names' || synced[at] || 'half');
    for (const last of [...loose, cut])
      add(`names from ${last} on lost`, (step, at) => synced[at] || (step.kind === 'names' && at < last));
    for (const lost of loose) {
      add(`name ${lost} lost`, (step, at) => synced[at] || (step.kind === 'names' && at !== lost));
    }
  }
  return [...disks.values()];
}

/** Returns the number of the first steps, which describe the contents of the folder before the run. */
function countFirstSteps({ steps }: Recording): number {
  const first = steps.findIndex(({ kind }) => kind === 'sync');
  return first + steps.slice(first).findIndex(({ kind }) => kind !== 'sync');
}

/** Returns the file or folder that must be synced to make a step durable. For a move, this is the target folder. */
function placeOf(step: Step): number {
  if (step.kind === 'names') return step.names.at(-1)?.[0] ?? 0;
  return step.kind === 'sync' ? step.of : step.file;
}

function filesAfter(
  { folders }: Recording,
  steps: readonly Step[],
  kept: Kept,
): Map<string, Buffer | undefined> {
  const contents = new Map<number, Buffer>();
  const names = new Map<number, Map<string, number>>([...folders].map((folder) => [folder, new Map()]));
  for (const [at, step] of steps.entries()) {
    const isKept = kept(step, at);
    if (!isKept || step.kind === 'sync') continue;
    if (step.kind === 'names') {
      for (const [folder, name, is] of step.names) {
        if (is === undefined) names.get(folder)?.delete(name);
        else names.get(folder)?.set(name, is);
      }
      continue;
    }
    const before = contents.get(step.file) ?? Buffer.alloc(0);
    if (step.kind === 'truncate') {
      contents.set(step.file, Buffer.from(before.subarray(0, step.size)));
      continue;
    }
    const bytes = isKept === 'half' ? step.bytes.subarray(0, step.bytes.length >> 1) : step.bytes;
    const after = Buffer.alloc(Math.max(before.length, step.at + bytes.length));
    before.copy(after);
    bytes.copy(after, step.at);
    contents.set(step.file, after);
  }
  const files = new Map<string, Buffer | undefined>();
  const list = (folder: number, path: string) => {
    for (const [name, number] of [...(names.get(folder) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const isFolder = folders.has(number);
      files.set(join(path, name), isFolder ? undefined : (contents.get(number) ?? Buffer.alloc(0)));
      if (isFolder) list(number, join(path, name));
    }
  };
  list(0, '');
  return files;
}

/** Writes the contents of a disk to a folder. */
export async function writeDisk({ files }: Disk, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [path, bytes] of files) {
    if (bytes) await writeFile(join(folder, path), endProcess(bytes), { mode: 0o600 });
    else await mkdir(join(folder, path), 0o700);
  }
}

/** A power cut ends the process that has a lock. Replaces its id in the lock file with an id that no process has. */
function endProcess(bytes: Buffer): Buffer | string {
  const lock = `{"pid":${process.pid},`;
  const content = bytes.toString('latin1', 0, lock.length);
  return content === lock ? bytes.toString().replace(lock, `{"pid":${2 ** 31 - 1},`) : bytes;
}
