/** What a run needs to resume after any failure; written only after its data is synced. */

import { UsageError } from '../../service/errors.js';
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

/** Raise it when a partial file or a checkpoint of an earlier version cannot be used. */
export const CHECKPOINT_FORMAT = 2;

const CHECKPOINT = v.object({
  format: v.literal(CHECKPOINT_FORMAT),
  job: COLLECT_SPEC,
  /** As the user gave it, without secrets. */
  command: v.optional(v.string()),
  started: v.string(),
  next: SIZE,
  /** Of the partial file, as far as it counts. */
  bytes: SIZE,
  sha256: v.string(),
  notFound: TEXTS,
  notUtf8: NOT_UTF8,
  tally: RUN_COUNTS,
  pages: PAGES,
  /** How the search is sliced; absent where it is not. */
  plan: v.optional(SLICE_PLAN),
});
export type Checkpoint = Content<typeof CHECKPOINT>;

/** The member that cannot be true of a partial file of so many bytes. */
function findInconsistentKey({ bytes, tally }: Checkpoint): string | undefined {
  if (tally.written > 0 && bytes === 0) return 'bytes';
  return tally.written === 0 && bytes > 0 ? 'tally' : undefined;
}

export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  await replaceFile(path, JSON.stringify(checkpoint));
}

/**
 * Undefined when there is none, or it has no records. Throws a UsageError for a checkpoint of another export, which it names,
 * or of another version of the format.
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
  if (checkpoint === undefined) throw createCheckpointError(path, 'it is damaged');
  if (!isObject(checkpoint) || checkpoint.format !== CHECKPOINT_FORMAT) {
    const format = isObject(checkpoint) ? (JSON.stringify(checkpoint.format) ?? 'none') : 'none';
    const age =
      Number(format) > CHECKPOINT_FORMAT ? 'a newer opac wrote it' : 'another version of opac wrote it';
    throw createCheckpointError(
      path,
      `${age}: its format is ${format}, this version of opac writes ${CHECKPOINT_FORMAT}`,
    );
  }
  const damaged = (member: string) => createCheckpointError(path, `its "${member}" is damaged`);
  const read = checkContent(CHECKPOINT, checkpoint, damaged);
  const wrong = findInconsistentKey(read);
  if (wrong !== undefined) throw damaged(wrong);
  const difference = differenceOf(read.job, job);
  if (difference !== undefined && read.tally.written > 0) throw otherExport(path, read, difference, command);
  return difference === undefined ? read : undefined;
}

function differenceOf(before: CollectSpec, now: CollectSpec): string | undefined {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (JSON.stringify(before[name]) !== JSON.stringify(now[name]))
      return `${name} was ${formatValue(before[name])} and is now ${formatValue(now[name])}`;
  }
  return undefined;
}

/** Names both exports, so that the user can tell which one is wanted. */
function otherExport(path: string, read: Checkpoint, difference: string, command: string): UsageError {
  const { tally, started, command: before = '' } = read;
  const left = `"${path}" is of another, unfinished export: ${formatCount(tally.written, 'record')} since ${started}`;
  const both = before === '' || command === '' ? '' : `; that one is: ${before}; this one is: ${command}`;
  return new UsageError(
    `${left} (${difference})${both}`,
    'finish that one, choose another file with -o, or discard its records with --force',
  );
}

/** Throws a UsageError when the partial file does not have as many records as the checkpoint says. */
export function checkRecordCount(path: string, { tally }: Checkpoint, records: number): void {
  if (records !== tally.written)
    throw createCheckpointError(
      path,
      `it says ${formatNumber(tally.written)} records, and the file has ${formatNumber(records)}`,
    );
}

function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `"${value.map((each) => (Array.isArray(each) ? each.join('=') : String(each))).join('&')}"`;
}

function createCheckpointError(path: string, why: string): UsageError {
  return new UsageError(`cannot resume "${path}": ${why}`, 'start again with --force, which discards it');
}

/** What an earlier run left, and what becomes of it: records that are kept, or discarded. */
export interface PriorRun {
  readonly resumed: number | undefined;
  readonly discarded: number;
}

/** The records of a checkpoint that may be damaged. */
export async function readRecordCount(path: string): Promise<number> {
  try {
    const { written } = asObject(asObject(parseJsonLossless(await readRegularFile(path))).tally);
    return Number.isSafeInteger(written) ? Number(written) : 0;
  } catch {
    return 0;
  }
}
