/** Where a run begins: at the first record, or where an earlier one stopped; and what of an earlier one it gives up. */
import { readFile } from 'node:fs/promises';
import type { Checkpoint } from './checkpoint.js';

export interface PriorRun {
  /** Records of an earlier run that this one resumes after; undefined when it begins at the first record. */
  readonly resumed: number | undefined;
  /** Records of an earlier run that are discarded. */
  readonly discarded: number;
}

/** Where a run begins that goes on from `checkpoint`, or does not and gives up what the one at `path` speaks of. */
export async function priorRunOf(path: string, checkpoint: Checkpoint | undefined): Promise<PriorRun> {
  if (checkpoint) return { resumed: checkpoint.tally.written, discarded: 0 };
  return { resumed: undefined, discarded: await recordsLeft(path) };
}

/** What cannot be read has nothing to tell: it is about to be removed. */
async function recordsLeft(path: string): Promise<number> {
  try {
    const { tally } = JSON.parse(await readFile(path, 'utf8')) as Partial<Checkpoint>;
    return tally?.written ?? 0;
  } catch {
    return 0;
  }
}
