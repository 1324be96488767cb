/** The profile file, written by `conf`, with the owner and permission checks that `conf` leaves out. */
import { join } from 'node:path';
import { UsageError } from '../../service/errors.js';
import { parseJson } from '../../service/parse-json.js';
import { homeFolder } from './folders.js';
import { assertOwner, assertPrivateFile, makePrivateFolder } from './private-files.js';
import type { Entry } from './profile.js';

export interface ProfileFileContents {
  readonly current: string | undefined;
  /** A map, as a profile may be named `constructor`. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly unknown: Entry;
}

export interface ProfileFile {
  readonly path: string;
  read(): ProfileFileContents | 'corrupted';
  write(contents: ProfileFileContents): void;
  makeFolder(): Promise<void>;
}

const CONFIG_NAME = 'profiles';

/** Raised when an older version would read the file otherwise. The first files had none. */
const PROFILES_FORMAT = 1;

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): Entry & { readonly profiles: Entry } {
  const file: unknown = parseJson(text);
  if (!isObject(file)) throw new TypeError('not an object');
  const { profiles = {} } = file;
  if (!isObject(profiles) || !Object.values(profiles).every(isObject)) throw new TypeError('no profiles');
  return { ...file, profiles };
}

function formatOf(text: string): number {
  const file: unknown = parseJson(text);
  return isObject(file) && typeof file.format === 'number' ? file.format : PROFILES_FORMAT;
}

export const profileFilePath = (folder: string): string => join(folder, `${CONFIG_NAME}.json`);

/** `conf` takes 65 ms to load, and asks for the home folder then: without one it could not be loaded. */
async function loadConf(folder: string) {
  const { HOME } = process.env;
  if (homeFolder() === undefined) process.env.HOME = folder;
  try {
    return (await import('conf')).default;
  } finally {
    if (HOME === undefined) delete process.env.HOME;
    else process.env.HOME = HOME;
  }
}

/** A shared folder may hold other files, as the person chose it. Throws an OpacError for another user's folder or file. */
export async function openProfileFile(
  folder: string,
  { user, isShared }: { readonly user: number | undefined; readonly isShared: boolean },
): Promise<ProfileFile> {
  const Conf = await loadConf(folder);
  // In a shared folder, others lose only write access.
  const makeFolder = async () => {
    await assertOwner(folder, user);
    await makePrivateFolder(folder, isShared ? 0o022 : 0o077);
  };
  // conf would create a missing folder readable by everyone.
  await makeFolder();
  await assertOwner(profileFilePath(folder), user);
  await assertPrivateFile(profileFilePath(folder));
  let corrupted = false;
  let format = PROFILES_FORMAT;
  const conf = new Conf<Record<string, unknown>>({
    projectName: 'opac',
    projectSuffix: '',
    configName: CONFIG_NAME,
    configFileMode: 0o600,
    cwd: folder,
    accessPropertiesByDotNotation: false,
    deserialize: (text) => {
      try {
        format = formatOf(text);
        return format > PROFILES_FORMAT ? {} : parse(text);
      } catch {
        corrupted = true;
        return {};
      }
    },
  });
  return {
    path: conf.path,
    read() {
      corrupted = false;
      const { format: _, current, profiles, ...unknown } = conf.store;
      if (format > PROFILES_FORMAT) {
        const versions = `format ${format}, this version reads up to ${PROFILES_FORMAT}`;
        throw new UsageError(
          `a newer opac wrote the profiles in "${conf.path}" (${versions})`,
          'update opac, or set OPAC_CONFIG_DIR to another folder',
        );
      }
      if (corrupted) return 'corrupted';
      return {
        current: typeof current === 'string' ? current : undefined,
        entries: new Map(Object.entries((profiles ?? {}) as Record<string, Entry>)),
        unknown,
      };
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
