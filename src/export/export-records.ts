/** Exports the records of a source into a file, for commands and programs. */
import { dirname, join } from 'node:path';
import type { OpacError } from '../service/errors.js';
import type { Json } from '../service/json.js';
import { VERSION } from '../service/version.js';
import { exists } from '../system/file-errors.js';
import { checkShape } from './check-shape.js';
import { columnsBefore } from './columns-before.js';
import { checkDescription, type Described, describeFiles } from './describe.js';
import { FileError } from './files/file-error.js';
import { takeLock } from './files/lock.js';
import { type CheckedShape, FORMATS, type Shape } from './formats.js';
import { type PriorRun, readCheckpoint, recordsLeft, type Unfinished } from './run/checkpoint.js';
import { assessCompleteness, type Completeness, gapText } from './run/completeness.js';
import { ExportRun, type RunOptions, type RunResult, type RunSetup } from './run/export-run.js';
import type { ExportSpec } from './run/export-spec.js';
import { finishFiles, recoverFinished } from './run/finish.js';
import {
  headsBeside,
  MANIFEST_FORMAT,
  type Manifest,
  type ManifestFile,
  readManifest,
} from './run/manifest.js';
import { ageWarning, keepLarger, setAside } from './run/older-part.js';
import { type Kept, keptOf, openError, runError } from './run/run-errors.js';
import { checkTarget, manifestPath, removeTraces, type Target, targetOf } from './run/target.js';
import type { Identified } from './writers/record-writer.js';

/** What is exported (deployment, query, shape), where to, and who is told of it. */
export interface ExportOptions extends RunOptions {
  readonly shape: Shape;
  readonly target: string;
  readonly deployment: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Whatever else decides the bytes of the file: `{ offset: 20 }`. */
  readonly extra?: Readonly<Record<string, Json>> | undefined;
  readonly split?: number | undefined;
  /** Whether a description of the data is written beside it; one that lies there is written anew in any case. */
  readonly describe?: boolean | undefined;
  readonly resume?: boolean | undefined;
  /** Milliseconds to wait for another run. Default 0. */
  readonly waitLock?: number | undefined;
  readonly onLockWait?: ((error: OpacError) => void) | undefined;
  readonly onStart?: ((prior: PriorRun) => void) | undefined;
  /** Whether to resume a part of the same job without `resume`; else the part is kept until the new run has more. */
  readonly onUnfinished?: ((unfinished: Unfinished) => Promise<boolean>) | undefined;
  /** Told before the file is replaced; the outcome has the warning too. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** A changed total, ids not found, bytes that are not UTF-8 and fewer than half of the records before make the export incomplete. */
  readonly strict?: boolean | undefined;
  /**
   * As the user gave it, without secrets, for the manifest and hints. Undefined where nobody can resume: errors stay as they
   * are.
   */
  readonly command: string | undefined;
}

/** What lies on the disk after an export; `complete` is false when anything is missing. */
export interface ExportOutcome extends Completeness {
  readonly complete: boolean;
  readonly files: readonly string[];
  readonly manifestPath: string;
  readonly manifest: Manifest;
  /** The description, if there is one. */
  readonly description: string | undefined;
}

/**
 * Only a complete export replaces `target`; an incomplete one is written to `<name>.incomplete.<…>`. Throws a UsageError for
 * invalid options, an OpacError of kind `locked` for a target that another run writes. A run that ends early throws with a
 * hint that names the part: `interrupted` after an abort, `auth` for credentials, else `incomplete`. Before any record is
 * kept, errors stay as they are; before the files are open, a wrong path is `internal`, a failed disk `incomplete`.
 */
export async function exportRecords(options: ExportOptions): Promise<ExportOutcome> {
  const { command } = options;
  const shape = checkShape(options.shape);
  const target = targetOf(options.target, options.split);
  const spec = specOf(options, shape);
  await checkTarget(target);
  if (options.describe) await checkDescription(target.path);
  try {
    return await exportInto(target, spec, shape, options);
  } catch (error) {
    if (!(error instanceof FileError) || command === undefined) throw error;
    throw openError(error, await keptBefore(target, spec), command);
  }
}

async function exportInto(
  target: Target,
  spec: ExportSpec,
  shape: CheckedShape,
  options: ExportOptions,
): Promise<ExportOutcome> {
  const lock = await takeLock(target.lock, target.path, {
    within: options.waitLock,
    signal: options.signal,
    onWait: options.onLockWait,
    advice: 'use --wait-lock, choose another file, or ',
  });
  try {
    await keepLarger(target);
    const { checkpoint, older } = await priorRun(target, spec, options);
    const finished = checkpoint && (await recoverFinished(target, checkpoint, options.signal));
    if (finished) return outcomeOf({ manifest: finished, path: target.path }, options);
    const found = checkpoint?.columns ?? (await columnsBefore(target, spec, shape));
    return await FORMATS[shape.format].withWriter(shape, found, (writer) =>
      runExport({ writer, target, spec, kind: shape.kind, options, checkpoint, older }, options),
    );
  } finally {
    await lock.release();
  }
}

