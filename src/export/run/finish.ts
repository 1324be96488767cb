/** Turns the part into the finished files and their manifest, each whole or not at all. */
import { lstat, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { syncFolder } from '../../system/sync-folder.js';
import { fileError } from '../files/file-error.js';
import type { PartFile } from '../files/part-file.js';
import { replaceFile } from '../files/place.js';
import { writeWhole } from '../files/whole-file.js';
import type { Identified, RecordWriter } from '../writers/record-writer.js';
import type { Checkpoint } from './checkpoint.js';
import type { RunResult } from './export-run.js';
import { type Content, digestOf, writeContent } from './finished-file.js';
import { type Manifest, type ManifestFile, printManifest, readManifest } from './manifest.js';
import { dropOlder } from './older-part.js';
import {
  incompletePath,
  manifestPath,
  pendingManifest,
  removeTraces,
  splitPath,
  type Target,
} from './target.js';

export interface Finished<R extends Identified> {
  readonly writer: RecordWriter<R>;
  readonly target: Target;
  readonly part: PartFile;
  readonly result: RunResult;
  /** An incomplete export keeps the part and gets another file name. */
  readonly complete: boolean;
  /** Whether a record may have several rows, which are counted then. */
  readonly hasRows: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly manifestOf: (files: readonly ManifestFile[]) => Manifest;
}

/**
 * Returns the path the files are named after. Renames the part where it already is the file. Throws an OpacError when the
 * disk fails; part and checkpoint are kept.
 */
export async function finishFiles<R extends Identified>(
  finished: Finished<R>,
): Promise<{ readonly manifest: Manifest; readonly path: string }> {
  const { target, result, complete, hasRows, manifestOf } = finished;
  const path = complete ? target.path : incompletePath(target.path);
  const isPart = complete && isFinished(finished);
  const made = isPart ? [await closePart(finished, path)] : await makeFiles(finished, path);
  const manifest = manifestOf(
    made.map((file, n) => ({
      name: basename(file.path),
      bytes: file.bytes,
      sha256: file.sha256,
      records: recordsOf(result.tally.written, target.split, n),
      rows: hasRows ? rowsOf(result, n) : undefined,
    })),
  );
  const pending = pendingManifest(path);
  await writeWhole(pending, printManifest(manifest));
  for (const file of made) await move(file.from, file.path);
  await syncFolder(target.folder);
  await move(pending, manifestPath(path));
  await syncFolder(target.folder);
  if (complete) await tidyUp(target, manifest);
  return { manifest, path };
}

/** The files are in place: the next run removes what stays behind. */
async function tidyUp(target: Target, manifest: Manifest): Promise<void> {
  try {
    await removeIncomplete(target, manifest);
    await removeTraces(target);
    await dropOlder(target);
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
    await removeTraces(target);
    return manifest;
  }
  return undefined;
}

interface MadeFile {
  readonly from: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

function isFinished<R extends Identified>({ writer, target, result }: Finished<R>): boolean {
  if (target.split !== undefined || target.compression || writer.convert) return false;
  return !hasGrown(writer, result);
}

/** Whether columns were added after the first rows. */
function hasGrown<R extends Identified>(writer: RecordWriter<R>, { widths }: RunResult): boolean {
  return widths.some(([, width]) => width !== writer.table?.columns().length);
}

async function closePart<R extends Identified>(
  { writer, part, result }: Finished<R>,
  path: string,
): Promise<MadeFile> {
  await part.append(result.tally.written === 0 ? writer.empty() : writer.tail);
  await part.sync();
  return { from: part.path, path, bytes: part.bytes, sha256: part.sha256() };
}

async function makeFiles<R extends Identified>(finished: Finished<R>, path: string): Promise<MadeFile[]> {
  const { target } = finished;
  const made: MadeFile[] = [];
  for (const [n, content] of contents(finished).entries()) {
    const name = target.split === undefined ? path : splitPath(path, n + 1);
    const from = `${name}.part.new`;
    try {
      made.push({
        from,
        path: name,
        ...(await writeContent(from, content, target.compression, finished.signal)),
      });
    } catch (error) {
      // The part can make them again, and the disk may need the space.
      for (const each of [from, ...made.map((file) => file.from)]) {
        await rm(each, { force: true }).catch(() => undefined);
      }
      throw error;
    }
  }
  return made;
}

function contents<R extends Identified>({ writer, part, result }: Finished<R>): Content[] {
  const none = Buffer.alloc(0);
  const { convert } = writer;
  const rows = {
    path: part.path,
    widths: result.widths,
    width: writer.table?.columns().length ?? 0,
    delimiter: writer.table?.delimiter ?? '',
  };
  if (result.tally.written === 0) {
    const empty = { ...rows, start: 0, end: 0 };
    return [{ head: writer.empty(), rows: empty, all: empty, tail: none, convert }];
  }
  const starts = result.splits.length > 0 ? result.splits : [result.headBytes];
  return starts.map((start, n) => ({
    head: writer.head(),
    rows: { ...rows, start, end: starts[n + 1] ?? result.bytes },
    all: { ...rows, start: starts[0] ?? 0, end: result.bytes },
    tail: writer.tail,
    convert,
  }));
}

function recordsOf(written: number, split: number | undefined, file: number): number {
  return split === undefined ? written : Math.max(0, Math.min(split, written - file * split));
}

function rowsOf({ rows, splitRows = [] }: RunResult, file: number): number | undefined {
  return rows === undefined ? undefined : (splitRows[file + 1] ?? rows) - (splitRows[file] ?? 0);
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
