/** Protects files that opac did not write, and exports that somebody edited. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from '../../service/errors.js';
import { pathExists } from '../../system/error-code.js';
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
  const written = await listWrittenFiles(path);
  for (const file of files) {
    if (!(await pathExists(file))) continue;
    const known = written.filter(({ name }) => name === basename(file));
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
 * Throws a UsageError if the earlier export has another kind or deployment. Ignores the deployment of exports from files, because
 * it may be a file name.
 */
export async function assertSameSource(path: string, firstFile: string, job: CollectSpec): Promise<void> {
  const old = (await readManifest(manifestPath(path)).catch(() => undefined))?.job;
  if (!old || !(await pathExists(firstFile))) return;
  const readsFiles = old.from !== undefined || job.from !== undefined;
  if (old.kind === job.kind && (readsFiles || old.deployment === job.deployment)) return;
  throw new UsageError(`"${path}" contains ${old.kind} from ${old.deployment}`, ADVICE);
}

async function listWrittenFiles(path: string): Promise<readonly ManifestFile[]> {
  // A killed run may have replaced the files but not the manifest. Then the pending manifest lists the new files.
  const manifests = [manifestPath(path), pendingManifestPath(path)];
  const read = await Promise.all(manifests.map((each) => readManifest(each).catch(() => undefined)));
  return read.flatMap((manifest) => manifest?.files ?? []);
}

/** Finds earlier files that are not in `files`. For a split export, finds all numbered files, as "objects-*.csv" does. */
export async function findOldFiles(path: string, files: readonly string[]): Promise<readonly string[]> {
  const written = (await listWrittenFiles(path)).map(({ name }) => name);
  const old: string[] = [];
  if (!files.includes(path) && written.includes(basename(path)) && (await pathExists(path))) old.push(path);
  const isSplit = files.includes(splitPath(path, 1));
  for (let number = 1; ; number++) {
    const piece = splitPath(path, number);
    if (files.includes(piece)) continue;
    const isThere = await pathExists(piece);
    const isListed = written.includes(basename(piece));
    if (isThere && (isSplit || isListed)) old.push(piece);
    else if (number > written.length) return old;
  }
}
