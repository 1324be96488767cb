/** Collects the facts about this machine for `opac doctor`. */
import { access, constants, readdir, stat } from 'node:fs/promises';
import module from 'node:module';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import { findConfigFolder } from '../../../auth/store/folders.js';
import { openKeyring } from '../../../auth/store/keyring.js';
import { getProfilePath } from '../../../auth/store/profile-file.js';
import type { JsonObject } from '../../../service/json.js';
import { VERSION } from '../../../service/version.js';
import { isMissing } from '../../../system/error-code.js';
import type { Context } from '../../context.js';
import { FOREIGN_VARIABLES, OPAC_VARIABLES } from '../../options/environment.js';

/** Node has had this function since version 22.1, but the types are those of Node 20. */
const { getCompileCacheDir } = module as { readonly getCompileCacheDir?: () => string | undefined };

/** Does not create files or folders. */
export async function diagnoseMachine({ environment, now }: Context): Promise<JsonObject> {
  const { openssl = null, node } = process.versions;
  const profiles = environment.OPAC_CONFIG_DIR || findConfigFolder();
  const cache = getCompileCacheDir?.();
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  return {
    versions: { opac: VERSION, node, openssl, singleExecutable: isSea() },
    system: { platform: process.platform, release: release(), architecture: process.arch, locale },
    time: { clock: new Date(now()).toISOString(), timeZone },
    folders: {
      current: await describePath(process.cwd()),
      temporary: await describePath(tmpdir()),
      profiles: await describePath(profiles),
      profileFile: await describePath(profiles && getProfilePath(profiles)),
    },
    caches: { compiledCode: cache ? { path: cache, bytes: await getSize(cache) } : null },
    keyring: await describeKeyring(),
    variables: listVariables(environment),
    certificates: {
      extraFile: await describePath(environment.NODE_EXTRA_CA_CERTS),
      checked: environment.NODE_TLS_REJECT_UNAUTHORIZED !== '0',
    },
  };
}

async function describePath(path: string | undefined): Promise<JsonObject | null> {
  if (!path) return null;
  try {
    const { mode } = await stat(path);
    const may = (flag: number) =>
      access(path, flag).then(
        () => true,
        () => false,
      );
    const permissions = (mode & 0o7777).toString(8);
    return { path, permissions, readable: await may(constants.R_OK), writable: await may(constants.W_OK) };
  } catch (error) {
    return { path, problem: isMissing(error) ? 'does not exist' : 'cannot be read' };
  }
}

async function getSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function describeKeyring(): Promise<string> {
  if (isSea()) return 'not part of the single executable; install the npm package to use it';
  return (await openKeyring()) ? 'available' : 'not found';
}

/** Lists only names, because values may be secrets. */
function listVariables(environment: Context['environment']): readonly string[] {
  const documented = [...OPAC_VARIABLES, ...FOREIGN_VARIABLES].flatMap(([names]) => names.split(', '));
  const known = new Set([...documented, 'NODE_OPTIONS', 'NODE_TLS_REJECT_UNAUTHORIZED']);
  return Object.keys(environment)
    .filter((name) => environment[name] && known.has(name.toUpperCase()))
    .sort();
}
