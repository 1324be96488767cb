/** Finds exported files and their manifests, even if somebody compressed or renamed a file after the export. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { COMPRESSION_EXTENSIONS, type Compression, findCompressionByName } from '../../system/compression.js';
import { pathExists } from '../../system/error-code.js';
import { computeDigest, type Digest } from '../../system/finished-file.js';
import { manifestPath } from '../export-paths.js';
import { type ManifestFile, readManifest } from './manifest.js';

export interface ExportedFile {
  readonly path: string;
  /** The compression that somebody added after the export. */
  readonly added: Compression | undefined;
}

/** If the file is missing, returns its original path. */
export async function findExportedFile(folder: string, { name }: ManifestFile): Promise<ExportedFile> {
  const path = join(folder, name);
  if (await pathExists(path)) return { path, added: undefined };
  for (const ending of COMPRESSION_EXTENSIONS) {
    if (await pathExists(path + ending)) return { path: path + ending, added: findCompressionByName(ending) };
  }
  return { path, added: undefined };
}

export function describeRenamedFile(path: string, { name }: ManifestFile): ExportedFile {
  return { path, added: findCompressionByName(name) ? undefined : findCompressionByName(path) };
}

/** `objects.csv.gz` → `objects.csv.manifest.json`, for a file that was compressed later. */
export function findManifestOfUncompressed(path: string): string | undefined {
  const ending = COMPRESSION_EXTENSIONS.find((each) => path.endsWith(each));
  return ending && manifestPath(path.slice(0, -ending.length));
}

/** Looks in the folder of `path` for a manifest that lists exactly one file, with the content of `path`. */
export async function findManifestByContent(path: string, signal?: AbortSignal): Promise<string | undefined> {
  const there = await stat(path).catch(() => undefined);
  // A device or a pipe might never end.
  if (!there?.isFile()) return undefined;
  const folder = dirname(path);
  const digests = new Map<Compression | undefined, Promise<Digest | undefined>>();
  const digest = (addedCompression: Compression | undefined) => {
    const known =
      digests.get(addedCompression) ??
      computeDigest(path, { addedCompression, signal }).catch(() => undefined);
    digests.set(addedCompression, known);
    return known;
  };
  for (const name of await readdir(folder)) {
    signal?.throwIfAborted();
    if (!name.includes('.manifest.json')) continue;
    const manifest = await readManifest(join(folder, name)).catch(() => undefined);
    const [file, ...others] = manifest?.files ?? [];
    if (!file || others.length > 0) continue;
    const { added } = describeRenamedFile(path, file);
    if (!added && there.size !== file.bytes) continue;
    const found = await digest(added);
    signal?.throwIfAborted();
    if (found?.sha256 === file.sha256) return join(folder, name);
  }
  return undefined;
}
