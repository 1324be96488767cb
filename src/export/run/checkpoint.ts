/** What a run needs to resume after any failure; written only after its data is synced. */

import { UsageError } from '../../service/errors.js';
import { grouped } from '../../service/grouped.js';
import { isObject } from '../../service/json.js';
import { errorCode } from '../../system/file-errors.js';
import { readOurs } from '../../system/our-file.js';
import { fileError } from '../files/file-error.js';
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
} from '../files/shape.js';
import { writeWhole } from '../files/whole-file.js';
import type { NotUtf8 } from '../json/not-utf8.js';
import type { SlicePlan } from '../source/slices/plan.js';
import { EXPORT_SPEC, type ExportSpec } from './export-spec.js';
import type { PageEntry, RunCounts } from './run-counts.js';

/** Raise it when the same job gives other bytes, or checkpoints change meaning. */
export const CHECKPOINT_FORMAT = 1;

export interface Checkpoint {
  readonly format: number;
  readonly job: ExportSpec;
  readonly started: string;
  readonly next: number;
  readonly bytes: number;
  readonly headBytes: number;
  readonly idsBytes: number;
  /** Of the part and of its ids, as far as they count; absent where an earlier version wrote it. */
  readonly sha256?: string | undefined;
  readonly idsSha256?: string | undefined;
  readonly columns: readonly string[];
  /** The number of cells of the rows from each offset on. */
  readonly widths: readonly (readonly [offset: number, width: number])[];
  readonly splits: readonly number[];
  readonly formulas: number;
  /** Rows of a table, and how many precede each split; absent where an earlier version wrote it. */
  readonly rows?: number | undefined;
  readonly splitRows?: readonly number[];
  readonly notFound: readonly string[];
  /** Absent where an earlier version wrote it. */
  readonly notUtf8?: NotUtf8;
  readonly tally: RunCounts;
  readonly pages: readonly PageEntry[];
  /** How the search is sliced; absent where it is not. */
  readonly plan?: SlicePlan | undefined;
}

const SHAPE: Readonly<Record<string, Shape>> = {
  job: EXPORT_SPEC,
  started: text,
  next: size,
  bytes: size,
  headBytes: size,
  idsBytes: size,
  sha256: orAbsent(text),
  idsSha256: orAbsent(text),
  columns: listOf(text),
  widths: listOf(pair(size, size)),
  splits: listOf(size),
  formulas: size,
  rows: orAbsent(size),
  splitRows: orAbsent(listOf(size)),
  notFound: listOf(text),
  notUtf8: orAbsent(members({ records: size, ids: listOf(text) })),
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

/** The member that cannot be true of a part of so many bytes. */
function impossible(checkpoint: Checkpoint): string | undefined {
  const { bytes, headBytes, tally, splits } = checkpoint;
  if (tally.written > 0 && bytes === 0) return 'bytes';
  if (tally.written === 0 && bytes > 0) return 'tally';
  if (headBytes > bytes) return 'headBytes';
  if (splits.some((at) => at > bytes)) return 'splits';
  return hasPossibleWidths(checkpoint) ? undefined : 'widths';
}

/** Columns only come up, never behind the end; chosen ones are there from the first row on. */
function hasPossibleWidths({ widths, headBytes, bytes, columns, job }: Checkpoint): boolean {
  const isFound = job.columns === 'found' || job.columns === 'all';
  const least = isFound ? 1 : columns.length;
  return widths.every(([at, width], n) => {
    const [before = -1, narrower = least - 1] = widths[n - 1] ?? [];
    const isNext = n === 0 ? at === headBytes : at > before;
    return isNext && at <= bytes && width > narrower && width <= columns.length;
  });
}

export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  await writeWhole(path, JSON.stringify(checkpoint));
}

/**
 * Undefined when there is none. Throws a UsageError that names the difference for another job, or another version of the
 * format.
 */
export async function readCheckpoint(path: string, job: ExportSpec): Promise<Checkpoint | undefined> {
  let content: string;
  try {
    content = await readOurs(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw fileError(error, 'read', path);
  }
  let checkpoint: unknown;
  try {
    checkpoint = JSON.parse(content);
  } catch {
    throw refusal(path, 'it is damaged');
  }
  if (!isObject(checkpoint) || checkpoint.format !== CHECKPOINT_FORMAT) {
    const format = isObject(checkpoint) ? (JSON.stringify(checkpoint.format) ?? 'none') : 'none';
    const newer = Number(format) > CHECKPOINT_FORMAT ? 'a newer opac wrote it: ' : '';
    throw refusal(path, `${newer}its format is ${format}, this version of opac writes ${CHECKPOINT_FORMAT}`);
  }
  const read = checkpoint as unknown as Checkpoint;
  const wrong = wrongMember(checkpoint, SHAPE) ?? impossible(read);
  if (wrong !== undefined) throw refusal(path, `its "${wrong}" is damaged`);
  const names = new Set([...Object.keys(read.job), ...Object.keys(job)]);
  for (const name of names) {
    const before = read.job[name];
    const now = job[name];
    if (JSON.stringify(before) !== JSON.stringify(now)) {
      throw refusal(path, `${name} was ${inWords(before)} and is now ${inWords(now)}`);
    }
  }
  return read;
}

/** Each record in the part has its id in the file of ids, where it has one. Throws a UsageError for any other number of them. */
export function checkIdCount(path: string, { tally }: Checkpoint, ids: number): void {
  if (ids > tally.written || ids < tally.written - tally.withoutId)
    throw refusal(path, `it says ${grouped(tally.written)} records, and there are ${grouped(ids)} ids`);
}

function inWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `"${value.map((each) => (Array.isArray(each) ? each.join('=') : String(each))).join('&')}"`;
}

function refusal(path: string, why: string): UsageError {
  return new UsageError(
    `cannot resume "${path}": ${why}`,
    'repeat the command of that run with --resume, or start again without --resume',
  );
}

export interface PriorRun {
  readonly resumed: number | undefined;
  readonly discarded: number;
}

/** A part of the same job that could be resumed. */
export interface Unfinished {
  readonly records: number;
  /** ISO 8601. */
  readonly started: string;
}

/** The records of a checkpoint that may be damaged. */
export async function recordsLeft(path: string): Promise<number> {
  try {
    const { tally } = JSON.parse(await readOurs(path)) as Partial<Checkpoint>;
    return tally?.written ?? 0;
  } catch {
    return 0;
  }
}
