/** Finds an unfinished run to resume, and reads the earlier export at a target. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../service/errors.js';
import { RECORD_COLUMN_NAMES } from '../service/records/columns.js';
import { AppendFile } from '../system/append-file.js';
import { pathExists } from '../system/error-code.js';
import { isOwnedLike } from '../system/file-owner.js';
import { openInput } from '../system/open-stream.js';
import { type Checkpoint, type PriorRun, readCheckpoint, readRecordCount } from './collect/checkpoint.js';
import type { ResolvedFormatOptions } from './convert/formats.js';
import type { CollectSpec, ExportJob } from './export-job.js';
import { type ExportPaths, manifestPath, removePartialExport } from './export-paths.js';
import { readManifest } from './verify/manifest.js';

export interface PriorRunOptions {
  /**
   * If a checkpoint exists without its partial file, true throws an error, and false starts a new run. Without `force`, opac
   * resumes all other unfinished runs, with true and with false.
   */
  readonly resume?: boolean | undefined;
  /**
   * Replaces edited files and files that are not from an export. Discards an unfinished run; with `resume`, discards it only if
   * opac cannot resume it.
   */
  readonly force?: boolean | undefined;
  readonly onStart?: ((prior: PriorRun) => void) | undefined;
  /** The command line without secrets, for the manifest and hints. Undefined if no command line can resume the run. */
  readonly command: string | undefined;
}

/** Returns the first target with a checkpoint, otherwise the first target. */
export async function findTargetWithPartialFile(
  outputs: readonly { readonly target: ExportPaths }[],
): Promise<ExportPaths> {
  for (const { target } of outputs) if (await pathExists(target.checkpoint)) return target;
  return (outputs[0] as (typeof outputs)[number]).target;
}

/** Checkpoints and manifests contain `"format"` near the start. */
const START_BYTES = 4096;

/**
 * Returns undefined for a new run. Without `force`, throws a UsageError if a file belongs to another user, to another export, or
 * to no export. Without `force`, throws an OpacError for a damaged checkpoint.
 */
export async function findPriorRun(
  target: ExportPaths,
  job: CollectSpec,
  options: PriorRunOptions,
): Promise<Checkpoint | undefined> {
  const checkpoint = await findCheckpoint(target, job, options);
  if (!options.force) await assertNoForeignFiles(target);
  const discarded = checkpoint ? 0 : await readRecordCount(target.checkpoint);
  options.onStart?.({ resumed: checkpoint?.tally.written, discarded });
  return checkpoint;
}

/** Throws a UsageError for a file that is not from an export. */
async function assertNoForeignFiles({ path, partialFile, checkpoint }: ExportPaths): Promise<void> {
  const foreign: string[] = [];
  if (!(await pathExists(checkpoint)) && !/^\{?$/.test((await readStart(partialFile)).slice(0, 1)))
    foreign.push(partialFile);
  for (const file of [checkpoint, manifestPath(path)])
    if (!/^$|"format"/.test(await readStart(file))) foreign.push(file);
  for (const file of foreign)
    throw new UsageError(
      `"${file}" is not from an export, but an export would replace it`,
      'choose another name, or replace the file with --force',
    );
}

/** Omits zero bytes at the start. A power cut may leave them there. */
async function readStart(file: string): Promise<string> {
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile()) return '';
  for await (const bytes of openInput(file, { chunkBytes: START_BYTES }))
    return String(bytes).replace(/^\0+/, '');
  return '';
}

async function findCheckpoint(
  target: ExportPaths,
  job: CollectSpec,
  { resume = false, force = false, command }: PriorRunOptions,
): Promise<Checkpoint | undefined> {
  if (!resume && (force || !(await pathExists(target.partialFile)))) return undefined;
  for (const path of [target.partialFile, target.checkpoint])
    if (!(await isOwnedLike(target.lock, path))) {
      if (force) return undefined;
      throw new UsageError(
        `"${path}" belongs to another user`,
        'choose another file, or start again with --force',
      );
    }
  const read = readCheckpoint(target.checkpoint, job, command);
  const checkpoint = await (force ? read.catch(() => undefined) : read);
  if (force && checkpoint && !(await canResume(target, checkpoint))) return undefined;
  if (!checkpoint || !(await isFinished(target, checkpoint))) return checkpoint;
  await removePartialExport(target);
  return undefined;
}

async function canResume({ partialFile }: ExportPaths, { bytes, sha256 }: Checkpoint): Promise<boolean> {
  const file = await AppendFile.resume(partialFile, { bytes, sha256 }).catch(() => undefined);
  await file?.close();
  return file !== undefined;
}

/** Returns true if the run was killed after it replaced all files, but before it deleted the checkpoint. */
async function isFinished({ path }: ExportPaths, { started }: Checkpoint): Promise<boolean> {
  const manifest = await readManifest(manifestPath(path)).catch(() => undefined);
  return manifest?.complete === true && manifest.started === started;
}

export interface PreviousExport {
  /** 0 without an earlier export of the same kind. */
  readonly records: number;
  /** The columns of an earlier table of the same search. They come first in the new table. `[]` if the user chose columns. */
  readonly columns: readonly string[];
}

const SEARCH_KEYS: readonly string[] = ['deployment', 'kind', 'query', 'columns'];

export async function readPreviousExport(
  { path, folder }: ExportPaths,
  spec: ExportJob,
  { chosen, dialect }: Pick<ResolvedFormatOptions, 'chosen' | 'dialect'>,
): Promise<PreviousExport> {
  const manifest = await readManifest(manifestPath(path)).catch(() => undefined);
  const [first] = manifest?.files ?? [];
  if (!manifest || !first || !(await pathExists(join(folder, first.name))))
    return { records: 0, columns: [] };
  const { job, records, columns } = manifest;
  const isSameSearch = SEARCH_KEYS.every((name) => JSON.stringify(job[name]) === JSON.stringify(spec[name]));
  const isOfRecords = RECORD_COLUMN_NAMES.every((name, n) => columns[n] === name);
  const areKept = dialect && !chosen && isSameSearch && isOfRecords;
  return { records: job.kind === spec.kind ? records : 0, columns: areKept ? columns : [] };
}
