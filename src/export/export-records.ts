/** Exports the records of a source into a file: the one function that commands and programs call. */
import { dirname, join } from 'node:path';
import type { Json } from '../service/json.js';
import { VERSION } from '../service/version.js';
import { checkShape } from './check-shape.js';
import { FileError } from './files/file-error.js';
import { takeLock } from './files/lock.js';
import { type CheckedShape, FORMATS, type Shape } from './formats.js';
import { readCheckpoint } from './run/checkpoint.js';
import type { ExportSpec } from './run/export-spec.js';
import { FileRun, type RunOptions, type Walked } from './run/file-run.js';
import { finishFiles, recoverFinished } from './run/finish.js';
import { MANIFEST_FORMAT, type Manifest, type ManifestFile } from './run/manifest.js';
import { type Beginning, beginningOf } from './run/prior-run.js';
import { brokenOff, type Kept, keptOf, notBegun } from './run/run-errors.js';
import { checkTarget, manifestPath, removeTraces, type Target, targetOf } from './run/target.js';
import { gapText, judge, type Verdict } from './run/verdict.js';
import type { Identified, RecordWriter } from './writers/record-writer.js';

export interface ExportOptions extends RunOptions {
  readonly shape: Shape;
  /** Path of the file. */
  readonly target: string;
  /** Base URL of the deployment. */
  readonly deployment: string;
  /** Query parameters of the search, without those of paging. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Anything else that decides the bytes of the file, for instance a list of ids: `{ offset: 20 }`. */
  readonly also?: Readonly<Record<string, Json>> | undefined;
  /** Records in a file; undefined for one file. */
  readonly split?: number | undefined;
  /** Go on where a run of the same job stopped, if one did. */
  readonly resume?: boolean | undefined;
  /** Told before the first page is asked for. */
  readonly onBegin?: ((beginning: Beginning) => void) | undefined;
  /** A total that moved and ids not found make the export incomplete. */
  readonly strict?: boolean | undefined;
  /**
   * The command as the user gave it, for the manifest and for what to do after a run that broke off; without secrets.
   * Undefined where nobody can go on: then errors come as they are.
   */
  readonly command: string | undefined;
}

export interface ExportOutcome extends Verdict {
  readonly complete: boolean;
  /** Paths of the files that were made, in order. */
  readonly files: readonly string[];
  readonly manifestPath: string;
  readonly manifest: Manifest;
}

/**
 * Exports into `target`, which is replaced only by a whole export; what an incomplete one got lies in `<name>.incomplete.<…>`.
 * Throws a UsageError for options that cannot be and for a target that another run is writing; an error with a hint that names
 * the part when the run broke off: of kind `interrupted` after an abort, `auth` for credentials, `incomplete` for the rest,
 * whatever the file system did among it. When nothing had come, the error is the one that kept it from coming. Before a run
 * has opened its files, a wrong path is of kind `internal`, a disk that takes nothing `incomplete`.
 */
export async function exportRecords(options: ExportOptions): Promise<ExportOutcome> {
  const shape = checkShape(options.shape);
  const target = targetOf(options.target, options.split);
  const job = jobOf(options, shape);
  await checkTarget(target);
  try {
    return await exportInto(target, job, shape, options);
  } catch (error) {
    const { command } = options;
    if (!(error instanceof FileError) || command === undefined) throw error;
    throw notBegun(error, await keptBefore(target, job), command);
  }
}

async function exportInto(
  target: Target,
  job: ExportSpec,
  shape: CheckedShape,
  options: ExportOptions,
): Promise<ExportOutcome> {
  const lock = await takeLock(target.lock, target.path);
  try {
    const checkpoint = options.resume ? await readCheckpoint(target.checkpoint, job) : undefined;
    if (checkpoint) {
      const manifest = await recoverFinished(target);
      if (manifest) return outcomeOf(manifest, target.path);
    }
    options.onBegin?.(await beginningOf(target.checkpoint, checkpoint));
    return await FORMATS[shape.format].withWriter(shape, checkpoint?.columns ?? [], async (writer) => {
      const run = await FileRun.open(writer, target, job, options, checkpoint);
      try {
        return await finish(writer, target, job, options, run, await run.walk());
      } catch (error) {
        throw await leave(run, target, error, options.command);
      } finally {
        await run.close();
      }
    });
  } finally {
    await lock.release();
  }
}

function jobOf({ shape, deployment, query, split, also }: ExportOptions, checked: CheckedShape): ExportSpec {
  const { kind, format, columns, multi, multiTogether, excel, flat } = shape;
  const forTables = checked.dialect && {
    columns: columns ?? 'found',
    multi: [multi ?? 'join', ...(multiTogether ?? [])].join(','),
    excel: excel ?? false,
  };
  return { deployment, kind, query, format, flat: flat ?? false, ...forTables, split: split ?? 0, ...also };
}

/** Leaves a run that broke off so that it can be gone on with, or no trace of it where it cannot; gives what is to be thrown. */
async function leave<R extends Identified>(
  run: FileRun<R>,
  target: Target,
  error: unknown,
  command: string | undefined,
): Promise<unknown> {
  const kept = await keptOf(run.safe, target);
  if (!kept) await removeTraces(target).catch(() => undefined);
  return command === undefined ? error : brokenOff(error, kept, command);
}

/** What an earlier run of the job left, for one that could not begin. */
async function keptBefore(target: Target, job: ExportSpec): Promise<Kept | undefined> {
  const checkpoint = await readCheckpoint(target.checkpoint, job).catch(() => undefined);
  return keptOf(checkpoint?.tally.written ?? 0, target);
}

async function finish<R extends Identified>(
  writer: RecordWriter<R>,
  target: Target,
  job: ExportSpec,
  options: ExportOptions,
  run: FileRun<R>,
  walked: Walked,
): Promise<ExportOutcome> {
  const { reasons, warnings } = judge(walked, options.strict ?? false);
  const { tally, report, notFound, pages, formulas } = walked;
  // The checkpoint names the end, so that a death from here on costs no page again.
  await run.checkpoint();
  const manifestOf = (files: readonly ManifestFile[]): Manifest => ({
    format: MANIFEST_FORMAT,
    tool: `opac ${VERSION}`,
    command: options.command ?? '',
    job,
    complete: reasons.length === 0,
    reasons,
    warnings: [...warnings, ...(writer.losses?.() ?? [])],
    files,
    started: run.started,
    finished: new Date().toISOString(),
    elapsed: tally.elapsed,
    resumed: tally.resumed,
    totals: {
      first: tally.drift[0]?.total ?? null,
      last: tally.drift.at(-1)?.total ?? null,
      drift: tally.drift,
    },
    received: tally.received,
    records: tally.written,
    duplicates: tally.duplicates,
    withoutId: tally.withoutId,
    gaps: report.gaps.map((gap) => ({ offset: gap.offset, limit: gap.limit, reason: gapText(gap) })),
    notFound,
    columns: writer.table?.columns() ?? [],
    formulas,
    pages,
  });
  const { manifest, path } = await finishFiles({
    writer,
    target,
    part: run.part,
    walked,
    complete: reasons.length === 0,
    manifestOf,
  });
  return outcomeOf(manifest, path);
}

function outcomeOf(manifest: Manifest, path: string): ExportOutcome {
  return {
    complete: manifest.complete,
    reasons: manifest.reasons,
    warnings: manifest.warnings,
    files: manifest.files.map(({ name }) => join(dirname(path), name)),
    manifestPath: manifestPath(path),
    manifest,
  };
}
