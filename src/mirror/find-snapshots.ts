/** The snapshots in the folder of a mirror. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestPath } from '../export/export-paths.js';
import { UsageError } from '../service/errors.js';
import { KINDS } from '../service/kinds.js';
import { pathExists } from '../system/error-code.js';

const SNAPSHOT = new RegExp(`^(${KINDS.join('|')})\\.(ndjson|json)(\\.gz|\\.zst)?$`);

/** Their paths, sorted by name. Throws a UsageError for a folder that is not a mirror. */
export async function findSnapshots(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => SNAPSHOT.test(name)).sort();
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) if (await pathExists(manifestPath(path))) return paths;
  throw new UsageError(
    `"${folder}" is not a mirror: it has no export with a manifest`,
    'make one with "opac sync", or name the files',
  );
}
