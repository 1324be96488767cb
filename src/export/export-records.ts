/** Exports the records of a source into files, for commands and programs: collects them, verifies them, converts them. */
import { dirname, join, resolve } from 'node:path';
import { type OpacError, UsageError } from '../service/errors.js';
import type { Json } from '../service/json.js';
import { exists } from '../system/error-code.js';
import { FileError } from '../system/file-error.js';
import { type Lock, takeLock } from '../system/lock.js';
import { readCheckpoint, recordsLeft } from './collect/checkpoint.js';
import { ExportRun, type RunOptions, type RunSetup } from './collect/export-run.js';
import { type Kept, keptOf, openError, runError } from './collect/run-errors.js';
import { checkShape } from './convert/check-shape.js';
import { type CheckedShape, FORMATS, type Shape } from './convert/formats.js';
import { checkDescription, describeFiles } from './describe.js';
import type { CollectSpec, ExportSpec } from './export-spec.js';
import { manifestOf } from './manifest-of.js';
import { findHome, findPriorRun, type PriorRunOptions } from './prior-run.js';
import { checkTarget, manifestPath, removeTraces, type Target, targetOf } from './target.js';
import { columnsBefore } from './verify/columns-before.js';
import { ageWarning, assessCompleteness, type Completeness } from './verify/completeness.js';
import { type Manifest, readManifest } from './verify/manifest.js';
import { type Verified, verifyRun, warningOfMove } from './verify-run.js';
import { type Output, recoverOutputs, type WrittenOutput, writeOutputs } from './write-outputs.js';

/** A file, and what is written to it. */
export interface ExportFile {
  readonly target: string;
  readonly shape: Shape;
}

/** What is exported (deployment, query, shape), where to, and who is told of it. */
export interface ExportOptions extends ExportFile, RunOptions, PriorRunOptions {
  /** Further files of the same records, with the kind of the first. */
  readonly also?: readonly ExportFile[] | undefined;
  readonly deployment: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Whatever else decides which records are collected: `{ offset: 20 }`. */
  readonly extra?: Readonly<Record<string, Json>> | undefined;
  /** The most records of a file. */
  readonly split?: number | undefined;
  /** Whether a description of the data is written beside it; one that lies there is written anew in any case. */
  readonly describe?: boolean | undefined;
  /** Milliseconds to wait for another run. Default 0. */
  readonly waitLock?: number | undefined;
  readonly onLockWait?: ((error: OpacError) => void) | undefined;
  /** Told before the file is replaced; the outcome has the warning too. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Lists all ids at the end in any case. A total that changed unchecked, ids not found, bytes that are not UTF-8 and fewer than half of the records before make the export incomplete. */
  readonly strict?: boolean | undefined;
  /** Lists all ids at the end in any case, and is not strict otherwise. */
  readonly alwaysChecksIds?: boolean | undefined;
}

/** One output on the disk. */
export interface ExportedFiles {
  readonly files: readonly string[];
  readonly manifestPath: string;
  readonly manifest: Manifest;
  /** The description, if there is one. */
  readonly description: string | undefined;
}

/** What lies on the disk after an export; `complete` is false when anything is missing. The first output, and all of them. */
export interface ExportOutcome extends Completeness, ExportedFiles {
  readonly complete: boolean;
  readonly outputs: readonly ExportedFiles[];
}

/**
 * Only a complete export replaces its targets; an incomplete one is written to `<name>.incomplete.<…>`. Throws a UsageError for
 * invalid options, an OpacError of kind `locked` for a target that another run writes. A run that ends early throws with a
 * hint that names the part: `interrupted` after an abort, `auth` for credentials, else `incomplete`. Before any record is
 * kept, errors stay as they are; before the files are open, a wrong path is `internal`, a failed disk `incomplete`.
 */
export async function exportRecords(options: ExportOptions): Promise<ExportOutcome> {
  const { command, describe, deployment, shape, query, extra } = options;
  const job: CollectSpec = { deployment, kind: shape.kind, query, ...extra };
  const outputs = checkedOutputs(options);
  for (const { target } of outputs) {
    await checkTarget(target);
    if (describe) await checkDescription(target.path);
  }
  try {
    return await exportInto(outputs, job, options);
  } catch (error) {
    if (!(error instanceof FileError) || command === undefined) throw error;
    const home = await findHome(outputs);
    throw openError(error, await keptBefore(home, job), command);
  }
}

interface CheckedOutput {
  readonly target: Target;
  readonly shape: CheckedShape;
}

/** Throws a UsageError for options that exclude each other, and for two outputs with one name. */
function checkedOutputs({ target, shape, also = [], split }: ExportOptions): readonly CheckedOutput[] {
  const outputs = [{ target, shape }, ...also];
  const paths = outputs.map((output) => resolve(output.target));
  const repeated = outputs.find((_, n) => paths.indexOf(paths[n] as string) < n);
  if (repeated) throw new UsageError(`"${repeated.target}" is named twice`, 'name each file once');
  return outputs.map((output) => ({
    target: targetOf(output.target, split),
    shape: checkShape(output.shape),
  }));
}

async function exportInto(
  checked: readonly CheckedOutput[],
  job: CollectSpec,
  options: ExportOptions,
): Promise<ExportOutcome> {
  const { signal, command, resume = false } = options;
  const locks = await takeLocks(checked, options);
  try {
    const home = await findHome(checked);
    const outputs = checked.map((output) => ({ ...output, spec: exportSpecOf(job, output) }));
    let checkpoint = await findPriorRun(home, job, options);
    if (checkpoint) {
      const { written, isMoved } = await recoverOutputs(outputs, home, checkpoint, signal);
      if (written) return outcomeOf(written, options);
      if (isMoved || !(resume || (await exists(home.part)))) checkpoint = undefined;
    }
    const withConverters: Output[] = [];
    for (const { target, shape, spec } of outputs) {
      const columns = await columnsBefore(target, spec, shape);
      withConverters.push({ target, spec, converter: await FORMATS[shape.format].converter(shape, columns) });
    }
    const { kind } = options.shape;
    return await runExport(
      { target: home, job, command, kind, options, checkpoint },
      withConverters,
      options,
    );
  } finally {
    await releaseLocks(locks);
  }
}

