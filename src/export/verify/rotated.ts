/** Finds exported files that were compressed, renamed or moved since. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Compression, compressionOf, ENDINGS } from '../../system/compression.js';
import { exists } from '../../system/error-code.js';
import { type Digest, digestOf } from '../../system/finished-file.js';
import { manifestPath } from '../target.js';
import { type ManifestFile, readManifest } from './manifest.js';

export interface Place {
  readonly path: string;
  readonly added: Compression | undefined;
}

export async function placeIn(folder: string, { name }: ManifestFile): Promise<Place> {
  const path = join(folder, name);
  if (await exists(path)) return { path, added: undefined };
  for (const ending of ENDINGS) {
    if (await exists(path + ending)) return { path: path + ending, added: compressionOf(ending) };
  }
  return { path, added: undefined };
}

export function renamedPlace(path: string, { name }: ManifestFile): Place {
  return { path, added: compressionOf(name) ? undefined : compressionOf(path) };
}

/** `objects.csv.manifest.json` for `objects.csv.gz`. */
export function manifestBeforeCompression(path: string): string | undefined {
  const ending = ENDINGS.find((each) => path.endsWith(each));
  return ending && manifestPath(path.slice(0, -ending.length));
}

export async function manifestOfContent(path: string, signal?: AbortSignal): Promise<string | undefined> {
  const there = await stat(path).catch(() => undefined);
  // A device or a pipe might never end.
  if (!there?.isFile()) return undefined;
  const folder = dirname(path);
  const digests = new Map<Compression | undefined, Promise<Digest | undefined>>();
  const digest = (added: Compression | undefined) => {
    const known = digests.get(added) ?? digestOf(path, { added, signal }).catch(() => undefined);
    digests.set(added, known);
    return known;
  };
  for (const name of await readdir(folder)) {
    if (!name.includes('.manifest.json')) continue;
    const manifest = await readManifest(join(folder, name)).catch(() => undefined);
    const [file, ...others] = manifest?.files ?? [];
    if (!file || others.length > 0) continue;
    const { added } = renamedPlace(path, file);
    // The size tells most files apart; the file is read once at most for each way to decompress it.
    if (!added && there.size !== file.bytes) continue;
    const found = await digest(added);
    signal?.throwIfAborted();
    if (found?.sha256 === file.sha256) return join(folder, name);
  }
  return undefined;
}
