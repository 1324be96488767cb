/** Protects files that opac did not write, and exports that somebody edited. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from '../../service/errors.js';
import { pathExists } from '../../system/error-code.js';
import { computeDigest } from '../../system/finished-file.js';
import { manifestPath, pendingManifestPath } from '../export-paths.js';
import { readManifest } from './manifest.js';

/**
 * Throws a UsageError for a file that the manifest of the export at `path` does not list, or lists with other content. `advice`:
 * what users can do to keep the file.
 */
export async function assertReplaceable(
  path: string,
  files: readonly string[],
  signal?: AbortSignal,
  advice = 'choose another name, or replace the file with --force',
): Promise<void> {
  // A killed run may have replaced the file but not the manifest.
  const manifests = [manifestPath(path), pendingManifestPath(path)];
  const read = await Promise.all(manifests.map((each) => readManifest(each).catch(() => undefined)));
  const written = read.flatMap((manifest) => manifest?.files ?? []);
  for (const file of files) {
    if (!(await pathExists(file))) continue;
    const known = written.filter(({ name }) => name === basename(file));
    const { size } = await stat(file);
    const sha256 = known.some(({ bytes }) => bytes === size)
      ? (await computeDigest(file, { signal })).sha256
      : undefined;
    if (known.some((each) => each.sha256 === sha256)) continue;
    const problem = known.length > 0 ? 'was changed after the export' : 'is not an export with a manifest';
    throw new UsageError(`"${file}" ${problem}`, advice);
  }
}
