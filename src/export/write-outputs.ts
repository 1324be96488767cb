/** Converts the partial file into the finished files and their manifests, and puts each in place whole or not at all. */
import { lstat, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AppendFile } from '../system/append-file.js';
import { digestOf } from '../system/finished-file.js';
import { syncFolder } from '../system/folders.js';
import { moveIntoPlace, replaceFile, writeNewFile } from '../system/replace-file.js';
import type { Checkpoint } from './collect/checkpoint.js';
import { type Lines, recordsIn, splitLines } from './collect/partial-file.js';
import type { Converter } from './convert/converter.js';
import type { ExportSpec } from './export-spec.js';
import {
  incompletePath,
  manifestPath,
  pendingManifest,
  removeTraces,
  splitPath,
  type Target,
} from './target.js';
import { whyInVain } from './verify/in-vain.js';
import { type Manifest, type ManifestFile, printManifest, readManifest } from './verify/manifest.js';

/** One of the files that an export is converted to. */
export interface Output {
  readonly target: Target;
  readonly spec: ExportSpec;
  readonly converter: Converter;
}

/** What was collected. */
export interface Collected {
  /** The target that the partial file and the checkpoint belong to. */
  readonly home: Target;
  readonly part: AppendFile;
  readonly records: number;
  /** Lines of the partial file that are no records of the export. */
  readonly dropped: ReadonlySet<number>;
  /** The files of an incomplete export get other names. */
  readonly complete: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface WrittenOutput {
  /** What the files are named after. */
  readonly path: string;
  readonly manifest: Manifest;
}

type ManifestOf = (output: Output, files: readonly ManifestFile[]) => Manifest;

interface MadeFile extends ManifestFile {
  readonly from: string;
  readonly path: string;
}

interface MadeOutput extends WrittenOutput {
  readonly target: Target;
  readonly files: readonly MadeFile[];
}

/**
 * The outputs in their order. Nothing is replaced before all files are written. The output of the partial file comes last,
 * so that a killed run can be resumed until then; where the partial file is the finished file already, it is renamed. Throws
 * an OpacError when the disk fails; the partial file and the checkpoint are kept.
 */
export async function writeOutputs(
  outputs: readonly Output[],
  collected: Collected,
  manifestOf: ManifestOf,
): Promise<readonly WrittenOutput[]> {
  const { home, complete } = collected;
  const made: MadeOutput[] = [];
  for (const output of outputs) {
    const path = complete ? output.target.path : incompletePath(output.target.path);
    const files = await convertTo(output, collected, path).catch(async (error) => {
      await removeNewFiles(made.flatMap((each) => each.files));
      throw error;
    });
    const manifest = manifestOf(
      output,
      files.map(({ name, bytes, sha256, records, rows }) => ({ name, bytes, sha256, records, rows })),
    );
    made.push({ target: output.target, path, files, manifest });
  }
  for (const output of made.toSorted(
    (one, other) => Number(one.target === home) - Number(other.target === home),
  ))
    await putInPlace(output);
  for (const { manifest, target } of made) if (complete) await removeIncomplete(target, manifest);
  const isInVain = made.some(({ manifest }) => whyInVain(manifest) !== undefined);
  // The files are in place: the next run removes what stays behind.
  if (complete || isInVain) await removeTraces(home).catch(() => undefined);
  return made;
}

async function convertTo(output: Output, collected: Collected, path: string): Promise<readonly MadeFile[]> {
  const { part, records } = collected;
  if (!isFinished(output, collected)) return makeFiles(output, collected, path);
  return [{ from: part.path, path, name: basename(path), bytes: part.bytes, sha256: part.sha256(), records }];
}

/** Whether the partial file is the finished file already. */
function isFinished(
  { target, converter }: Output,
  { home, complete, dropped }: Pick<Collected, 'home' | 'complete' | 'dropped'>,
): boolean {
  const isWhole = complete && dropped.size === 0 && target.split === undefined;
  return target === home && isWhole && converter.isCopy === true && !target.compression;
}

async function makeFiles(
  { converter, target, spec }: Output,
  { part, records, dropped, signal }: Collected,
  path: string,
): Promise<MadeFile[]> {
  const { split = Number.POSITIVE_INFINITY } = target;
  const all: Lines = { path: part.path, start: 0, end: part.bytes, dropped };
  const files = target.split === undefined ? [all] : await splitLines(all, split);
  await converter.scan?.(recordsIn(all), files.length);
  const made: MadeFile[] = [];
  for (const [n, lines] of files.entries()) {
    const name = target.split === undefined ? path : splitPath(path, n + 1);
    const from = `${name}.part.new`;
    const rowsBefore = converter.table?.rows() ?? 0;
    try {
      const { compression } = target;
      const digest = await writeNewFile(from, converter.convert(recordsIn(lines)), { compression, signal });
      made.push({
        from,
        path: name,
        name: basename(name),
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

/** Whether a record may have several rows, which are counted then. */
export function hasRows({ multi }: ExportSpec): boolean {
  return String(multi).startsWith('rows');
}

/** The partial file can make them again, and the disk may need the space. */
async function removeNewFiles(files: readonly Pick<MadeFile, 'from'>[]): Promise<void> {
  for (const { from } of files)
    if (from.endsWith('.new')) await rm(from, { force: true }).catch(() => undefined);
}

async function putInPlace({ target, path, files, manifest }: MadeOutput): Promise<void> {
  const pending = pendingManifest(path);
  await replaceFile(pending, printManifest(manifest));
  for (const file of files) await moveIntoPlace(file.from, file.path);
  await syncFolder(target.folder);
  await moveIntoPlace(pending, manifestPath(path));
  await syncFolder(target.folder);
}

/** Removes the files of an earlier, incomplete run of the same export. */
async function removeIncomplete({ path, folder }: Target, complete: Manifest): Promise<void> {
  const place = manifestPath(incompletePath(path));
  const manifest = await readManifest(place).catch(() => undefined);
  if (!manifest || JSON.stringify(manifest.job) !== JSON.stringify(complete.job)) return;
  for (const name of [...manifest.files.map((file) => basename(file.name)), basename(place)])
    await rm(join(folder, name), { force: true }).catch(() => undefined);
}

/**
 * Finishes the run of a checkpoint that died between its last renames: returns its manifests when the files of all outputs are
 * intact, and undefined when work remains. `isMoved`: the partial file is gone, as it became the finished file.
 */
export async function recoverOutputs(
  outputs: readonly Pick<Output, 'target' | 'spec'>[],
  home: Target,
  { started }: Checkpoint,
  signal?: AbortSignal,
): Promise<{ readonly written: readonly WrittenOutput[] | undefined; readonly isMoved: boolean }> {
  const manifest = await recoverManifest(home, started, signal);
  if (!manifest) return { written: undefined, isMoved: false };
  const written: WrittenOutput[] = [];
  for (const { target, spec } of outputs) {
    const own =
      target === home ? manifest : await readManifest(manifestPath(target.path)).catch(() => undefined);
    const isSame = own?.started === started && JSON.stringify(own.job) === JSON.stringify(spec);
    if (!isSame || !(await areThere(target.folder, own.files, signal)))
      return { written: undefined, isMoved: true };
    written.push({ path: target.path, manifest: own });
  }
  return { written, isMoved: true };
}

async function recoverManifest(
  target: Target,
  started: string,
  signal: AbortSignal | undefined,
): Promise<Manifest | undefined> {
  for (const path of [target.pending, manifestPath(target.path)]) {
    const manifest = await readManifest(path).catch(() => undefined);
    if (manifest?.started !== started || !(await areThere(target.folder, manifest.files, signal))) continue;
    await moveIntoPlace(path, manifestPath(target.path));
    await removeIncomplete(target, manifest);
    await removeTraces(target).catch(() => undefined);
    return manifest;
  }
  return undefined;
}

async function areThere(
  folder: string,
  files: readonly ManifestFile[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const { name, bytes, sha256 } of files) {
    const path = join(folder, name);
    const there = await lstat(path).catch(() => undefined);
    if (!there?.isFile()) return false;
    const digest = await digestOf(path, { signal });
    if (digest.bytes !== bytes || digest.sha256 !== sha256) return false;
  }
  return true;
}
