/** The profile file, written by `conf`, with the owner and permission checks that `conf` leaves out. */
import { dirname } from 'node:path';
import { assertOwner, makePrivateFolder } from './private-files.js';
import type { Entry } from './profile.js';

export interface ProfileFileContents {
  readonly current: string | undefined;
  /** A map, because a profile may be named like a property of every object. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Keys of the file that this version does not know. */
  readonly unknown: Entry;
}

export interface ProfileFile {
  readonly path: string;
  read(): ProfileFileContents | 'corrupted';
  /** Replaces the file atomically. */
  write(contents: ProfileFileContents): void;
  /** Creates the folder again if it is gone. */
  makeFolder(): Promise<void>;
}

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): Entry & { readonly profiles: Entry } {
  const file: unknown = JSON.parse(text);
  if (!isObject(file)) throw new TypeError('not an object');
  const { profiles = {} } = file;
  if (!isObject(profiles) || !Object.values(profiles).every(isObject)) throw new TypeError('no profiles');
  return { ...file, profiles };
}

/**
 * Opens the file in `directory` (default: the system's configuration folder). `conf` is loaded here because that takes 65 ms.
 * Throws an OpacError when folder or file belong to a user other than `user`, and errors of the file system.
 */
export async function openProfileFile(
  directory: string | undefined,
  user: number | undefined,
): Promise<ProfileFile> {
  const { default: Conf } = await import('conf');
  // In a folder that the person chose, others lose only write access: it may hold other files.
  const makeFolder = async (folder: string) => {
    await assertOwner(folder, user);
    await makePrivateFolder(folder, directory === undefined ? 0o077 : 0o022);
  };
  // conf would create a missing folder readable by everyone.
  if (directory !== undefined) await makeFolder(directory);
  let corrupted = false;
  const conf = new Conf<Record<string, unknown>>({
    projectName: 'opac',
    projectSuffix: '',
    configName: 'profiles',
    configFileMode: 0o600,
    ...(directory !== undefined && { cwd: directory }),
    // Profile names may contain dots.
    accessPropertiesByDotNotation: false,
    deserialize: (text) => {
      try {
        return parse(text);
      } catch {
        corrupted = true;
        return {};
      }
    },
  });
  const folder = dirname(conf.path);
  await makeFolder(folder);
  await assertOwner(conf.path, user);
  return {
    path: conf.path,
    read() {
      corrupted = false;
      const { current, profiles, ...unknown } = conf.store;
      if (corrupted) return 'corrupted';
      return {
        current: typeof current === 'string' ? current : undefined,
        entries: new Map(Object.entries((profiles ?? {}) as Record<string, Entry>)),
        unknown,
      };
    },
    write({ current, entries, unknown }) {
      conf.store = {
        ...(current !== undefined && { current }),
        profiles: Object.fromEntries(entries),
        ...unknown,
      };
    },
    makeFolder: () => makeFolder(folder),
  };
}
