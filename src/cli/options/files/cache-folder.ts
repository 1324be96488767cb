/** The folder of what commands keep for the next ones and may lose: the names of fields. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../../auth/store/folders.js';

type Environment = NodeJS.ProcessEnv;

/** Undefined where there is none. */
export function cacheFolderIn(environment: Environment): string | undefined {
  const { OPAC_CONFIG_DIR } = environment;
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