/** The checkpoint to resume from, and the number of records of a part that was set aside. */
async function priorRun(
  target: Target,
  spec: ExportSpec,
  { resume, onUnfinished, onStart }: ExportOptions,
): Promise<Pick<RunSetup<Identified>, 'checkpoint' | 'older'>> {
  const { started, tally } = (resume ? undefined : await sameJob(target, spec)) ?? {};
  const unfinished = started !== undefined &&
    tally &&
    tally.written > 0 && { records: tally.written, started };
  const isResumed = resume || (unfinished && (await onUnfinished?.(unfinished))) || false;
  const checkpoint = isResumed ? await readCheckpoint(target.checkpoint, spec) : undefined;
  const discarded = checkpoint ? 0 : await recordsLeft(target.checkpoint);
  onStart?.({ resumed: checkpoint?.tally.written, discarded });
  if (isResumed || !unfinished) return { checkpoint, older: 0 };
  await setAside(target);
  return { checkpoint, older: unfinished.records };
}

async function sameJob(target: Target, spec: ExportSpec) {
  return (await exists(target.part))
    ? readCheckpoint(target.checkpoint, spec).catch(() => undefined)
    : undefined;
}

function specOf(
  { deployment, query, split, extra }: ExportOptions,
  { dialect, kind, format, columns, multi, multiTogether, excel, flat, sqlNames, plainText }: CheckedShape,
): ExportSpec {
  const withColumns = FORMATS[format].takesColumns && {
    columns: columns ?? 'found',
    ...(sqlNames && { sqlNames }),
  };
  const forTables = dialect && {
    multi: [multi ?? 'join', ...(multiTogether ?? [])].join(','),
    excel: excel ?? false,
  };
  return {
    deployment,
    kind,
    query,
    format,
    flat: flat ?? false,
    ...withColumns,
    ...forTables,
    ...(plainText && { plainText }),
    split: split ?? 0,
    ...extra,
  };
}

async function keptBefore(target: Target, spec: ExportSpec): Promise<Kept | undefined> {
  const checkpoint = await readCheckpoint(target.checkpoint, spec).catch(() => undefined);
  return keptOf(checkpoint?.tally.written ?? 0, target);
}

async function runExport<R extends Identified>(
  setup: RunSetup<R>,
  options: ExportOptions,
): Promise<ExportOutcome> {
  const run = await ExportRun.open(setup);
  try {
    const result = await run.takePages();
    // Saves the end, so that no page is lost from here on.
    await run.checkpoint();
    return await finish(setup, run, result, options);
  } catch (error) {
    await keepLarger(setup.target).catch(() => undefined);
    const kept = await keptOf(Math.max(run.saved, await recordsLeft(setup.target.checkpoint)), setup.target);
    if (!kept) await removeTraces(setup.target).catch(() => undefined);
    throw options.command === undefined ? error : runError(error, kept, options.command);
  } finally {
    await run.close();
  }
}

async function finish<R extends Identified>(
  { writer, target, spec, checkpoint }: RunSetup<R>,
  { part, started }: ExportRun<R>,
  result: RunResult,
  options: ExportOptions,
): Promise<ExportOutcome> {
  const { command = '', strict = false, signal, onWarning } = options;
  const before = await recordsBefore(target);
  const { reasons, warnings } = assessCompleteness({ ...result, before }, strict);
  const age = checkpoint && ageWarning(checkpoint, Date.now());
  if (age !== undefined) warnings.push(age);
  for (const warning of warnings) onWarning?.(warning);
  const complete = reasons.length === 0;
  const hasRows = String(spec.multi).startsWith('rows');
  const { tally, report } = result;
  const manifestOf = (files: readonly ManifestFile[]): Manifest => ({
    format: MANIFEST_FORMAT,
    tool: `opac ${VERSION}`,
    command,
    job: spec,
    complete,
    reasons,
    warnings: [...warnings, ...(writer.losses?.() ?? [])],
    files,
    started,
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
    rows: hasRows ? result.rows : undefined,
    duplicates: tally.duplicates,
    withoutId: tally.withoutId,
    replaces: before,
    gaps: report.gaps.map((gap) => ({ offset: gap.offset, limit: gap.limit, reason: gapText(gap) })),
    notFound: result.notFound,
    notUtf8: result.notUtf8,
    columns: result.columns,
    heads: headsBeside(result.columns, writer.table?.heads()),
    formulas: result.formulas,
    pages: result.pages,
    plan: result.plan,
  });
  const { manifest, path } = await finishFiles({
    writer,
    target,
    part,
    result,
    complete,
    hasRows,
    signal,
    manifestOf,
  });
  return outcomeOf({ manifest, path, fields: writer.fields?.() }, options);
}

/** The records of the export that stands at the target, as its manifest says. */
async function recordsBefore({ path, folder }: Target): Promise<number> {
  const manifest = await readManifest(manifestPath(path)).catch(() => undefined);
  const [first] = manifest?.files ?? [];
  return first && (await exists(join(folder, first.name))) ? (manifest?.records ?? 0) : 0;
}

async function outcomeOf(made: Described, { describe = false }: ExportOptions): Promise<ExportOutcome> {
  const { manifest, path } = made;
  return {
    complete: manifest.complete,
    reasons: manifest.reasons,
    warnings: manifest.warnings,
    files: manifest.files.map(({ name }) => join(dirname(path), name)),
    manifestPath: manifestPath(path),
    manifest,
    description: manifest.complete ? await describeFiles(made, describe) : undefined,
  };
}
