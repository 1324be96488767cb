/** Protects files that opac did not write, and exports that somebody edited. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from '../../service/errors.js';
import { getOrAddList } from '../../service/get-or-add-list.js';
import { pathExists } from '../../system/error-code.js';
import { isOwnedLike } from '../../system/file-owner.js';
import { computeDigest } from '../../system/finished-file.js';
import type { CollectSpec } from '../export-job.js';
import { manifestPath, pendingManifestPath, splitPath } from '../export-paths.js';
import { type ManifestFile, readManifest } from './manifest.js';

/** Throws a UsageError if one of the files was edited or is not in the manifest of the export `path`. */
export async function assertReplaceable(
  path: string,
  files: readonly string[],
  signal?: AbortSignal,
  advice = ADVICE,
): Promise<void> {
  const written = await readWrittenFiles(path);
  for (const file of files) {
    signal?.throwIfAborted();
    if (!(await pathExists(file))) continue;
    const known = await findEntries(file, written);
    const { size } = await stat(file);
    const sha256 = known.some(({ bytes }) => bytes === size)
      ? (await computeDigest(file, { signal })).sha256
      : undefined;
    if (known.some((each) => each.sha256 === sha256)) continue;
    const problem =
      known.length > 0 ? 'was changed after the export' : 'exists, but is not an export with a manifest';
    throw new UsageError(`"${file}" ${problem}`, advice);
  }
}

const ADVICE = 'choose another name, or replace the file with --force';

/**
 * Throws a UsageError if the earlier export at `path` has another kind or deployment. If one of the exports is from files
 * (`--from`), its deployment may be a file name. Then opac does not compare the deployments.
 */
export async function assertSameSource(path: string, firstFile: string, job: CollectSpec): Promise<void> {
  const old = (await readManifest(manifestPath(path)).catch(() => undefined))?.job;
  if (!old || !(await pathExists(firstFile))) return;
  const readsFiles = old.from !== undefined || job.from !== undefined;
  if (old.kind === job.kind && (readsFiles || old.deployment === job.deployment)) return;
  throw new UsageError(`"${path}" contains ${old.kind} from ${old.deployment}`, ADVICE);
}

interface ManifestEntry extends ManifestFile {
  readonly manifest: string;
}

/** The entries of the manifests of an export, by the names of the files. */
type WrittenFiles = ReadonlyMap<string, readonly ManifestEntry[]>;

async function readWrittenFiles(path: string): Promise<WrittenFiles> {
  const written = new Map<string, ManifestEntry[]>();
  // A killed run may have replaced the files but not the manifest. Then the pending manifest lists the new files.
  for (const manifest of [manifestPath(path), pendingManifestPath(path)]) {
    const read = await readManifest(manifest).catch(() => undefined);
    for (const file of read?.files ?? []) getOrAddList(written, file.name).push({ ...file, manifest });
  }
  return written;
}

/** Ignores the manifest of another user, who could otherwise make opac replace or delete any file. */
async function findEntries(file: string, written: WrittenFiles): Promise<readonly ManifestEntry[]> {
  const entries = written.get(basename(file)) ?? [];
  const own = new Set<string>();
  for (const manifest of new Set(entries.map((each) => each.manifest)))
    if (await isOwnedLike(file, manifest)) own.add(manifest);
  return entries.filter(({ manifest }) => own.has(manifest));
}

/**
 * Finds files of earlier exports that are not in `files`. If the new export is split, also finds numbered files that no manifest
 * lists, because "objects-*.csv" would match them.
 */
export async function findOldFiles(
  path: string,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const written = await readWrittenFiles(path);
  const kept = new Set(files);
  const isListed = async (file: string) => (await findEntries(file, written)).length > 0;
  const old: string[] = [];
  if (!kept.has(path) && (await pathExists(path)) && (await isListed(path))) old.push(path);
  const isSplit = kept.has(splitPath(path, 1));
  for (let number = 1; ; number++) {
    signal?.throwIfAborted();
    const piece = splitPath(path, number);
    if (kept.has(piece)) continue;
    if ((await pathExists(piece)) && (isSplit || (await isListed(piece)))) old.push(piece);
    else if (number > written.size) return old;
  }
}
