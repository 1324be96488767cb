/** Turns the part into the finished files and their manifest, each whole or not at all. */
import { lstat, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AppendFile } from '../system/append-file.js';
import { fileError } from '../system/file-error.js';
import { digestOf, writePieces } from '../system/finished-file.js';
import { replaceFile } from '../system/place.js';
import { syncFolder } from '../system/sync-folder.js';
import { writeWhole } from '../system/whole-file.js';
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

export interface Finished {
  readonly converter: Converter;
  readonly target: Target;
  readonly part: AppendFile;
  readonly records: number;
  /** An incomplete export gets another file name. */
  readonly complete: boolean;
  /** Lines of the partial file that are no records of the export. */
  readonly dropped: ReadonlySet<number>;
  /** Whether a record may have several rows, which are counted then. */
  readonly hasRows: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly manifestOf: (files: readonly ManifestFile[]) => Manifest;
}

/**
 * Returns the path the files are named after. Renames the partial file where it already is the file. Throws an OpacError when
 * the disk fails; the partial file and the checkpoint are kept.
 */
export async function finishFiles(
  finished: Finished,
): Promise<{ readonly manifest: Manifest; readonly path: string }> {
  const { target, part, complete, manifestOf } = finished;
  const path = complete ? target.path : incompletePath(target.path);
  const made = isFinished(finished)
    ? [{ from: part.path, path, bytes: part.bytes, sha256: part.sha256(), records: finished.records }]
    : await makeFiles(finished, path);
  const manifest = manifestOf(
    made.map(({ path: file, bytes, sha256, records, rows }) => ({
      name: basename(file),
      bytes,
      sha256,
      records,
      rows,
    })),
  );
  const pending = pendingManifest(path);
  await writeWhole(pending, printManifest(manifest));
  for (const file of made) await move(file.from, file.path);
  await syncFolder(target.folder);
  await move(pending, manifestPath(path));
  await syncFolder(target.folder);
  if (complete) await tidyUp(target, manifest);
  else if (whyInVain(manifest) !== undefined) await removeTraces(target).catch(() => undefined);
  return { manifest, path };
}

/** The files are in place: the next run removes what stays behind. */
async function tidyUp(target: Target, manifest: Manifest): Promise<void> {
  try {
    await removeIncomplete(target, manifest);
    await removeTraces(target);
  } catch {
    // Nothing is lost.
  }
}

async function removeIncomplete({ path, folder }: Target, whole: Manifest): Promise<void> {
  const place = manifestPath(incompletePath(path));
  const manifest = await readManifest(place).catch(() => undefined);
  if (!manifest || JSON.stringify(manifest.job) !== JSON.stringify(whole.job)) return;
  for (const { name } of manifest.files) await rm(join(folder, basename(name)), { force: true });
  await rm(place, { force: true });
}

/**
 * Finishes the run that began at that time and died between its last renames: returns its manifest when its files are intact,
 * undefined when work remains.
 */
export async function recoverFinished(
  target: Target,
  { started }: Checkpoint,
  signal?: AbortSignal,
): Promise<Manifest | undefined> {
  for (const path of [target.pending, manifestPath(target.path)]) {
    const manifest = await readManifest(path).catch(() => undefined);
    if (manifest?.started !== started || !(await areThere(target.folder, manifest.files, signal))) continue;
    await move(path, manifestPath(target.path));
    await tidyUp(target, manifest);
    return manifest;
  }
  return undefined;
}

/** Whether that run converted the records as this one would. */
export function isSameJob({ job }: Manifest, spec: ExportSpec): boolean {
  return JSON.stringify(job) === JSON.stringify(spec);
}

interface MadeFile {
  readonly from: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly records: number;
  readonly rows?: number | undefined;
}

function isFinished({ converter, target, complete, dropped }: Finished): boolean {
  return (
    complete &&
    dropped.size === 0 &&
    converter.isCopy === true &&
    target.split === undefined &&
    !target.compression
  );
}

async function makeFiles(finished: Finished, path: string): Promise<MadeFile[]> {
  const { converter, target, part, records, dropped, hasRows, signal } = finished;
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
      const digest = await writePieces(from, converter.convert(recordsIn(lines)), target.compression, signal);
      made.push({
        from,
        path: name,
        ...digest,
        records: Math.min(split, records - made.reduce((sum, file) => sum + file.records, 0)),
        rows: hasRows ? (converter.table?.rows() ?? 0) - rowsBefore : undefined,
      });
    } catch (error) {
      // The partial file can make them again, and the disk may need the space.
      for (const each of [from, ...made.map((file) => file.from)]) {
        await rm(each, { force: true }).catch(() => undefined);
      }
      throw error;
    }
  }
  return made;
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

async function move(from: string, to: string): Promise<void> {
  try {
    await replaceFile(from, to);
  } catch (error) {
    throw fileError(error, 'write', to);
  }
}
