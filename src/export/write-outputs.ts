/** Converts the partial file to the finished files and their manifests. Replaces each file completely or not at all. */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../service/errors.js';
import { formatNumber } from '../service/format-numbers.js';
import { VERSION } from '../service/version.js';
import type { AppendFile } from '../system/append-file.js';
import { pathExists } from '../system/error-code.js';
import { syncFolder } from '../system/folders.js';
import { copyToNewFile, moveIntoPlace, readMode, replaceFile, writeNewFile } from '../system/replace-file.js';
import type { RunResult } from './collect/export-run.js';
import { type Lines, readRecords, splitLines } from './collect/partial-file.js';
import type { Converter } from './convert/converter.js';
import type { ExportJob } from './export-job.js';
import {
  type ExportPaths,
  incompletePath,
  manifestPath,
  pendingManifestPath,
  removeFile,
  removePartialExport,
  splitPath,
} from './export-paths.js';
import { assertReplaceable, findOldFiles } from './verify/assert-replaceable.js';
import { type Completeness, formatGap, getResumeBlockedHint } from './verify/completeness.js';
import {
  getChangedHeaders,
  MANIFEST_FORMAT,
  MAX_FILES,
  type Manifest,
  type ManifestFile,
  type ManifestIdCheck,
  readManifest,
  serializeManifest,
} from './verify/manifest.js';

export interface Output {
  readonly target: ExportPaths;
  readonly spec: ExportJob;
  readonly converter: Converter;
  /** The number of records of the earlier export at the target; 0 without an earlier export of the same kind. */
  readonly replaces: number;
}

/** If `reasons` is not empty, the names of the files contain `.incomplete`. */
export interface CollectedExport extends Completeness {
  readonly command: string;
  /** The start time of the first run, in ISO 8601. */
  readonly started: string;
  readonly result: RunResult;
  readonly idCheck: ManifestIdCheck | undefined;
  /** The target with the partial file and the checkpoint. */
  readonly mainPaths: ExportPaths;
  readonly partialFile: AppendFile;
  /** The number of collected records without the records in `dropped`. */
  readonly records: number;
  /** Line numbers in the partial file, counted from 0, of the records that the service no longer lists. */
  readonly dropped: ReadonlySet<number>;
  readonly signal?: AbortSignal | undefined;
  /** Throws an OpacError if another run took over a lock of this export. */
  readonly assertHeld: () => void;
  /** Whether to replace files that opac did not write or that somebody edited. */
  readonly force: boolean;
  /** Whether values that the format cannot contain make the export incomplete. */
  readonly strict: boolean;
}

export interface WrittenOutput {
  /** `objects.csv`, or `objects.incomplete.csv` for an incomplete export. Split files have this name and a number. */
  readonly path: string;
  readonly manifest: Manifest;
}

export interface WrittenOutputs extends Pick<Completeness, 'isOnlyStrict'> {
  readonly outputs: readonly WrittenOutput[];
}

interface NewFile extends Omit<ManifestFile, 'name'> {
  /** The temporary path. */
  readonly from: string;
}

interface WrittenFile extends NewFile, ManifestFile {
  readonly path: string;
}

interface MadeOutput extends WrittenOutput {
  readonly target: ExportPaths;
  readonly files: readonly WrittenFile[];
}

/**
 * Replaces the files of `mainPaths` last, because opac can resume a killed run until their manifest is replaced. Throws an
 * OpacError if the disk fails or another run took over a lock, and a UsageError for files that the export must not replace.
 */
export async function writeOutputs(
  outputs: readonly Output[],
  collected: CollectedExport,
): Promise<WrittenOutputs> {
  const { mainPaths, assertHeld, force, signal } = collected;
  const created: NewFile[][] = [];
  for (const output of outputs) {
    const files = await createFiles(output, collected).catch(async (error) => {
      await removeNewFiles(created.flat());
      throw error;
    });
    created.push(files);
  }
  const losses = new Set(outputs.flatMap(({ converter }) => converter.losses?.() ?? []));
  const reasons = collected.strict ? [...collected.reasons, ...losses] : collected.reasons;
  const complete = reasons.length === 0;
  const isOnlyStrict = collected.isOnlyStrict || (collected.reasons.length === 0 && !complete);
  const made = outputs.map((output, n): MadeOutput => {
    const path = complete ? output.target.path : incompletePath(output.target.path);
    const files = nameFiles(created[n] ?? [], output.target, path);
    return {
      target: output.target,
      path,
      files,
      manifest: createManifest(output, { ...collected, reasons }, files),
    };
  });
  const old = new Map<string, readonly string[]>();
  try {
    const written = made.flatMap(({ files }) => files.map((file) => file.path));
    for (const { path, files } of made) {
      old.set(path, await findOldFiles(path, written, signal));
      const replaced = [...files.map((file) => file.path), ...(old.get(path) ?? [])];
      if (!force) await assertReplaceable(path, replaced, signal);
    }
    assertHeld();
  } catch (error) {
    await removeNewFiles(made.flatMap(({ files }) => files));
    throw error;
  }
  for (const output of made) if (output.target !== mainPaths) await putInPlace(output, old.get(output.path));
  for (const output of made) if (output.target === mainPaths) await putInPlace(output, old.get(output.path));
  for (const { manifest, target } of made) if (complete) await removeIncomplete(target, manifest, signal);
  const isBlocked = made.some(
    ({ manifest }) => getResumeBlockedHint(manifest, { isOnlyStrict }) !== undefined,
  );
  // The export is already written, so a failure does not matter.
  if (complete || isBlocked) await removePartialFiles(mainPaths, made).catch(() => undefined);
  return { outputs: made, isOnlyStrict };
}

