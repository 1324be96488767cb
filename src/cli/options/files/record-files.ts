/** The files of `--from`: which there are, and what their manifests say of them. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { manifestPath } from '../../../export/export-paths.js';
import { type Manifest, readManifest } from '../../../export/verify/manifest.js';
import { type PartSet, readPartSet } from '../../../export/verify/part-set.js';
import { findSnapshots } from '../../../mirror/mirror-state.js';
import { UsageError } from '../../../service/errors.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import { isMissing, pathExists } from '../../../system/error-code.js';

export interface RecordFiles {
  readonly paths: readonly string[];
  /** Each path with its size and the time of its last change: other bytes, other files. */
  readonly versions: readonly string[];
  /** The deployment that they were exported from, where a manifest says so. */
  readonly deployment: string | undefined;
  /** Whether they can be read more than once, as pipes cannot. */
  readonly areRegular: boolean;
  /** The parts of one export, if the files are that; `paths` has their order. */
  readonly parts: PartSet | undefined;
  /** Those without records, as their manifests say, with the kind that they would hold. */
  readonly empty: ReadonlyMap<string, Kind>;
}

/**
 * The folder of a mirror stands for the snapshots in it. Throws a UsageError for what is not there and for any other folder,
 * and as `readPartSet` does.
 */
export async function findRecordFiles(
  given: readonly string[],
  warn: (text: string) => void,
  signal: AbortSignal,
): Promise<RecordFiles> {
  const paths: string[] = [];
  for (const path of given) paths.push(...(await filesOf(path)));
  const versions: string[] = [];
  const empty = new Map<string, Kind>();
  let areRegular = true;
  let deployment: string | undefined;
  for (const path of new Set(paths)) {
    const file = await statOf(path);
    versions.push(`${path} ${file.size} ${file.mtimeMs}`);
    areRegular &&= file.isFile();
    const manifest = await manifestOf(path);
    deployment ??= manifest?.job.deployment;
    const kind = KINDS.find((each) => each === manifest?.job.kind);
    if (manifest?.records === 0 && kind) empty.set(path, kind);
    if (manifest?.complete === false)
      warn(`warning: "${path}" is incomplete: ${manifest.reasons.join('; ')}`);
  }
  const parts = await readPartSet([...new Set(paths)], signal);
  return { paths: parts?.paths ?? [...new Set(paths)], versions, deployment, areRegular, parts, empty };
}

async function filesOf(given: string): Promise<readonly string[]> {
  if (/[*?]/.test(basename(given)) && !(await pathExists(given))) return filesMatching(given);
  return (await statOf(given)).isDirectory() ? findSnapshots(given) : [given];
}

/** What opac writes beside the files of an export. */
const COMPANION = /\.(?:manifest\.json|lock|part(?:\.\w+)*)$/;

/** The files that a pattern names: `*` and `?` in the last part of the path. */
async function filesMatching(pattern: string): Promise<readonly string[]> {
  const folder = dirname(pattern);
  const text = basename(pattern).replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const name = new RegExp(`^${text.replaceAll('*', '.*').replaceAll('?', '.')}$`);
  const names = (await readdir(folder).catch(() => [])).filter(
    (each) => name.test(each) && !COMPANION.test(each),
  );
  if (names.length === 0) throw new UsageError(`no file matches "${pattern}"`);
  return names.sort().map((each) => join(folder, each));
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (cause) {
    throw new UsageError(
      isMissing(cause) ? `file not found: "${path}"` : `cannot read "${path}"`,
      '--from needs exported NDJSON or JSON files (also compressed) or a mirror folder',
    );
  }
}

async function manifestOf(path: string): Promise<Manifest | undefined> {
  return readManifest(manifestPath(path)).catch(() => undefined);
}
