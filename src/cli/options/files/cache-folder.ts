/** The folder of what commands keep for the next ones and may lose: the names of fields, the indexes of exported files. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../../auth/store/folders.js';
import { yesOrNo } from '../settings.js';

type Environment = NodeJS.ProcessEnv;

/** Whether `OPAC_CACHE` allows one. Throws a UsageError for a value that is neither yes nor no. */
export function wantsCache({ OPAC_CACHE }: Environment): boolean {
  return !OPAC_CACHE || yesOrNo(OPAC_CACHE, 'OPAC_CACHE');
}

/** Undefined where there is none, or none is wanted. */
export function cacheFolderIn(environment: Environment): string | undefined {
  const { OPAC_CONFIG_DIR } = environment;
  if (!wantsCache(environment)) return undefined;
  return OPAC_CONFIG_DIR ? join(OPAC_CONFIG_DIR, 'cache') : cacheFolder(environment);
}

/** Makes the folder where it is missing and can be made. */
export function makeCacheFolder(folder: string, { OPAC_CONFIG_DIR }: Environment): void {
  try {
    // A folder in OPAC_CONFIG_DIR may be misspelt, so it is not created.
    mkdirSync(folder, { recursive: !OPAC_CONFIG_DIR, mode: 0o700 });
  } catch {
    // It exists, or cannot be made: then writing fails.
  }
}
