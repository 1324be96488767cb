/** The files of `--from` and the facts in their manifests. */
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { findExportedFile } from '../../../export/verify/find-exported-file.js';
import type { Manifest } from '../../../export/verify/manifest.js';
import { type PartSet, readPartSet } from '../../../export/verify/part-set.js';
import { type CheckedFile, checkExportedFile } from '../../../export/verify/verify-files.js';
import { recordsInFile } from '../../../local/files/data-files.js';
import { findSnapshots } from '../../../mirror/mirror-state.js';
import { formatInvalidUtf8 } from '../../../records/json/invalid-utf8.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import { isMissing, pathExists } from '../../../system/error-code.js';

export interface RecordFiles {
  readonly paths: readonly string[];
  /** Each path with its size and its modification time, to detect a changed file. */
  readonly versions: readonly string[];
  /** The deployment that the first manifest names; undefined without a manifest. */
  readonly deployment: string | undefined;
  /** False if one of the files is a pipe, which can be read only once. */
  readonly areRegular: boolean;
  /** Undefined if the files are not parts of one export. */
  readonly parts: PartSet | undefined;
  /** Files whose manifest reports 0 records, with the kind in the manifest. */
  readonly empty: ReadonlyMap<string, Kind>;
  /** Sentences about files with missing records, and about missing pieces of a split export. */
  readonly incomplete: readonly string[];
  /** Files without a manifest; `[]` if there is only one file. They may be pieces of an incomplete split export. */
  readonly unchecked: readonly string[];
  /** Sentences about damaged characters, and about pieces of a split export that opac does not read. */
  readonly warnings: readonly string[];
  /** The error for the first file that differs from its manifest. */
  readonly changed: OpacError | undefined;
  /** Throws a UsageError if a file has changed since it was found. Checks nothing if one of the files is a pipe. */
  readonly assertUnchanged: () => Promise<void>;
}

/** Expands patterns and mirrors. Throws a UsageError for a missing file, and the errors of `findSnapshots` and `readPartSet`. */
export async function findRecordFiles(given: readonly string[], signal: AbortSignal): Promise<RecordFiles> {
  const paths: string[] = [];
  for (const path of given) paths.push(...(await expandPath(path)));
  const versions: string[] = [];
  const empty = new Map<string, Kind>();
  const incomplete = new Set<string>();
  const warnings = new Set<string>();
  const read = new Set(paths.map((path) => resolve(path)));
  const unchecked: string[] = [];
  let changed: OpacError | undefined;
  let areRegular = true;
  let deployment: string | undefined;
  const parts = await readPartSet([...new Set(paths)], signal);
  for (const path of new Set(paths)) {
    const file = await readStats(path);
    versions.push(formatVersion(path, file));
    areRegular &&= file.isFile();
    const checked = file.isFile() ? await checkExportedFile(path, signal) : undefined;
    const manifest = checked?.manifest;
    if (file.isFile() && !manifest) unchecked.push(path);
    deployment ??= manifest?.job.deployment;
    const kind = KINDS.find((each) => each === manifest?.job.kind);
    if (manifest?.records === 0 && kind) empty.set(path, kind);
    if (manifest?.complete === false)
      incomplete.add(`"${path}" is incomplete: ${manifest.reasons.join('; ')}`);
    if (manifest && manifest.notUtf8.records > 0)
      warnings.add(`"${path}" has ${formatInvalidUtf8(manifest.notUtf8)}`);
    for await (const piece of findPieces(dirname(path), manifest, signal))
      if (!(await pathExists(piece))) incomplete.add(`"${piece}" is missing from a split export`);
      else if (!read.has(resolve(piece)))
        warnings.add(`"${piece}" belongs to a split export of --from, but opac did not read it`);
    if (checked?.problem) changed ??= await createChangedError(path, checked, checked.problem, signal);
  }
  const found = {
    paths: parts?.paths ?? [...new Set(paths)],
    versions,
    deployment,
    areRegular,
    parts,
    empty,
  };
  const assertUnchanged = async () => {
    for (const path of areRegular ? new Set(paths) : [])
      if (!versions.includes(formatVersion(path, await readStats(path))))
        throw new UsageError('the files changed while opac read them', 'run the command again');
  };
  return {
    ...found,
    incomplete: [...incomplete],
    warnings: [...warnings],
    unchecked: found.paths.length > 1 ? unchecked : [],
    changed,
    assertUnchanged,
  };
}

async function* findPieces(
  folder: string,
  manifest: Manifest | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (!manifest || manifest.files.length === 1) return;
  for (const file of manifest.files) {
    signal.throwIfAborted();
    yield (await findExportedFile(folder, file)).path;
  }
}

const formatVersion = (path: string, { size, mtimeMs }: Stats) => `${path} ${size} ${mtimeMs}`;

/** If the file and its manifest have different numbers of records, the error contains both numbers. */
async function createChangedError(
  path: string,
  { records, manifestPath }: CheckedFile,
  problem: string,
  signal: AbortSignal,
): Promise<OpacError> {
  const code = 'file-changed';
  if (records === undefined)
    return new OpacError('incomplete', problem, { hint: 'leave out this file', code });
  const count = await countRecords(path, signal).catch(() => undefined);
  signal.throwIfAborted();
  if (count === undefined) return new OpacError('incomplete', problem, { hint: 'export it again', code });
  const numbers = `"${path}" has ${formatCount(count, 'record')}, but its manifest says ${formatNumber(records)}`;
  const hint = `export it again, or delete "${manifestPath}" if you edited the file on purpose`;
  return new OpacError('incomplete', count === records ? problem : numbers, { hint, code });
}

async function countRecords(path: string, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const found of recordsInFile(path, signal)) count += found.length;
  return count;
}

async function expandPath(given: string): Promise<readonly string[]> {
  if (/[*?]/.test(basename(given)) && !(await pathExists(given))) return findMatches(given);
  return (await readStats(given)).isDirectory() ? findSnapshots(given) : [given];
}

/** Files that opac writes next to an export. */
const COMPANION = /\.(?:manifest\.json|lock|part(?:\.\w+)*)$/;

/** `*` and `?` have a meaning only in the last part of the path. */
async function findMatches(pattern: string): Promise<readonly string[]> {
  const folder = dirname(pattern);
  const text = basename(pattern).replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const name = new RegExp(`^${text.replaceAll('*', '.*').replaceAll('?', '.')}$`);
  const names = (await readdir(folder).catch(() => [])).filter(
    (each) => name.test(each) && !COMPANION.test(each),
  );
  if (names.length === 0) throw new UsageError(`no file matches "${pattern}"`);
  return names.sort().map((each) => join(folder, each));
}

async function readStats(path: string) {
  try {
    return await stat(path);
  } catch (cause) {
    throw new UsageError(
      isMissing(cause) ? `file not found: "${path}"` : `cannot read "${path}"`,
      '--from needs exported NDJSON or JSON files (also compressed) or a mirror folder',
    );
  }
}