/** In the order of their names: two runs with the same files must not wait for each other. */
async function takeLocks(
  outputs: readonly CheckedOutput[],
  { waitLock, signal, onLockWait }: ExportOptions,
): Promise<readonly Lock[]> {
  const locks: Lock[] = [];
  try {
    const targets = outputs.map(({ target }) => target).toSorted((a, b) => (a.lock < b.lock ? -1 : 1));
    for (const { lock, path } of targets) {
      const advice = 'use --wait-lock, choose another file, or ';
      locks.push(await takeLock(lock, path, { within: waitLock, signal, onWait: onLockWait, advice }));
    }
  } catch (error) {
    await releaseLocks(locks);
    throw error;
  }
  return locks;
}

async function releaseLocks(locks: readonly Lock[]): Promise<void> {
  for (const lock of locks) await lock.release();
}

function exportSpecOf(
  { deployment, kind, query, ...extra }: CollectSpec,
  { shape, target }: CheckedOutput,
): ExportSpec {
  const { dialect, format, columns, multi, excel, flat, sqlNames, plainText } = shape;
  const withColumns = FORMATS[format].takesColumns && {
    columns: columns ?? 'found',
    ...(sqlNames && { sqlNames }),
  };
  const forTables = dialect && {
    multi: multi ?? 'join',
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
    split: target.split ?? 0,
    ...extra,
  };
}

async function keptBefore(target: Target, job: CollectSpec): Promise<Kept | undefined> {
  const checkpoint = await readCheckpoint(target.checkpoint, job).catch(() => undefined);
  return keptOf(checkpoint?.tally.written ?? 0, target);
}

async function runExport(
  setup: RunSetup,
  outputs: readonly Output[],
  options: ExportOptions,
): Promise<ExportOutcome> {
  const run = await ExportRun.open(setup);
  try {
    const moved = await warningOfMove(setup, run);
    const pages = await run.takePages();
    // Saves the end, so that no page is lost from here on.
    await run.checkpoint();
    const { strict = false, alwaysChecksIds = strict } = options;
    const verified = await verifyRun(run, pages, options, alwaysChecksIds);
    return await convert({ setup, run, outputs, verified, moved }, options);
  } catch (error) {
    const kept = await keptOf(Math.max(run.saved, await recordsLeft(setup.target.checkpoint)), setup.target);
    if (!kept) await removeTraces(setup.target).catch(() => undefined);
    throw options.command === undefined ? error : runError(error, kept, options.command);
  } finally {
    await run.close();
  }
}

interface VerifiedRun {
  readonly setup: RunSetup;
  readonly run: ExportRun;
  readonly outputs: readonly Output[];
  readonly verified: Verified;
  readonly moved: readonly string[];
}

async function convert(
  { setup, run, outputs, verified, moved }: VerifiedRun,
  options: ExportOptions,
): Promise<ExportOutcome> {
  const { command = '', strict = false, signal, onWarning } = options;
  const { result } = verified;
  const idCheck = verified.idCheck && { ...verified.idCheck, dropped: verified.idCheck.dropped.size };
  const replaced = new Map<Output, number>();
  for (const output of outputs) replaced.set(output, await recordsBefore(output.target));
  const before = Math.max(...replaced.values());
  const { reasons, warnings } = assessCompleteness({ ...result, idCheck, before }, strict);
  warnings.unshift(...moved);
  const age = setup.checkpoint && ageWarning(setup.checkpoint.started, Date.now());
  if (age !== undefined) warnings.push(age);
  for (const warning of warnings) onWarning?.(warning);
  const records = result.tally.written - (idCheck?.dropped ?? 0);
  const facts = { command, started: run.started, reasons, warnings, result, idCheck, records };
  const collected = {
    home: setup.target,
    part: run.part,
    records,
    dropped: verified.idCheck?.dropped ?? new Set<number>(),
    complete: reasons.length === 0,
    signal,
  };
  const written = await writeOutputs(outputs, collected, (output, files) =>
    manifestOf(facts, output, files, replaced.get(output) ?? 0),
  );
  return outcomeOf(written, options);
}

/** The records of the export that stands at the target, as its manifest says. */
async function recordsBefore({ path, folder }: Target): Promise<number> {
  const manifest = await readManifest(manifestPath(path)).catch(() => undefined);
  const [first] = manifest?.files ?? [];
  return first && (await exists(join(folder, first.name))) ? (manifest?.records ?? 0) : 0;
}

async function outcomeOf(
  written: readonly WrittenOutput[],
  { describe = false }: ExportOptions,
): Promise<ExportOutcome> {
  const outputs: ExportedFiles[] = [];
  for (const { manifest, path } of written) {
    outputs.push({
      files: manifest.files.map(({ name }) => join(dirname(path), name)),
      manifestPath: manifestPath(path),
      manifest,
      description: manifest.complete ? await describeFiles({ manifest, path }, describe) : undefined,
    });
  }
  const [first] = outputs as [ExportedFiles];
  const { complete, reasons } = first.manifest;
  const warnings = new Set(outputs.flatMap(({ manifest }) => manifest.warnings));
  return { ...first, complete, reasons, warnings: [...warnings], outputs };
}
