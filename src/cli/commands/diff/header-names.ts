/** Finds the columns for the headers of a table whose manifest is missing, such as an edited copy of an export. */
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findManifest } from '../../../diff/snapshot.js';
import { mapHeadersToColumns, readManifest } from '../../../export/verify/manifest.js';

/**
 * Returns a function that finds the column of a header. For a file without a manifest, the columns are from the manifests in its
 * folder, in the folder of the `other` file, and in the current folder. Unknown headers, and headers with several columns, stay
 * unchanged.
 */
export async function findHeaderNames(path: string, other = path): Promise<(header: string) => string> {
  const names = new Map<string, string>();
  if (await findManifest(path)) return (header) => header;
  for (const folder of new Set([dirname(path), dirname(other), '.'].map((each) => resolve(each))))
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith('.manifest.json')) continue;
      const manifest = await readManifest(join(folder, name)).catch(() => undefined);
      for (const [header, column] of manifest ? mapHeadersToColumns(manifest) : [])
        names.set(header, (names.get(header) ?? column) === column ? column : header);
    }
  return (header) => names.get(header) ?? header;
}
