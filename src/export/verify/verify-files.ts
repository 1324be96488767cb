/** Compares the files of an export with their manifest. */
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { OpacError } from '../../service/errors.js';
import { formatCount, formatNumber } from '../../service/format-numbers.js';
import { errorCode, pathExists } from '../../system/error-code.js';
import { computeDigest } from '../../system/finished-file.js';
import { manifestPath, splitPath } from '../export-paths.js';
import {
  describeRenamedFile,
  type ExportedFile,
  findExportedFile,
  findManifestByContent,
  findManifestOfUncompressed,
} from './find-exported-file.js';
import { DamagedManifestError, type Manifest, type ManifestFile, readManifest } from './manifest.js';

export interface Verification {
  readonly manifest: Manifest;
  readonly manifestPath: string;
  readonly problems: readonly string[];
  /** The number of records in unchanged files. */
  readonly records: number;
}

/** `path`: an exported file or a manifest. Throws an OpacError without a usable manifest, and a UsageError for a newer format. */
export async function verifyFile(path: string, signal?: AbortSignal): Promise<Verification> {
  const found = await findManifest(path, signal);
  const manifest = await readManifest(found).catch((error: unknown) => {
    if (!(error instanceof DamagedManifestError)) throw error;
    throw new OpacError('incomplete', error.message, { hint: error.hint, code: 'file-changed' });
  });
  const { files } = manifest;
  const problems: string[] = [];
  let records = 0;
  const mayBeRenamed = files.length === 1 && path !== found && (await pathExists(path));
  const name = basename(path);
  if (!mayBeRenamed && path !== found && !files.some((file) => file.name === name)) {
    if (await pathExists(path)) problems.push(`the manifest does not list "${name}"`);
    else if (!files.some((file, n) => file.name === splitPath(name, n + 1))) throw createNotFoundError(path);
  }
  for (const file of files) {
    signal?.throwIfAborted();
    const place = mayBeRenamed
      ? describeRenamedFile(path, file)
      : await findExportedFile(dirname(found), file);
    const problem = await findProblem(place, file, signal);
    if (problem) problems.push(problem);
    else records += file.records;
  }
  if (problems.length === 0 && records !== manifest.records)
    problems.push(
      `the files contain ${formatCount(records, 'record')}; the manifest says ${formatNumber(manifest.records)}`,
    );
  return { manifest, manifestPath: found, problems, records };
}

export interface CheckedFile {
  readonly manifest: Manifest;
  readonly manifestPath: string;
  /** The number of records in the file, according to the manifest; undefined if a split export does not list the file. */
  readonly records: number | undefined;
  readonly problem: string | undefined;
}

/** Returns undefined if no manifest next to the file belongs to it. Throws the errors of `readManifest`. */
export async function checkExportedFile(path: string, signal: AbortSignal): Promise<CheckedFile | undefined> {
  const found = await findManifestBeside(path);
  if (found === undefined) return undefined;
  const manifest = await readManifest(found);
  const isManifestOfSplit = found === manifestPath(getUnsplitPath(path)) && found !== manifestPath(path);
  const file =
    manifest.files.find(({ name }) => name === basename(path)) ??
    (isManifestOfSplit ? undefined : manifest.files[0]);
  const checked = { manifest, manifestPath: found, records: file?.records };
  if (file) {
    const problem = await findProblem(describeRenamedFile(path, file), file, signal).catch((error: Error) => {
      signal.throwIfAborted();
      return error.message;
    });
    return { ...checked, problem };
  }
  // If the export was not split, the file does not belong to it.
  return manifest.job.split
    ? { ...checked, problem: `"${found}" does not list "${basename(path)}"` }
    : undefined;
}

/** `objects-001.csv` → `objects.csv`. */
export function getUnsplitPath(path: string): string {
  return path.replace(/-\d{3,}(?=\.[^/\\]*$|$)/, '');
}

async function findManifestBeside(path: string): Promise<string | undefined> {
  const candidates = [
    path.endsWith('.manifest.json') ? path : undefined,
    manifestPath(path),
    manifestPath(getUnsplitPath(path)),
    findManifestOfUncompressed(path),
  ];
  for (const candidate of candidates) if (candidate && (await pathExists(candidate))) return candidate;
  return undefined;
}

async function findManifest(path: string, signal: AbortSignal | undefined): Promise<string> {
  const found = (await findManifestBeside(path)) ?? (await findManifestByContent(path, signal));
  if (found) return found;
  if (!(await pathExists(path))) throw createNotFoundError(path);
  throw new OpacError('incomplete', `no manifest found next to "${path}"`, {
    hint: 'only "opac <kind> export" and "opac sync" write a manifest',
    code: 'no-manifest',
  });
}

function createNotFoundError(path: string): OpacError {
  return new OpacError('incomplete', `file not found: "${path}"`, {
    hint: 'give the name of an exported file or of a manifest',
    code: 'no-file',
  });
}

/** Returns a sentence about the problem; undefined if the file matches the manifest. */
export async function findProblem(
  { path, added: addedCompression }: ExportedFile,
  { bytes, sha256 }: ManifestFile,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const name = basename(path);
  if (!(await pathExists(path))) return `"${name}" is missing`;
  if (!(await stat(path)).isFile()) return `"${name}" is not a regular file`;
  const wrongSize = (size: number) =>
    `"${name}" has ${formatCount(size, 'byte')}; the manifest says ${formatNumber(bytes)}`;
  const { size } = await stat(path);
  if (!addedCompression && size !== bytes) return wrongSize(size);
  const digest = await computeDigest(path, { addedCompression, signal }).catch((error) => {
    // The codes of zlib and Zstandard for damaged data, such as Z_BUF_ERROR.
    if (/^Z/.test(errorCode(error.cause) ?? '')) return undefined;
    throw error;
  });
  if (!digest) return `"${name}" is damaged and cannot be decompressed`;
  if (digest.bytes !== bytes) return wrongSize(digest.bytes);
  return digest.sha256 === sha256 ? undefined : `"${name}" was changed: its SHA-256 differs`;
}
