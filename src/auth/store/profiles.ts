/** The file of profiles: kept by `conf`, for its owner's eyes only, safe against two runs at once. */
import { rename } from 'node:fs/promises';
import { OpacError, UsageError } from '../../service/errors.js';
import { underLock } from './file-lock.js';
import { currentUser, makePrivateFile } from './private-files.js';
import { type Entry, type Profile, profileName, readProfile, writeProfile } from './profile.js';
import { type Contents, openProfileFile, type ProfileFile } from './profile-file.js';

export interface ProfileStoreOptions {
  /** Folder of the file (OPAC_CONFIG_DIR); without it the system's usual one. */
  readonly directory?: string | undefined;
  /** Told what the person should know: that a corrupted file was put aside. */
  readonly notice: (message: string) => void;
  /** The user that must own folder and file; by default the one that runs the program. */
  readonly user?: number | undefined;
}

const noSuchProfile = (name: string, entries: ReadonlyMap<string, Entry>) =>
  new UsageError(
    `there is no profile "${name}"`,
    entries.size === 0
      ? 'run "opac login" to make one'
      : `there is ${[...entries.keys()].toSorted().join(', ')}`,
  );

export class ProfileStore {
  readonly #directory: string | undefined;
  readonly #notice: (message: string) => void;
  readonly #user: number | undefined;
  #opened: Promise<ProfileFile> | undefined;

  constructor({ directory, notice, user = currentUser() }: ProfileStoreOptions) {
    this.#directory = directory;
    this.#notice = notice;
    this.#user = user;
  }

  /** Where the profiles are kept. */
  async path(): Promise<string> {
    return (await this.#open()).path;
  }

  /** The profile of that name, or undefined. Throws an OpacError when its values cannot be right. */
  async get(name: string): Promise<Profile | undefined> {
    const entry = (await this.#read()).entries.get(profileName(name));
    return entry && readProfile(name, entry);
  }

  /** The names of all profiles in order, and the current one: what is used when none is named. */
  async names(): Promise<{ readonly names: readonly string[]; readonly current: string | undefined }> {
    const { entries, current } = await this.#read();
    return { names: [...entries.keys()].toSorted(), current };
  }

  /**
   * Writes what `change` makes of the profile as it is in the file at that moment, unless that is undefined or there is no
   * such profile (any more). Other profiles, and keys unknown to this version, stay as they are.
   */
  async update(name: string, change: (profile: Profile) => Profile | undefined): Promise<void> {
    await this.#change((contents) => {
      const before = contents.entries.get(name);
      const after = before && change(readProfile(name, before));
      if (!after) return contents;
      return { ...contents, entries: new Map(contents.entries).set(name, writeProfile(after, before)) };
    });
  }

  /**
   * Writes a profile, whatever was there under its name, and makes it the current one. Keys unknown to this version stay.
   */
  async put(profile: Profile): Promise<void> {
    const name = profileName(profile.name);
    await this.#change((contents) => {
      const entries = new Map(contents.entries).set(name, writeProfile(profile, contents.entries.get(name)));
      return { ...contents, entries, current: name };
    });
  }

  /** Makes a profile the current one. Throws a UsageError when there is none of that name. */
  async use(name: string): Promise<void> {
    await this.#change((contents) => {
      if (!contents.entries.has(name)) throw noSuchProfile(name, contents.entries);
      return { ...contents, current: name };
    });
  }

  /** Removes a profile; when it was the current one, there is none. Throws a UsageError when there is none of that name. */
  async remove(name: string): Promise<void> {
    await this.#change((contents) => {
      const entries = new Map(contents.entries);
      if (!entries.delete(name)) throw noSuchProfile(name, contents.entries);
      const current = contents.current === name ? undefined : contents.current;
      return { ...contents, entries, current };
    });
  }

  #open(): Promise<ProfileFile> {
    this.#opened ??= openProfileFile(this.#directory, this.#user).catch((error) => {
      throw storeError('opened', this.#directory, error);
    });
    return this.#opened;
  }

  async #read(): Promise<Contents> {
    let file: ProfileFile;
    try {
      file = await this.#open();
    } catch (error) {
      if (isFolderNotToBeMade(error)) return NOTHING;
      throw error;
    }
    try {
      const contents = file.read();
      if (contents !== 'corrupted') return contents;
      return await this.#change((whole) => whole);
    } catch (error) {
      throw storeError('read', file.path, error);
    }
  }

  /** Reads, changes and writes under a lock, so that of two runs at once neither loses what the other wrote. */
  async #change(change: (contents: Contents) => Contents): Promise<Contents> {
    const file = await this.#open();
    try {
      await file.makeFolder();
      return await underLock(`${file.path}.lock`, async () => {
        let before = file.read();
        if (before === 'corrupted') {
          await this.#putAside(file.path);
          before = NOTHING;
        }
        const after = change(before);
        file.write(after);
        await makePrivateFile(file.path);
        return after;
      });
    } catch (error) {
      throw storeError('written', file.path, error);
    }
  }

  async #putAside(path: string): Promise<void> {
    const aside = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(path, aside);
    await makePrivateFile(aside);
    this.#notice(`the profiles in "${path}" could not be read; the file is kept as "${aside}"`);
  }
}

const NOTHING: Contents = { current: undefined, entries: new Map(), foreign: {} };

/** Whether there is no folder and none can be made (a read-only home): then there are no profiles, which is no error. */
function isFolderNotToBeMade(error: unknown): boolean {
  const cause = error instanceof OpacError ? error.cause : undefined;
  if (!(cause instanceof Error && 'syscall' in cause && 'code' in cause)) return false;
  return cause.syscall === 'mkdir' || cause.code === 'ENOTDIR';
}

/** An error of the file system as one that says which file; our own errors pass. */
function storeError(what: string, path: string | undefined, error: unknown): OpacError {
  if (error instanceof OpacError) return error;
  const where = path === undefined ? 'the profiles' : `the profiles in "${path}"`;
  return new OpacError('internal', `${where} cannot be ${what}`, {
    cause: error,
    hint: 'check that the folder is yours to write, or name another in OPAC_CONFIG_DIR',
  });
}
