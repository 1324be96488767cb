/** Exports the records of a source into a file, for commands and programs. */
import { dirname, join } from 'node:path';
import type { PageRecord } from '../records/json/page-records.js';
import type { OpacError } from '../service/errors.js';
import type { Json } from '../service/json.js';
import { VERSION } from '../service/version.js';
import { exists } from '../system/error-code.js';
import { FileError } from '../system/file-error.js';
import { takeLock } from '../system/lock.js';
import {
  type Checkpoint,
  type PriorRun,
  readCheckpoint,
  recordsLeft,
  type Unfinished,
} from './collect/checkpoint.js';
import { ExportRun, type RunOptions, type RunResult, type RunSetup } from './collect/export-run.js';
import { type Kept, keptOf, openError, runError } from './collect/run-errors.js';
import { checkShape } from './convert/check-shape.js';
import type { Converter } from './convert/converter.js';
import { type CheckedShape, FORMATS, type Shape } from './convert/formats.js';
import { checkDescription, type Described, describeFiles } from './describe.js';
import type { CollectSpec, ExportSpec } from './export-spec.js';
import { finishFiles, isSameJob, recoverFinished } from './finish.js';
import { checkTarget, manifestPath, removeTraces, type Target, targetOf } from './target.js';
import { checkIds, type IdCheck } from './verify/check-ids.js';
import { columnsBefore } from './verify/columns-before.js';
import {
  ageWarning,
  assessCompleteness,
  type Completeness,
  gapText,
  needsIdCheck,
} from './verify/completeness.js';
import {
  headsBeside,
  MANIFEST_FORMAT,
  type Manifest,
  type ManifestFile,
  readManifest,
} from './verify/manifest.js';
import { hasMoved } from './verify/resumed-at.js';

/** What is exported (deployment, query, shape), where to, and who is told of it. */
export interface ExportOptions extends RunOptions {
  readonly shape: Shape;
  readonly target: string;
  readonly deployment: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Whatever else decides which records are collected: `{ offset: 20 }`. */
  readonly extra?: Readonly<Record<string, Json>> | undefined;
  readonly split?: number | undefined;
  /** Whether a description of the data is written beside it; one that lies there is written anew in any case. */
  readonly describe?: boolean | undefined;
  /** Continues an unfinished run of the same export without asking. */
  readonly resume?: boolean | undefined;
  /** Discards an unfinished run: with `resume` only that of another export. */
  readonly force?: boolean | undefined;
  /** Milliseconds to wait for another run. Default 0. */
  readonly waitLock?: number | undefined;
  readonly onLockWait?: ((error: OpacError) => void) | undefined;
  readonly onStart?: ((prior: PriorRun) => void) | undefined;
  /** Asked without `resume` whether to continue an unfinished run of the same export; its records are discarded otherwise. Default yes. */
  readonly onUnfinished?: ((unfinished: Unfinished) => Promise<boolean>) | undefined;
  /** Told before the file is replaced; the outcome has the warning too. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Lists all ids at the end in any case. A total that changed unchecked, ids not found, bytes that are not UTF-8 and fewer than half of the records before make the export incomplete. */
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
  const job = collectSpecOf(options);
  await checkTarget(target);
  if (options.describe) await checkDescription(target.path);
  try {
    return await exportInto(target, job, shape, options);
  } catch (error) {
    if (!(error instanceof FileError) || command === undefined) throw error;
    throw openError(error, await keptBefore(target, job), command);
  }
}

async function exportInto(
  target: Target,
  job: CollectSpec,
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
    const spec = exportSpecOf(job, shape, options);
    let checkpoint = await priorRun(target, job, options);
    const finished = checkpoint && (await recoverFinished(target, checkpoint, options.signal));
    if (finished && isSameJob(finished, spec))
      return outcomeOf({ manifest: finished, path: target.path }, options);
    if (finished || !(options.resume || (await exists(target.part)))) checkpoint = undefined;
    const columns = await columnsBefore(target, spec, shape);
    const converter = await FORMATS[shape.format].converter(shape, columns);
    const { command } = options;
    return await runExport(
      { target, job, command, kind: shape.kind, options, checkpoint },
      spec,
      converter,
      options,
    );
  } finally {
    await lock.release();
  }
}

