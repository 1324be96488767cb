/** What an earlier run left at the targets of an export: records to continue with, or to discard. */
import { exists } from '../system/error-code.js';
import {
  type Checkpoint,
  type PriorRun,
  readCheckpoint,
  recordsLeft,
  type Unfinished,
} from './collect/checkpoint.js';
import type { CollectSpec } from './export-spec.js';
import type { Target } from './target.js';

export interface PriorRunOptions {
  /** Continues an unfinished run of the same export without asking. */
  readonly resume?: boolean | undefined;
  /** Discards an unfinished run: with `resume` only that of another export. */
  readonly force?: boolean | undefined;
  readonly onStart?: ((prior: PriorRun) => void) | undefined;
  /** Asked without `resume` whether to continue an unfinished run of the same export; its records are discarded otherwise. Default yes. */
  readonly onUnfinished?: ((unfinished: Unfinished) => Promise<boolean>) | undefined;
  /**
   * As the user gave it, without secrets, for the manifest and hints. Undefined where nobody can resume: errors stay as they
   * are.
   */
  readonly command: string | undefined;
}

/** The target that the partial file belongs to: the first that an earlier run left one at, whatever the order of the outputs. */
export async function findHome(outputs: readonly { readonly target: Target }[]): Promise<Target> {
  for (const { target } of outputs) if (await exists(target.checkpoint)) return target;
  return (outputs[0] as (typeof outputs)[number]).target;
}

/** The checkpoint to resume from. Throws a UsageError for that of another export, which only `force` discards. */
export async function findPriorRun(
  target: Target,
  job: CollectSpec,
  { resume = false, force = false, command, onUnfinished, onStart }: PriorRunOptions,
): Promise<Checkpoint | undefined> {
  const checkpoint = await usableCheckpoint();
  const { started, tally } = checkpoint ?? {};
  const isResumed =
    checkpoint !== undefined &&
    (resume ||
      tally?.written === 0 ||
      ((await onUnfinished?.({ records: tally?.written ?? 0, started: started ?? '' })) ?? true));
  const discarded = isResumed ? 0 : await recordsLeft(target.checkpoint);
  onStart?.({ resumed: isResumed ? checkpoint?.tally.written : undefined, discarded });
  return isResumed ? checkpoint : undefined;

  async function usableCheckpoint() {
    if (force && !resume) return undefined;
    // Without a partial file there is nothing to lose.
    const isLost = force || !(resume || (await exists(target.part)));
    const read = readCheckpoint(target.checkpoint, job, command);
    return isLost ? read.catch(() => undefined) : read;
  }
}