/** Also removes the partial file of a run that was killed before its first checkpoint, if the run named the files in another order. */
async function removePartialFiles(mainPaths: ExportPaths, outputs: readonly MadeOutput[]): Promise<void> {
  await removePartialExport(mainPaths);
  for (const { target } of outputs)
    if (!(await pathExists(target.checkpoint))) await removeFile(target.partialFile);
}

async function createFiles(
  { converter, target, spec }: Output,
  { partialFile, records, dropped, signal }: CollectedExport,
): Promise<NewFile[]> {
  const { split = Number.POSITIVE_INFINITY } = target;
  const all: Lines = { path: partialFile.path, start: 0, end: partialFile.bytes, dropped };
  const files = target.split === undefined ? [all] : await splitLines(all, split);
  if (files.length > MAX_FILES)
    throw new UsageError(
      `--split would write more than ${formatNumber(MAX_FILES)} files`,
      'use a larger number',
    );
  await converter.scan?.(readRecords(all), files.length);
  const made: NewFile[] = [];
  for (const [n, lines] of files.entries()) {
    const name = target.split === undefined ? target.path : splitPath(target.path, n + 1);
    const from = `${name}.part.new`;
    const rowsBefore = converter.table?.rows() ?? 0;
    try {
      const { compression } = target;
      const options = { mode: await readMode(name), signal };
      const isCopy = converter.keepsLines && !compression && files.length === 1 && dropped.size === 0;
      const digest = isCopy
        ? await copyToNewFile(partialFile, from, options)
        : await writeNewFile(from, converter.convert(readRecords(lines)), { ...options, compression });
      made.push({
        from,
        ...digest,
        records: Math.min(split, records - made.reduce((sum, file) => sum + file.records, 0)),
        rows: hasRows(spec) ? (converter.table?.rows() ?? 0) - rowsBefore : undefined,
      });
    } catch (error) {
      await removeNewFiles([{ from }, ...made]);
      throw error;
    }
  }
  return made;
}

function nameFiles(files: readonly NewFile[], { split }: ExportPaths, path: string): WrittenFile[] {
  return files.map((file, n) => {
    const named = split === undefined ? path : splitPath(path, n + 1);
    return { path: named, name: basename(named), ...file };
  });
}

function hasRows({ multi }: ExportJob): boolean {
  return String(multi).startsWith('rows');
}

function createManifest(
  { spec, converter, replaces }: Output,
  { command, started, reasons, warnings, result, idCheck, records, strict }: CollectedExport,
  files: readonly WrittenFile[],
): Manifest {
  const { report, pages, plan, notFound, notUtf8 } = result;
  const { drift, elapsed, resumed, received, duplicates, withoutId, stubs, excluded } = result.tally;
  const { table } = converter;
  const columns = table?.columns() ?? [];
  return {
    format: MANIFEST_FORMAT,
    tool: `opac ${VERSION}`,
    command,
    job: spec,
    complete: reasons.length === 0,
    reasons,
    warnings: [
      ...warnings,
      ...(strict ? [] : (converter.losses?.() ?? [])),
      ...(converter.remarks?.() ?? []),
    ],
    files: files.map(({ from: _, path: __, ...file }) => file),
    started,
    finished: new Date().toISOString(),
    elapsed,
    resumed,
    totals: { first: drift[0]?.total ?? null, last: drift.at(-1)?.total ?? null, drift },
    received,
    records,
    rows: hasRows(spec) ? table?.rows() : undefined,
    duplicates,
    withoutId,
    withoutFields: stubs,
    excluded,
    replaces,
    gaps: report.gaps.map((gap) => ({ offset: gap.offset, limit: gap.limit, reason: formatGap(gap) })),
    notFound,
    idCheck,
    notUtf8,
    columns,
    heads: getChangedHeaders(columns, table?.headers()),
    fields: converter.fields?.(),
    formulas: table?.formulas() ?? 0,
    pages,
    plan,
  };
}

/** Frees space on the disk. A resumed run writes the files again. */
async function removeNewFiles(files: readonly Pick<WrittenFile, 'from'>[]): Promise<void> {
  for (const { from } of files) await rm(from, { force: true }).catch(() => undefined);
}

async function putInPlace(
  { target, path, files, manifest }: MadeOutput,
  old: readonly string[] = [],
): Promise<void> {
  const pending = pendingManifestPath(path);
  await replaceFile(pending, serializeManifest(manifest));
  for (const file of files) await moveIntoPlace(file.from, file.path);
  await syncFolder(target.folder);
  // Deletes the old files while the manifest still lists them. If this run is killed, the next run can find the rest of them.
  for (const file of old) await removeFile(file);
  await moveIntoPlace(pending, manifestPath(path));
  await syncFolder(target.folder);
}

/** After a complete export, deletes the files of an incomplete export with the same job, unless somebody edited one of them. */
async function removeIncomplete(
  { path, folder }: ExportPaths,
  complete: Manifest,
  signal: AbortSignal | undefined,
): Promise<void> {
  const incomplete = incompletePath(path);
  const manifest = await readManifest(manifestPath(incomplete)).catch(() => undefined);
  if (!manifest || JSON.stringify(manifest.job) !== JSON.stringify(complete.job)) return;
  // Another user may have created the manifest, so opac deletes only files with names of an incomplete export.
  const ownNames = new Set([incomplete, ...manifest.files.map((_, n) => splitPath(incomplete, n + 1))]);
  const files = manifest.files.map(({ name }) => join(folder, name));
  const isOwn = files.every((file) => ownNames.has(file));
  const isUnchanged = await assertReplaceable(incomplete, files, signal).then(
    () => true,
    () => false,
  );
  if (!isOwn || !isUnchanged) return;
  for (const file of [...files, manifestPath(incomplete)])
    await rm(file, { force: true }).catch(() => undefined);
}
