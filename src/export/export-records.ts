/** Exports the records of a source into a file: the one function that commands and programs call. */
import { dirname, join } from 'node:path';
import { OpacError } from '../service/errors.js';
import type { Json } from '../service/json.js';
import { VERSION } from '../service/version.js';
import { readCheckpoint } from './checkpoint.js';
import { FileRun, type RunOptions, type Walked } from './file-run.js';
import { finishFiles, recoverFinished } from './finish.js';
import { type CheckedShape, checkShape, type Shape, withWriter } from './formats.js';
import type { Job } from './job.js';
import { takeLock } from './lock.js';
import { MANIFEST_FORMAT, type Manifest, type ManifestFile, manifestPath } from './manifest.js';
import type { Identified, RecordWriter } from './record-writer.js';
import { resumeCommand } from './resume-command.js';
import { checkTarget, removeTraces, type Target, targetOf } from './target.js';
import { gapText, judge, type Verdict } from './verdict.js';

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
 * the part when the run broke off: of kind `interrupted` after an abort, `auth` for credentials, `internal` for the disk,
 * `incomplete` for the rest. When nothing had come, the error is the one that kept it from coming.
 */
export async function exportRecords(options: ExportOptions): Promise<ExportOutcome> {
  const shape = checkShape(options.shape);
  const target = targetOf(options.target, options.split);
  const job = jobOf(options, shape);
  await checkTarget(target);
  const lock = await takeLock(target.lock, target.path);
  try {
    const checkpoint = options.resume ? await readCheckpoint(target.checkpoint, job) : undefined;
    if (checkpoint) {
      const manifest = await recoverFinished(target);
      if (manifest) return outcomeOf(manifest, target.path);
    }
    return await withWriter(shape, checkpoint?.columns ?? [], async (writer) => {
      const run = await FileRun.open(writer, target, job, options, checkpoint);
      try {
        const walked = await attempt(run, target, options.command);
        return await finish(writer, target, job, options, run, walked);
      } finally {
        await run.close();
      }
    });
  } finally {
    await lock.release();
  }
}

function jobOf({ shape, deployment, query, split, also }: ExportOptions, checked: CheckedShape): Job {
  const { kind, format, columns, multi, multiTogether, excel, flat } = shape;
  const forTables = checked.dialect && {
    columns: columns ?? 'found',
    multi: [multi ?? 'join', ...(multiTogether ?? [])].join(','),
    excel: excel ?? false,
  };
  return { deployment, kind, query, format, flat: flat ?? false, ...forTables, split: split ?? 0, ...also };
}

async function attempt<R extends Identified>(
  run: FileRun<R>,
  target: Target,
  command: string | undefined,
): Promise<Walked> {
  try {
    return await run.walk();
  } catch (error) {
    // The disk may be what failed: then the last checkpoint is what there is.
    await run.checkpoint().catch(() => undefined);
    if (run.safe === 0) {
      await removeTraces(target);
      throw error;
    }
    throw command === undefined ? error : brokenOff(error, run.safe, target, command);
  }
}

/** The error, with what is kept and how to go on: the command last, so that it can be copied to the end of the line. */
function brokenOff(error: unknown, safe: number, { part }: Target, command: string): OpacError {
  const isIn = `${safe} records are in "${part}"`;
  const kept = `${isIn}; go on with: ${resumeCommand(command)}`;
  if (error instanceof OpacError) {
    // Where the service refuses to go deeper, it will refuse again.
    if (error.kind === 'incomplete')
      return new OpacError(error.kind, error.message, { hint: `${isIn}; ${error.hint}`, cause: error });
    const kind = ['auth', 'internal', 'interrupted'].includes(error.kind) ? error.kind : 'incomplete';
    const hint = error.hint ? `${error.hint}; ${kept}` : kept;
    return new OpacError(kind, error.message, { hint, cause: error });
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new OpacError('interrupted', 'the export was interrupted', { hint: kept, cause: error });
  }
  return new OpacError('internal', `the export broke off: ${String(error)}`, { hint: kept, cause: error });
}

async function finish<R extends Identified>(
  writer: RecordWriter<R>,
  target: Target,
  job: Job,
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
