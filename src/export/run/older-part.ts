/**
 * The part of an earlier run, while a run that begins anew has less: kept under other names, and put back when the new run
 * ends early with no more than it.
 */
import { rename, rm } from 'node:fs/promises';
import { exists } from '../../system/file-errors.js';
import { fileError } from '../files/file-error.js';
import { type Checkpoint, recordsLeft } from './checkpoint.js';
import { olderTarget, removeTraces, type Target } from './target.js';

const MEMBERS = ['part', 'ids', 'checkpoint'] as const;

/** Call it when the target is locked and its checkpoint is of the same job. */
export async function setAside(target: Target): Promise<void> {
  const older = olderTarget(target);
  await removeTraces(older);
  // The checkpoint first: a part whose checkpoint is aside is put back with it.
  for (const member of [...MEMBERS].reverse()) await move(target[member], older[member]);
}

/** Keeps the part with more records, and removes the other; the end of a run that was killed is made up for by the next. */
export async function keepLarger(target: Target): Promise<void> {
  const older = olderTarget(target);
  if (!(await exists(older.checkpoint))) return;
  if ((await recordsLeft(target.checkpoint)) > (await recordsLeft(older.checkpoint)))
    return dropOlder(target);
  await rm(target.checkpoint, { force: true });
  for (const member of MEMBERS) await move(older[member], target[member]);
}

/** Its checkpoint first: without one, nothing is put back. */
export async function dropOlder(target: Target): Promise<void> {
  const { checkpoint, ...others } = olderTarget(target);
  await rm(checkpoint, { force: true });
  await removeTraces({ ...others, checkpoint });
}

/** Milliseconds. */
const LONG_AGO = 24 * 60 * 60 * 1000;

/** What to say of a part whose first records are older than a day. */
export function ageWarning({ started }: Checkpoint, now: number): string | undefined {
  const age = now - Date.parse(started);
  if (!(age > LONG_AGO)) return undefined;
  const days = Math.floor(age / LONG_AGO);
  return `the first records are ${days === 1 ? 'a day' : `${days} days`} older than the last: the run that is resumed began on ${started.slice(0, 10)}`;
}

async function move(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  await rename(from, to).catch((error) => Promise.reject(fileError(error, 'write', to)));
}
