/** The paths of the files of an export. */
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OpacError, UsageError } from '../service/errors.js';
import { type Compression, findCompressionByName } from '../system/compression.js';
import { fileError } from '../system/file-error.js';
import { syncFolder } from '../system/folders.js';
import { createLinkError, getPathType } from '../system/output-path.js';

export interface ExportPaths {
  readonly path: string;
  readonly folder: string;
  readonly compression: Compression | undefined;
  /** Maximum number of records per file; undefined if the export is not split. */
  readonly split: number | undefined;
  readonly partialFile: string;
  readonly checkpoint: string;
  readonly lock: string;
}

export function createExportPaths(path: string, split?: number): ExportPaths {
  return {
    path,
    folder: dirname(path),
    compression: findCompressionByName(path),
    split,
    partialFile: `${path}.part`,
    checkpoint: `${path}.part.json`,
    lock: `${path}.lock`,
  };
}

const OWN_NAME = /\.(?:part|part\.json|manifest\.json|lock)$/;

export function assertNotOwnName(path: string): void {
  if (OWN_NAME.test(path))
    throw new UsageError(
      `"${path}" has the name of a file that opac writes next to an export`,
      'choose another name',
    );
}

/** Throws an OpacError for a folder. Throws a UsageError for a link, device or pipe. An export must not replace these. */
export async function assertWritable({ path }: ExportPaths): Promise<void> {
  const occupant = await getPathType(path);
  if (occupant === 'folder') {
    throw new OpacError('internal', `cannot write "${path}": it is a folder`, {
      hint: 'name a file in this folder',
    });
  }
  if (occupant === 'link') throw createLinkError(path);
  if (occupant === 'stream' || occupant === 'foreign') {
    throw new UsageError(`"${path}" is not a regular file`, 'write to standard output with -o -');
  }
}

export function manifestPath(path: string): string {
  return `${path}.manifest.json`;
}

/** The path of the new manifest until the exported files have replaced the earlier files. */
export function pendingManifestPath(path: string): string {
  return `${manifestPath(path)}.pending`;
}

/** Deletes the checkpoint first, because a run with `--resume` fails if the checkpoint exists without the partial file. */
export async function removePartialExport({
  path,
  folder,
  partialFile,
  checkpoint,
}: ExportPaths): Promise<void> {
  await removeFile(checkpoint);
  await syncFolder(folder);
  // Version 0.1.0 saved the ids in a separate file.
  for (const trace of [partialFile, `${partialFile}.ids`, pendingManifestPath(path)]) await removeFile(trace);
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error) => Promise.reject(fileError(error, 'remove', path)));
}

export function getFirstFile({ path, split }: ExportPaths): string {
  return split === undefined ? path : splitPath(path, 1);
}

/** `objects.csv.gz` → `objects-001.csv.gz`. */
export function splitPath(path: string, number: number): string {
  return withName(path, `-${String(number).padStart(3, '0')}`);
}

/** `objects.csv` → `objects.incomplete.csv`. */
export function incompletePath(path: string): string {
  return withName(path, '.incomplete');
}

function withName(path: string, addition: string): string {
  const name = basename(path);
  const dot = name.indexOf('.', 1);
  const stem = dot < 0 ? name : name.slice(0, dot);
  return join(dirname(path), `${stem}${addition}${dot < 0 ? '' : name.slice(dot)}`);
}
