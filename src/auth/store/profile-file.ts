/** The file that `conf` keeps, as what it holds; looked after on every side that `conf` leaves open. */
import { dirname } from 'node:path';
import { makePrivateFolder, refuseForeign } from './private-files.js';
import type { Entry } from './profile.js';

/** What the file holds. A map, so that no name can be mistaken for a property that every object has. */
export interface Contents {
  readonly current: string | undefined;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Keys of the file that this version does not know. */
  readonly foreign: Entry;
}

export interface ProfileFile {
  readonly path: string;
  /** What stands in the file at this moment. */
  read(): Contents | 'corrupted';
  /** Replaces the file in one step. */
  write(contents: Contents): void;
  /** Makes the folder anew if it vanished, for its owner alone. */
  makeFolder(): Promise<void>;
}

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws when the text is not a file of profiles. */
function parse(text: string): Entry & { readonly profiles: Entry } {
  const file: unknown = JSON.parse(text);
  if (!isObject(file)) throw new TypeError('not an object');
  const { profiles = {} } = file;
  if (!isObject(profiles) || !Object.values(profiles).every(isObject)) throw new TypeError('no profiles');
  return { ...file, profiles };
}

/**
 * Opens the file in `directory` (undefined: the system's usual folder). `conf` is loaded only now: it takes 65 ms.
 * Throws an OpacError when folder or file belong to another user than `user`, and whatever the file system throws.
 */
export async function openProfileFile(
  directory: string | undefined,
  user: number | undefined,
): Promise<ProfileFile> {
  const { default: Conf } = await import('conf');
  // From a folder that the person named, others lose only the right to write: it may hold more than our file.
  const makeFolder = async (folder: string) => {
    await refuseForeign(folder, user);
    await makePrivateFolder(folder, directory === undefined ? 0o077 : 0o022);
  };
  // conf makes a missing folder for everyone to read; one that was named is made before it does.
  if (directory !== undefined) await makeFolder(directory);
  let corrupted = false;
  const conf = new Conf<Record<string, unknown>>({
    projectName: 'opac',
    projectSuffix: '',
    configName: 'profiles',
    configFileMode: 0o600,
    ...(directory !== undefined && { cwd: directory }),
    // Names of profiles may have dots.
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
  await refuseForeign(conf.path, user);
  return {
    path: conf.path,
    read() {
      corrupted = false;
      const { current, profiles, ...foreign } = conf.store;
      if (corrupted) return 'corrupted';
      return {
        current: typeof current === 'string' ? current : undefined,
        entries: new Map(Object.entries((profiles ?? {}) as Record<string, Entry>)),
        foreign,
      };
    },
    write({ current, entries, foreign }) {
      conf.store = {
        ...(current !== undefined && { current }),
        profiles: Object.fromEntries(entries),
        ...foreign,
      };
    },
    makeFolder: () => makeFolder(folder),
  };
}
