/** What a run needs to resume after any failure; written only after its data is synced. */

import type { NotUtf8 } from '../../records/json/not-utf8.js';
import { UsageError } from '../../service/errors.js';
import { counted, grouped } from '../../service/grouped.js';
import { isObject } from '../../service/json.js';
import { parseJson } from '../../service/parse-json.js';
import { errorCode } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { readOurs } from '../../system/our-file.js';
import { replaceFile } from '../../system/replace-file.js';
import {
  listOf,
  members,
  orAbsent,
  pair,
  type Shape,
  size,
  slicePlan,
  text,
  wrongMember,
} from '../../system/shape.js';

import { COLLECT_SPEC, type CollectSpec } from '../export-spec.js';
import type { PageEntry, RunCounts } from './run-counts.js';
import type { SlicePlan } from './source/slices/plan.js';

/** Raise it when a partial file or a checkpoint of an earlier version cannot be used. */
export const CHECKPOINT_FORMAT = 2;

export interface Checkpoint {
  readonly format: number;
  readonly job: CollectSpec;
  /** As the user gave it, without secrets. */
  readonly command?: string | undefined;
  readonly started: string;
  readonly next: number;
  /** Of the partial file, as far as it counts. */
  readonly bytes: number;
  readonly sha256: string;
  readonly notFound: readonly string[];
  readonly notUtf8: NotUtf8;
  readonly tally: RunCounts;
  readonly pages: readonly PageEntry[];
  /** How the search is sliced; absent where it is not. */
  readonly plan?: SlicePlan | undefined;
}

const SHAPE: Readonly<Record<string, Shape>> = {
  job: COLLECT_SPEC,
  command: orAbsent(text),
  started: text,
  next: size,
  bytes: size,
  sha256: text,
  notFound: listOf(text),
  notUtf8: members({ records: size, ids: listOf(text) }),
  tally: members({
    received: size,
    written: size,
    duplicates: size,
    withoutId: size,
    drift: listOf(members({ offset: size, total: size })),
    elapsed: size,
    resumed: size,
  }),
  pages: listOf(pair(size, size)),
  plan: orAbsent(slicePlan),
};

/** The member that cannot be true of a partial file of so many bytes. */
function impossible({ bytes, tally }: Checkpoint): string | undefined {
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
    content = await readOurs(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw fileError(error, 'read', path);
  }
  let checkpoint: unknown;
  try {
    checkpoint = parseJson(content);
  } catch {
    throw refusal(path, 'it is damaged');
  }
  if (!isObject(checkpoint) || checkpoint.format !== CHECKPOINT_FORMAT) {
    const format = isObject(checkpoint) ? (JSON.stringify(checkpoint.format) ?? 'none') : 'none';
    const age =
      Number(format) > CHECKPOINT_FORMAT ? 'a newer opac wrote it' : 'another version of opac wrote it';
    throw refusal(path, `${age}: its format is ${format}, this version of opac writes ${CHECKPOINT_FORMAT}`);
  }
  const read = checkpoint as unknown as Checkpoint;
  const wrong = wrongMember(checkpoint, SHAPE) ?? impossible(read);
  if (wrong !== undefined) throw refusal(path, `its "${wrong}" is damaged`);
  const difference = differenceOf(read.job, job);
  if (difference !== undefined && read.tally.written > 0) throw otherExport(path, read, difference, command);
  return difference === undefined ? read : undefined;
}

function differenceOf(before: CollectSpec, now: CollectSpec): string | undefined {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (JSON.stringify(before[name]) !== JSON.stringify(now[name]))
      return `${name} was ${inWords(before[name])} and is now ${inWords(now[name])}`;
  }
  return undefined;
}

/** Names both exports, so that the user can tell which one is wanted. */
function otherExport(path: string, read: Checkpoint, difference: string, command: string): UsageError {
  const { tally, started, command: before = '' } = read;
  const left = `"${path}" is of another, unfinished export: ${counted(tally.written, 'record')} since ${started}`;
  const both = before === '' || command === '' ? '' : `; that one is: ${before}; this one is: ${command}`;
  return new UsageError(
    `${left} (${difference})${both}`,
    'finish that one, choose another file with -o, or discard its records with --force',
  );
}

/** Throws a UsageError when the partial file does not have as many records as the checkpoint says. */
export function checkRecordCount(path: string, { tally }: Checkpoint, records: number): void {
  if (records !== tally.written)
    throw refusal(path, `it says ${grouped(tally.written)} records, and the file has ${grouped(records)}`);
}

function inWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `"${value.map((each) => (Array.isArray(each) ? each.join('=') : String(each))).join('&')}"`;
}

function refusal(path: string, why: string): UsageError {
  return new UsageError(`cannot resume "${path}": ${why}`, 'start again with --force, which discards it');
}

/** What an earlier run left, and what becomes of it: records that are kept, or discarded. */
export interface PriorRun {
  readonly resumed: number | undefined;
  readonly discarded: number;
}

/** An unfinished run of the same export. */
export interface Unfinished {
  readonly records: number;
  /** ISO 8601. */
  readonly started: string;
}

/** The records of a checkpoint that may be damaged. */
export async function recordsLeft(path: string): Promise<number> {
  try {
    const { tally } = parseJson(await readOurs(path)) as Partial<Checkpoint>;
    return tally?.written ?? 0;
  } catch {
    return 0;
  }
}
