/** Reads and writes the profile file with the package `conf`. Checks the owner and the permissions, because `conf` does not. */
import { join } from 'node:path';
import { UsageError } from '../../service/errors.js';
import { isObject } from '../../service/json.js';
import { tryParseJson } from '../../service/parse-json.js';
import { findHomeFolder } from './folders.js';
import { assertOwner, assertPrivateFile, makePrivateFolder } from './private-files.js';
import type { ProfileEntry } from './profile.js';

export interface ProfileFileContents {
  readonly current: string | undefined;
  /** A map, because a profile may have the name `constructor`. */
  readonly entries: ReadonlyMap<string, ProfileEntry>;
  readonly unknown: ProfileEntry;
}

export const EMPTY: ProfileFileContents = { current: undefined, entries: new Map(), unknown: {} };

export interface ProfileFile {
  readonly path: string;
  read(): ProfileFileContents | 'corrupted';
  write(contents: ProfileFileContents): void;
  makeFolder(): Promise<void>;
}

const CONFIG_NAME = 'profiles';

/** The number of the file format. Increase it if older versions would misread the file. The first version wrote no number. */
const PROFILES_FORMAT = 1;

/** Returns undefined for text that is not a profile file. Throws a UsageError for a file from a newer version. */
function parseContents(text: string, path: string): ProfileFileContents | undefined {
  const file = tryParseJson(text);
  if (!isObject(file)) return undefined;
  const { format = PROFILES_FORMAT, current, profiles = {}, ...unknown } = file;
  if (typeof format === 'number' && format > PROFILES_FORMAT) {
    const versions = `format ${format}, this version reads up to ${PROFILES_FORMAT}`;
    throw new UsageError(
      `a newer opac wrote the profiles in "${path}" (${versions})`,
      'update opac, or set OPAC_CONFIG_DIR to another folder',
    );
  }
  if (!isObject(profiles)) return undefined;
  const entries = new Map<string, ProfileEntry>();
  for (const [name, entry] of Object.entries(profiles)) {
    if (!isObject(entry)) return undefined;
    entries.set(name, entry);
  }
  return { current: typeof current === 'string' ? current : undefined, entries, unknown };
}

export const getProfilePath = (folder: string): string => join(folder, `${CONFIG_NAME}.json`);

/** Loads `conf` on demand, because this takes 65 ms. `conf` requires HOME, so this function sets it if no home folder exists. */
async function loadConf(folder: string) {
  const { HOME } = process.env;
  if (findHomeFolder() === undefined) process.env.HOME = folder;
  try {
    return (await import('conf')).default;
  } finally {
    if (HOME === undefined) delete process.env.HOME;
    else process.env.HOME = HOME;
  }
}

/** Creates the folder. Throws an OpacError if another user owns the folder or the file, or can access the file. */
export async function openProfileFile(
  folder: string,
  { user, isShared }: { readonly user: number | undefined; readonly isShared: boolean },
): Promise<ProfileFile> {
  const Conf = await loadConf(folder);
  // In a shared folder, other users keep read access and lose write access.
  const makeFolder = async () => {
    await assertOwner(folder, user);
    await makePrivateFolder(folder, isShared ? 0o022 : 0o077);
  };
  // Creates the folder before `conf` does, because everyone could read a folder that `conf` creates.
  await makeFolder();
  await assertOwner(getProfilePath(folder), user);
  await assertPrivateFile(getProfilePath(folder));
  const conf = new Conf<Record<string, unknown>>({
    projectName: 'opac',
    projectSuffix: '',
    configName: CONFIG_NAME,
    configFileMode: 0o600,
    cwd: folder,
    accessPropertiesByDotNotation: false,
    // Gives `conf` the text instead of parsed values, because `conf` would fail if the text cannot be parsed.
    deserialize: (text) => ({ text }),
  });
  return {
    path: conf.path,
    read() {
      const { text } = conf.store;
      if (typeof text !== 'string') return EMPTY;
      return parseContents(text, conf.path) ?? 'corrupted';
    },
    write({ current, entries, unknown }) {
      conf.store = {
        format: PROFILES_FORMAT,
        ...(current !== undefined && { current }),
        profiles: Object.fromEntries(entries),
        ...unknown,
      };
    },
    makeFolder,
  };
}
