/** Collects records from a source, verifies them and writes them to files. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { PageRecord } from '../records/json/page-records.js';
import { type OpacError, UsageError } from '../service/errors.js';
import type { Json } from '../service/json.js';
import { FileError } from '../system/file-error.js';
import { acquireLock, type Lock } from '../system/lock.js';
import { ExportRun, type RunOptions, type RunResult, type RunSetup } from './collect/export-run.js';
import { addResumeHint, createOpenError, findPartialExport } from './collect/run-errors.js';
import { resolveFormatOptions } from './convert/format-options.js';
import { FORMATS, type FormatOptions, type ResolvedFormatOptions } from './convert/formats.js';
import { type CollectSpec, createExportJob } from './export-job.js';
import {
  assertNotOwnName,
  assertWritable,
  createExportPaths,
  type ExportPaths,
  getFirstFile,
  manifestPath,
  removePartialExport,
} from './export-paths.js';
import {
  findPriorRun,
  findTargetWithPartialFile,
  type PriorRunOptions,
  readPreviousExport,
} from './previous-run.js';
import { assertReplaceable, assertSameSource, findOldFiles } from './verify/assert-replaceable.js';
import { checkIds, type IdCheck } from './verify/check-ids.js';
import {
  assessCompleteness,
  type Completeness,
  formatAgeWarning,
  needsIdCheck,
} from './verify/completeness.js';
import type { Manifest } from './verify/manifest.js';
import { type CollectedExport, type Output, type WrittenOutputs, writeOutputs } from './write-outputs.js';

export interface ExportFile {
  readonly target: string;
  readonly formatOptions: FormatOptions;
}

export interface ExportOptions extends ExportFile, RunOptions, PriorRunOptions {
  readonly additionalFiles?: readonly ExportFile[] | undefined;
  readonly deployment: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Conditions in addition to the query, for example `{ offset: 20 }`. */
  readonly selection?: Readonly<Record<string, Json>> | undefined;
  /** Maximum number of records per file. */
  readonly split?: number | undefined;
  /** Known reasons why the source lacks records. Each reason makes the export incomplete. */
  readonly sourceReasons?: readonly string[] | undefined;
  /** Milliseconds to wait for another run that writes the same files. Default 0. */
  readonly waitLock?: number | undefined;
  readonly onLockWait?: ((error: OpacError) => void) | undefined;
  readonly onTakeover?: ((message: string) => void) | undefined;
  /** Whether warnings about records that may be missing or damaged make the export incomplete (completeness.ts). */
  readonly strict?: boolean | undefined;
  /**
   * Whether opac compares the collected ids with the ids of the service even if no record seems to have moved. If pages are
   * missing, opac never compares the ids. Default: `strict`.
   */
  readonly alwaysChecksIds?: boolean | undefined;
}

/** The files of one output, and their manifest. */
export interface ExportedFiles {
  readonly files: readonly string[];
  readonly manifestPath: string;
  readonly manifest: Manifest;
}

/** `files` and `manifest` belong to the first output. `outputs` contains the files of all outputs. */
export interface ExportOutcome extends Completeness, ExportedFiles {
  readonly complete: boolean;
  readonly outputs: readonly ExportedFiles[];
}

/**
 * Throws a UsageError for invalid options and for files that the export must not replace. Throws an OpacError of kind `locked` if
 * another run is writing the files, and of kind `internal` for a wrong path. Also throws errors of requests and of the disk. If
 * records were saved and `command` is set, most errors get a hint about resuming.
 */
export async function exportRecords(options: ExportOptions): Promise<ExportOutcome> {
  const { command, deployment, formatOptions, query, selection } = options;
  const job: CollectSpec = { deployment, kind: formatOptions.kind, query, ...selection };
  const outputs = await checkOutputs(options);
  for (const { target } of outputs) await assertWritable(target);
  try {
    return await runExportJob(outputs, job, options);
  } catch (error) {
    if (!(error instanceof FileError) || command === undefined) throw error;
    const targetWithPartialFile = await findTargetWithPartialFile(outputs);
    throw createOpenError(error, await findPartialExport(targetWithPartialFile), command);
  }
}

interface CheckedOutput {
  readonly target: ExportPaths;
  readonly formatOptions: ResolvedFormatOptions;
}

async function checkOutputs({
  target,
  formatOptions,
  additionalFiles = [],
  split,
}: ExportOptions): Promise<readonly CheckedOutput[]> {
  const outputs = [{ target, formatOptions }, ...additionalFiles];
  const paths = await Promise.all(outputs.map((output) => resolveTarget(output.target)));
  const repeated = outputs.find((_, n) => paths.indexOf(paths[n] as string) < n);
  if (repeated) throw new UsageError(`"${repeated.target}" is named twice`, 'name each file only once');
  for (const each of outputs) assertNotOwnName(each.target);
  return outputs.map((output) => ({
    target: createExportPaths(output.target, split),
    formatOptions: resolveFormatOptions(output.formatOptions),
  }));
}

/** Resolves symbolic links in the path of the folder, because two paths may mean the same file. */
async function resolveTarget(target: string): Promise<string> {
  const folder = dirname(resolve(target));
  return join(await realpath(folder).catch(() => folder), basename(target));
}