/** The checkpoint to resume from. Throws a UsageError for that of another export, which only `force` discards. */
async function priorRun(
  target: Target,
  job: CollectSpec,
  { resume = false, force = false, command, onUnfinished, onStart }: ExportOptions,
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

function collectSpecOf({ deployment, shape, query, extra }: ExportOptions): CollectSpec {
  return { deployment, kind: shape.kind, query, ...extra };
}

function exportSpecOf(
  { deployment, kind, query, ...extra }: CollectSpec,
  { dialect, format, columns, multi, multiTogether, excel, flat, sqlNames, plainText }: CheckedShape,
  { split }: ExportOptions,
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

async function keptBefore(target: Target, job: CollectSpec): Promise<Kept | undefined> {
  const checkpoint = await readCheckpoint(target.checkpoint, job).catch(() => undefined);
  return keptOf(checkpoint?.tally.written ?? 0, target);
}

async function runExport(
  setup: RunSetup,
  spec: ExportSpec,
  converter: Converter,
  options: ExportOptions,
): Promise<ExportOutcome> {
  const run = await ExportRun.open(setup);
  try {
    const moved = await warningOfMove(setup, run, options);
    const pages = await run.takePages();
    // Saves the end, so that no page is lost from here on.
    await run.checkpoint();
    const { result, idCheck } = await verified(run, pages, options);
    return await finish({ ...setup, spec, converter, run, result, idCheck, moved }, options);
  } catch (error) {
    const kept = await keptOf(Math.max(run.saved, await recordsLeft(setup.target.checkpoint)), setup.target);
    if (!kept) await removeTraces(setup.target).catch(() => undefined);
    throw options.command === undefined ? error : runError(error, kept, options.command);
  } finally {
    await run.close();
  }
}

/** A resumed run begins at an offset, where other records may stand by now. */
async function warningOfMove(
  { checkpoint }: RunSetup,
  { lastIds: ids }: ExportRun,
  { source, signal }: ExportOptions,
): Promise<readonly string[]> {
  const offset = checkpoint?.pages.at(-1)?.[0];
  if (!source.search || offset === undefined || checkpoint?.plan) return [];
  return (await hasMoved(source.search, { offset, ids }, signal))
    ? ['records moved while the export was stopped']
    : [];
}

/** The result after its ids were compared with those of the service, where that is due. */
async function verified(
  run: ExportRun,
  result: RunResult,
  { source, signal = new AbortController().signal, strict = false }: ExportOptions,
): Promise<{ readonly result: RunResult; readonly idCheck: IdCheck | undefined }> {
  const { search, isWanted } = source;
  if (!search || !needsIdCheck(result, strict)) return { result, idCheck: undefined };
  const { plan } = result;
  const append = (records: readonly PageRecord[]) => run.append(records);
  const idCheck = await checkIds({
    search,
    plan,
    isWanted,
    seen: run.seen,
    ids: () => run.ids(),
    append,
    signal,
  });
  await run.checkpoint();
  return { result: { ...result, tally: { ...result.tally, written: run.count } }, idCheck };
}

interface Collected extends RunSetup {
  readonly idCheck: IdCheck | undefined;
  readonly moved: readonly string[];
  readonly spec: ExportSpec;
  readonly converter: Converter;
  readonly run: ExportRun;
  readonly result: RunResult;
}

async function finish(
  { converter, target, spec, checkpoint, run, result, idCheck, moved }: Collected,
  options: ExportOptions,
): Promise<ExportOutcome> {
  const { command = '', strict = false, signal, onWarning } = options;
  const { started } = run;
  const before = await recordsBefore(target);
  const checked = idCheck && { ...idCheck, dropped: idCheck.dropped.size };
  const { reasons, warnings } = assessCompleteness({ ...result, idCheck: checked, before }, strict);
  warnings.unshift(...moved);
  const age = checkpoint && ageWarning(checkpoint.started, Date.now());
  if (age !== undefined) warnings.push(age);
  for (const warning of warnings) onWarning?.(warning);
  const complete = reasons.length === 0;
  const hasRows = String(spec.multi).startsWith('rows');
  const { tally, report } = result;
  const records = tally.written - (checked?.dropped ?? 0);
  const manifestOf = (files: readonly ManifestFile[]): Manifest => ({
    format: MANIFEST_FORMAT,
    tool: `opac ${VERSION}`,
    command,
    job: spec,
    complete,
    reasons,
    warnings: [...warnings, ...(converter.losses?.() ?? [])],
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
    records,
    rows: hasRows ? converter.table?.rows() : undefined,
    duplicates: tally.duplicates,
    withoutId: tally.withoutId,
    replaces: before,
    gaps: report.gaps.map((gap) => ({ offset: gap.offset, limit: gap.limit, reason: gapText(gap) })),
    notFound: result.notFound,
    idCheck: checked,
    notUtf8: result.notUtf8,
    columns: converter.table?.columns() ?? [],
    heads: headsBeside(converter.table?.columns() ?? [], converter.table?.heads()),
    fields: converter.fields?.(),
    formulas: converter.table?.formulas() ?? 0,
    pages: result.pages,
    plan: result.plan,
  });
  const { manifest, path } = await finishFiles({
    converter,
    target,
    part: run.part,
    records,
    dropped: idCheck?.dropped ?? new Set(),
    complete,
    hasRows,
    signal,
    manifestOf,
  });
  return outcomeOf({ manifest, path }, options);
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
