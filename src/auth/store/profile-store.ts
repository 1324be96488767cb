/** The profile store: a file that only its owner can read. A lock lets several processes change it, one after the other. */
import { access, constants, rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { OpacError, UsageError } from '../../service/errors.js';
import { isMissing } from '../../system/error-code.js';
import { syncFolder } from '../../system/folders.js';
import { acquireLock } from '../../system/lock.js';
import { NotRegularFileError } from '../../system/regular-file.js';
import { findConfigFolder } from './folders.js';
import {
  isUnusable,
  type Profile,
  type ProfileEntry,
  parseProfile,
  parseProfileName,
  serializeProfile,
} from './profile.js';
import {
  EMPTY,
  getProfilePath,
  openProfileFile,
  type ProfileFile,
  type ProfileFileContents,
} from './profile-file.js';

const MAX_LOCK_WAIT_MS = 20_000;

interface ProfileStoreOptions {
  /** The value of OPAC_CONFIG_DIR. Default: the system's configuration folder. */
  readonly folder?: string | undefined;
  readonly note: (message: string) => void;
  readonly user?: number | undefined;
}

const createUnknownProfileError = (name: string, entries: ReadonlyMap<string, ProfileEntry>) =>
  new UsageError(
    `no profile "${name}"`,
    entries.size === 0
      ? 'log in with "opac login"'
      : `choose from ${[...entries.keys()].toSorted().join(', ')}`,
    'unknown-profile',
  );

export class ProfileStore {
  readonly #configuredFolder: string | undefined;
  readonly #note: (message: string) => void;
  readonly #user: number | undefined;
  #opened: Promise<ProfileFile> | undefined;

  constructor({ folder, note, user = process.getuid?.() }: ProfileStoreOptions) {
    this.#configuredFolder = folder;
    this.#note = note;
    this.#user = user;
  }

  async path(): Promise<string> {
    return (await this.#open()).path;
  }

  /** Throws an OpacError if profiles cannot be saved. Creates no file or folder. */
  async assertWritable(): Promise<void> {
    const folder = this.#folder();
    if (folder === undefined) throw createNoFolderError();
    for (let at = resolve(folder); ; at = dirname(at)) {
      try {
        return await access(at, constants.W_OK | constants.X_OK);
      } catch (error) {
        // `save` creates missing folders, so the nearest parent that exists must be writable.
        if (!isMissing(error) || dirname(at) === at)
          throw createStoreError('write', getProfilePath(folder), error);
      }
    }
  }

  async get(name: string): Promise<Profile | undefined> {
    const entry = (await this.#read()).entries.get(parseProfileName(name));
    return entry && parseProfile(name, entry);
  }

  /** If the profile does not exist, throws a UsageError that lists the known profiles. */
  async getRequired(name: string): Promise<Profile> {
    const profile = await this.get(name);
    if (!profile) throw createUnknownProfileError(name, (await this.#read()).entries);
    return profile;
  }

  /** Returns undefined if the profile does not exist or is invalid. `onInvalid` receives the error of an invalid profile. */
  async getUsable(name: string, onInvalid?: (error: OpacError) => void): Promise<Profile | undefined> {
    try {
      return await this.get(name);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      onInvalid?.(error);
      return undefined;
    }
  }

  async listNames(): Promise<{
    readonly names: readonly string[];
    readonly current: string | undefined;
  }> {
    const { entries, current } = await this.#read();
    return { names: [...entries.keys()].toSorted(), current };
  }

  /** Changes nothing if the profile does not exist or `change` returns undefined. Preserves keys of newer versions. */
  async update(name: string, change: (profile: Profile) => Profile | undefined): Promise<void> {
    await this.#change((contents) => {
      const previous = contents.entries.get(name);
      const next = previous && change(parseProfile(name, previous));
      if (!next) return contents;
      return { ...contents, entries: new Map(contents.entries).set(name, serializeProfile(next, previous)) };
    });
  }

  /** Saves the profile and makes it the current profile. Preserves keys of newer versions. */
  async save(profile: Profile): Promise<void> {
    const name = parseProfileName(profile.name);
    await this.#change((contents) => {
      const entries = new Map(contents.entries).set(
        name,
        serializeProfile(profile, contents.entries.get(name)),
      );
      return { ...contents, entries, current: name };
    });
  }

  async setCurrent(name: string): Promise<void> {
    await this.#change((contents) => {
      if (!contents.entries.has(name)) throw createUnknownProfileError(name, contents.entries);
      return { ...contents, current: name };
    });
  }

  async remove(name: string): Promise<void> {
    await this.#change((contents) => {
      const entries = new Map(contents.entries);
      if (!entries.delete(name)) throw createUnknownProfileError(name, contents.entries);
      const current = contents.current === name ? undefined : contents.current;
      return { ...contents, entries, current };
    });
  }

  #folder(): string | undefined {
    return this.#configuredFolder || findConfigFolder();
  }

  #open(): Promise<ProfileFile> {
    const folder = this.#folder();
    if (folder === undefined) throw createNoFolderError();
    const options = { user: this.#user, isShared: Boolean(this.#configuredFolder) };
    this.#opened ??= openProfileFile(folder, options).catch((error) => {
      throw createStoreError('open', folder, error);
    });
    return this.#opened;
  }

  async #read(): Promise<ProfileFileContents> {
    const folder = this.#folder();
    if (folder === undefined || !(await profileFileExists(getProfilePath(folder)))) return EMPTY;
    const file = await this.#open();
    try {
      const contents = file.read();
      if (contents !== 'corrupted') return contents;
      // `#change` moves the corrupted file away.
      return await this.#change((now) => now);
    } catch (error) {
      throw createStoreError('read', file.path, error);
    }
  }

  /** Changes the file under a lock, so that two processes do not overwrite each other's changes. */
  async #change(
    change: (contents: ProfileFileContents) => ProfileFileContents,
  ): Promise<ProfileFileContents> {
    const file = await this.#open();
    try {
      await file.makeFolder();
      const options = { timeout: MAX_LOCK_WAIT_MS, mode: 0o600 };
      const lock = await acquireLock(`${file.path}.lock`, 'the profiles', options);
      try {
        let before = file.read();
        if (before === 'corrupted') {
          await this.#moveCorrupted(file.path);
          before = EMPTY;
        }
        const after = change(before);
        file.write(after);
        await syncFolder(dirname(file.path));
        return after;
      } finally {
        await lock.release();
      }
    } catch (error) {
      throw createStoreError('write', file.path, error);
    }
  }

  async #moveCorrupted(path: string): Promise<void> {
    const aside = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(path, aside);
    this.#note(`cannot parse the profiles in "${path}"; renamed the file to "${aside}"`);
  }
}

const createNoFolderError = () =>
  new OpacError('internal', 'cannot save profiles without a home folder', {
    hint: 'set OPAC_CONFIG_DIR to a folder that you own',
  });

async function profileFileExists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw createStoreError('read', path, error);
  }
}

function createStoreError(action: string, path: string, error: unknown): OpacError {
  if (error instanceof OpacError) return error;
  if (error instanceof NotRegularFileError)
    return new OpacError('internal', error.message, { hint: 'remove it' });
  const [, reason] = /^E\w+: ([^,]+)/.exec(error instanceof Error ? error.message : '') ?? [];
  const message = `cannot ${action} the profiles in "${path}"`;
  return new OpacError('internal', reason === undefined ? message : `${message}: ${reason}`, {
    cause: error,
    hint: 'check that you can write to the folder, or set OPAC_CONFIG_DIR to another folder',
  });
}
