/** The state from which a run resumes. opac writes the checkpoint only after the records are safely on the disk. */
import { OpacError, UsageError } from '../../service/errors.js';
import { formatCount, formatNumber } from '../../service/format-numbers.js';
import { asObject, isObject } from '../../service/json.js';
import { parseJsonLossless, tryParseJson } from '../../service/parse-json.js';
import { errorCode } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { readRegularFile } from '../../system/regular-file.js';
import { replaceFile } from '../../system/replace-file.js';
import { type Content, checkContent, SIZE, TEXTS } from '../../system/schema.js';
import * as v from '../../system/valibot.js';
import { COLLECT_SPEC, type CollectSpec } from '../export-job.js';
import { NOT_UTF8, PAGES, RUN_COUNTS } from './export-counts.js';
import { SLICE_PLAN } from './source/slices/slice-plan.js';

/** Increase this number when opac can no longer use the partial files and checkpoints of earlier versions. */
export const CHECKPOINT_FORMAT = 2;

const CHECKPOINT = v.object({
  format: v.literal(CHECKPOINT_FORMAT),
  job: COLLECT_SPEC,
  /** The command line without secrets. */
  command: v.optional(v.string()),
  started: v.string(),
  /** The offset from which a run resumes. */
  next: SIZE,
  /** Length and hash of the valid beginning of the partial file. */
  bytes: SIZE,
  sha256: v.string(),
  notFound: TEXTS,
  notUtf8: NOT_UTF8,
  tally: RUN_COUNTS,
  pages: PAGES,
  plan: v.optional(SLICE_PLAN),
});
export type Checkpoint = Content<typeof CHECKPOINT>;

function findInconsistentKey({ bytes, tally }: Checkpoint): string | undefined {
  if (tally.written > 0 && bytes === 0) return 'bytes';
  return tally.written === 0 && bytes > 0 ? 'tally' : undefined;
}

export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  await replaceFile(path, JSON.stringify(checkpoint));
}

/**
 * Returns undefined without a checkpoint. For a checkpoint of another export, returns undefined if it can be discarded, and
 * otherwise throws a UsageError. Throws a UsageError for another format, and an OpacError for a damaged or unreadable checkpoint.
 */
export async function readCheckpoint(
  path: string,
  job: CollectSpec,
  command = '',
): Promise<Checkpoint | undefined> {
  let content: string;
  try {
    content = await readRegularFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw fileError(error, 'read', path);
  }
  const checkpoint = tryParseJson(content);
  if (checkpoint === undefined) throw createDamagedError(path, 'the checkpoint is damaged');
  if (!isObject(checkpoint) || checkpoint.format !== CHECKPOINT_FORMAT) {
    const format = isObject(checkpoint) ? (JSON.stringify(checkpoint.format) ?? 'none') : 'none';
    const writer = Number(format) > CHECKPOINT_FORMAT ? 'a newer version' : 'another version';
    throw new UsageError(
      `cannot resume "${path}": ${writer} of opac wrote it (format ${format}, this version writes ${CHECKPOINT_FORMAT})`,
      START_AGAIN,
    );
  }
  const damaged = (key: string) => createDamagedError(path, `its "${key}" is damaged`);
  const read = checkContent(CHECKPOINT, checkpoint, damaged);
  const wrong = findInconsistentKey(read);
  if (wrong !== undefined) throw damaged(wrong);
  const difference = findDifference(read.job, job);
  // An export with --from needs no requests, so its checkpoint can be discarded.
  const readsFiles = read.job.from !== undefined;
  if (difference !== undefined && read.tally.written > 0 && !readsFiles)
    throw createOtherExportError(path, read, difference, command);
  return difference === undefined ? read : undefined;
}

function findDifference(before: CollectSpec, now: CollectSpec): string | undefined {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (JSON.stringify(before[name]) !== JSON.stringify(now[name]))
      return `${name} was ${formatValue(before[name])} and is now ${formatValue(now[name])}`;
  }
  return undefined;
}

function createOtherExportError(
  path: string,
  read: Checkpoint,
  difference: string,
  command: string,
): UsageError {
  const { tally, started, command: before = '' } = read;
  const owner = `"${path}" belongs to another unfinished export, which started at ${started} and has ${formatCount(tally.written, 'record')}`;
  const both =
    before === '' || command === ''
      ? ''
      : `; command of the unfinished export: ${before}; command of this export: ${command}`;
  return new UsageError(
    `${owner} (${difference})${both}`,
    'finish that export, choose another file with -o, or discard its records with --force',
  );
}

export function checkRecordCount(path: string, { tally }: Checkpoint, records: number): void {
  if (records !== tally.written)
    throw createDamagedError(
      path,
      `the checkpoint counts ${formatCount(tally.written, 'record')}, but the partial file has ${formatNumber(records)}`,
    );
}

function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `"${value.map((each) => (Array.isArray(each) ? each.join('=') : String(each))).join('&')}"`;
}

const START_AGAIN = 'discard it and start again with --force';

function createDamagedError(path: string, why: string): OpacError {
  return new OpacError('incomplete', `cannot resume "${path}": ${why}`, { hint: START_AGAIN });
}

export interface PriorRun {
  /** The number of records in the partial file from which the run resumes; undefined for a new run. */
  readonly resumed: number | undefined;
  /** The number of saved records that a new run discards. */
  readonly discarded: number;
}

/** Returns the number of saved records, even if other keys are damaged; 0 if opac cannot read the number. */
export async function readRecordCount(path: string): Promise<number> {
  try {
    const { written } = asObject(asObject(parseJsonLossless(await readRegularFile(path))).tally);
    return Number.isSafeInteger(written) ? Number(written) : 0;
  } catch {
    return 0;
  }
}
