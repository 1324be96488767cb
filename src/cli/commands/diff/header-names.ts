/** Finds the column name for each header of a table without a manifest, such as an edited copy of an export. */
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findManifest } from '../../../diff/snapshot.js';
import { mapHeadersToColumns, readManifest } from '../../../export/verify/manifest.js';

/**
 * Uses the manifests in the folders of both files and in the working folder. Unknown and ambiguous headers stay unchanged. If the
 * file at `path` has a manifest, all headers stay unchanged, because `Snapshot` uses this manifest.
 */
export async function findHeaderNames(path: string, other = path): Promise<(header: string) => string> {
  if (await findManifest(path)) return (header) => header;
  const folders: ReadonlyMap<string, string>[] = [];
  for (const folder of new Set([dirname(path), dirname(other), '.'].map((each) => resolve(each))))
    folders.push(await readHeaderNames(folder));
  return (header) => folders.find((names) => names.has(header))?.get(header) ?? header;
}

async function readHeaderNames(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.manifest.json')) continue;
    const manifest = await readManifest(join(folder, name)).catch(() => undefined);
    for (const [header, column] of manifest ? mapHeadersToColumns(manifest) : [])
      names.set(header, (names.get(header) ?? column) === column ? column : header);
  }
  return names;
}
