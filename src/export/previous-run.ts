/** What an earlier run left at the targets of an export: records to continue with, or to discard. */
import { pathExists } from '../system/error-code.js';
import { type Checkpoint, type PriorRun, readCheckpoint, readRecordCount } from './collect/checkpoint.js';
import type { CollectSpec } from './export-job.js';
import { type ExportPaths, manifestPath, removePartialExport } from './export-paths.js';
import { readManifest } from './verify/manifest.js';

export interface PriorRunOptions {
  /** Continues an unfinished run of the same export also where its partial file is gone, which is an error. */
  readonly resume?: boolean | undefined;
  /** Discards an unfinished run: with `resume` only that of another export. */
  readonly force?: boolean | undefined;
  readonly onStart?: ((prior: PriorRun) => void) | undefined;
  /**
   * As the user gave it, without secrets, for the manifest and hints. Undefined where nobody can resume: errors stay as they
   * are.
   */
  readonly command: string | undefined;
}

/** The target that the partial file belongs to: the first that an earlier run left one at, whatever the order of the outputs. */
export async function findHome(outputs: readonly { readonly target: ExportPaths }[]): Promise<ExportPaths> {
  for (const { target } of outputs) if (await pathExists(target.checkpoint)) return target;
  return (outputs[0] as (typeof outputs)[number]).target;
}

/** The checkpoint to resume from. Throws a UsageError for that of another export, which only `force` discards. */
export async function findPriorRun(
  target: ExportPaths,
  job: CollectSpec,
  options: PriorRunOptions,
): Promise<Checkpoint | undefined> {
  const checkpoint = await findCheckpoint(target, job, options);
  const discarded = checkpoint ? 0 : await readRecordCount(target.checkpoint);
  options.onStart?.({ resumed: checkpoint?.tally.written, discarded });
  return checkpoint;
}

async function findCheckpoint(
  target: ExportPaths,
  job: CollectSpec,
  { resume = false, force = false, command }: PriorRunOptions,
): Promise<Checkpoint | undefined> {
  // Without a partial file there is nothing to lose.
  if (!resume && (force || !(await pathExists(target.partialFile)))) return undefined;
  const read = readCheckpoint(target.checkpoint, job, command);
  const checkpoint = await (force ? read.catch(() => undefined) : read);
  if (!checkpoint || !(await isFinished(target, checkpoint))) return checkpoint;
  await removePartialExport(target);
  return undefined;
}

/** Whether the run put its files in place and was killed before it removed the checkpoint: its records are old. */
async function isFinished({ path }: ExportPaths, { started }: Checkpoint): Promise<boolean> {
  const manifest = await readManifest(manifestPath(path)).catch(() => undefined);
  return manifest?.complete === true && manifest.started === started;
}