async function runExportJob(
  checked: readonly CheckedOutput[],
  job: CollectSpec,
  given: ExportOptions,
): Promise<ExportOutcome> {
  const { command, formatOptions } = given;
  const locks = await acquireLocks(checked, given);
  const assertHeld = () => {
    for (const lock of locks) lock.assertHeld();
  };
  const signals = [...locks.map(({ lost }) => lost), ...(given.signal ? [given.signal] : [])];
  const options = { ...given, signal: AbortSignal.any(signals) };
  try {
    if (!options.force)
      for (const { target } of checked) {
        const first = getFirstFile(target);
        const old = await findOldFiles(target.path, [first], options.signal);
        await assertSameSource(target.path, first, job);
        await assertReplaceable(target.path, [first, ...old], options.signal);
      }
    const home = await findTargetWithPartialFile(checked);
    const checkpoint = await findPriorRun(home, job, options);
    const outputs: Output[] = [];
    for (const each of checked) outputs.push(await createOutput(each, job));
    return await runExport(
      { target: home, job, command, kind: formatOptions.kind, options, checkpoint, assertHeld },
      outputs,
      options,
    );
  } finally {
    await releaseLocks(locks);
  }
}

/** Sorts the locks, so that two runs with the same files do not both wait for each other. */
async function acquireLocks(
  outputs: readonly CheckedOutput[],
  { waitLock: timeout, signal, onLockWait: onWait, onTakeover }: ExportOptions,
): Promise<readonly Lock[]> {
  const locks: Lock[] = [];
  try {
    const targets = outputs.map(({ target }) => target).toSorted((a, b) => (a.lock < b.lock ? -1 : 1));
    for (const { lock, path } of targets) {
      const advice = 'use --wait-lock 5m, choose another file, or ';
      locks.push(await acquireLock(lock, path, { timeout, signal, onWait, onTakeover, advice }));
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

async function createOutput({ target, formatOptions }: CheckedOutput, job: CollectSpec): Promise<Output> {
  const spec = createExportJob(job, formatOptions, target.split);
  const { columns, records } = await readPreviousExport(target, spec, formatOptions);
  return {
    target,
    spec,
    replaces: records,
    converter: await FORMATS[formatOptions.format].converter(formatOptions, columns),
  };
}

async function runExport(
  setup: RunSetup,
  outputs: readonly Output[],
  options: ExportOptions,
): Promise<ExportOutcome> {
  const run = await ExportRun.open(setup);
  try {
    const result = await run.writePages();
    // If the process is killed later, a resumed run does not request the last pages again.
    await run.checkpoint();
    const idCheck = await checkIdsOfRun(run, result, options);
    const collected = assessRun({ setup, run, outputs, idCheck }, result, options);
    return createOutcome(await writeOutputs(outputs, collected), collected);
  } catch (error) {
    // If another run took over the lock, the partial file belongs to that run.
    setup.assertHeld();
    const kept = await findPartialExport(setup.target);
    if (!kept) await removePartialExport(setup.target).catch(() => undefined);
    if (options.command === undefined) throw error;
    const hasReceivedRecords = run.count > (setup.checkpoint?.tally.written ?? 0);
    throw addResumeHint(error, kept, options.command, hasReceivedRecords);
  } finally {
    await run.close();
  }
}

async function checkIdsOfRun(
  run: ExportRun,
  result: RunResult,
  { source, strict = false, alwaysChecksIds = strict, signal = new AbortController().signal }: ExportOptions,
): Promise<IdCheck | undefined> {
  const { search, isWanted } = source;
  if (!search || !needsIdCheck(result, alwaysChecksIds)) return undefined;
  const { plan } = result;
  const { seen, onPageRead } = run;
  const ids = () => run.ids();
  const append = (records: readonly PageRecord[]) => run.append(records);
  const idCheck = await checkIds({ search, plan, isWanted, seen, ids, append, onPageRead, signal });
  await run.checkpoint();
  return idCheck;
}

interface CheckedRun {
  readonly setup: RunSetup;
  readonly run: ExportRun;
  readonly outputs: readonly Output[];
  readonly idCheck: IdCheck | undefined;
}

function assessRun(
  { setup, run, outputs, idCheck: check }: CheckedRun,
  pages: RunResult,
  { command = '', strict = false, signal, force = false, sourceReasons = [] }: ExportOptions,
): CollectedExport {
  const result = { ...pages, tally: { ...pages.tally, written: run.count }, notUtf8: run.notUtf8 };
  const { dropped = new Set<number>() } = check ?? {};
  const idCheck = check && { ...check, dropped: dropped.size };
  const before = Math.max(...outputs.map(({ replaces }) => replaces));
  const assessed = assessCompleteness({ ...result, idCheck, before }, strict);
  const { reasons, warnings, repaired } = assessed;
  const age = (setup.checkpoint && formatAgeWarning(setup.checkpoint.started, Date.now())) ?? [];
  return {
    command,
    started: run.started,
    mainPaths: setup.target,
    partialFile: run.partialFile,
    records: run.count - dropped.size,
    dropped,
    reasons: [...sourceReasons, ...reasons],
    warnings: [...warnings, age].flat(),
    repaired: [...repaired, age].flat(),
    isOnlyStrict: assessed.isOnlyStrict && sourceReasons.length === 0,
    result,
    idCheck,
    signal,
    assertHeld: setup.assertHeld,
    force,
    strict,
  };
}

function createOutcome(
  { outputs: written, isOnlyStrict }: WrittenOutputs,
  { repaired }: Pick<Completeness, 'repaired'>,
): ExportOutcome {
  const outputs = written.map(({ manifest, path }) => ({
    files: manifest.files.map(({ name }) => join(dirname(path), name)),
    manifestPath: manifestPath(path),
    manifest,
  }));
  const [first] = outputs as unknown as readonly [ExportedFiles];
  const { complete, reasons } = first.manifest;
  const warnings = new Set(outputs.flatMap(({ manifest }) => manifest.warnings));
  return { ...first, complete, reasons, warnings: [...warnings], repaired, isOnlyStrict, outputs };
}
