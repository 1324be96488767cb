/** The folder of a download. Only one run can use it at a time. Unfinished files are only in the work folder `.opac`. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../../service/errors.js';
import { errorCode, isMissing } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { isOwnedLike } from '../../system/file-owner.js';
import { computeDigest } from '../../system/finished-file.js';
import { makeFolder, syncFolder } from '../../system/folders.js';
import { acquireLock, type Lock, type LockOptions } from '../../system/lock.js';
import { createLinkError, getPathType } from '../../system/output-path.js';
import { openRegularFile, readRegularFile } from '../../system/regular-file.js';
import { replaceFile } from '../../system/replace-file.js';
import {
  assertNoForeignIndex,
  formatRows,
  getStem,
  type IndexRow,
  type ReportRow,
  ROW_FORMATS,
  readRows,
} from './index-file.js';
import { isUnchangedSidecar } from './sidecar.js';

const WORK_FOLDER = '.opac';
/** The journal: a row for each image that a run has saved but not yet added to the index. */
const JOURNAL_FILE = 'done.ndjson';
const LOCK = 'lock';
/** The files in the work folder that opac may delete, except the files of the lock. */
const WORK_FILE = /^(?:part-\d+|(?:plan|index|report|done)\.(?:ndjson|csv)(?:\.opac-new)?)$/;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

type Note = LockOptions['onTakeover'];

export type ExistingImage = Pick<IndexRow, 'file' | 'sourceUrl' | 'sha256' | 'bytes' | 'width' | 'height'>;

export class ImageFolder {
  readonly path: string;
  readonly work: string;
  /** The images in the index and the journal, by path without file extension. */
  readonly existingImages: ReadonlyMap<string, ExistingImage>;
  readonly #isNew: boolean;
  readonly #lock: Lock;
  readonly #journal: FileHandle;
  #parts = 0;
  #journalRows = 0;

  private constructor(
    path: string,
    isNew: boolean,
    lock: Lock,
    journal: FileHandle,
    images: ReadonlyMap<string, ExistingImage>,
  ) {
    this.path = path;
    this.work = join(path, WORK_FOLDER);
    this.existingImages = images;
    this.#isNew = isNew;
    this.#lock = lock;
    this.#journal = journal;
  }

  /** Throws an OpacError if opac cannot write or if another run is writing, and a UsageError if opac must not use the folder. */
  static async open(path: string, note?: Note, signal?: AbortSignal): Promise<ImageFolder> {
    const work = join(path, WORK_FOLDER);
    let isNew = false;
    try {
      if ((await getPathType(path)) === 'link') throw createLinkError(path);
      // Does not create parent folders, because their names may be misspelt.
      isNew = await createFolder(path);
      await createFolder(work);
      // If the work folder were a link, opac would delete files in its target.
      if (!(await lstat(work)).isDirectory())
        throw new UsageError(`"${work}" is not a folder`, 'remove it, or choose another folder');
    } catch (error) {
      throw fileError(error, 'write in', path);
    }
    const lock = await acquireLock(join(work, LOCK), path, { onTakeover: note });
    try {
      if (!(await isOwnedLike(join(work, LOCK), work)))
        throw new UsageError(`"${work}" belongs to another user`, 'remove it, or choose another folder');
      const images = await readExistingImages(path, note, signal);
      for (const format of ROW_FORMATS)
        for (const list of [`index.${format}`, `report.${format}`])
          if (!(await isOwnedLike(join(work, LOCK), join(path, list))))
            throw new UsageError(`"${join(path, list)}" belongs to another user`, 'choose another folder');
      if (images.size === 0) await assertNoForeignIndex(path);
      // Deletes files of earlier runs. Also deletes pipes with the name of a work file, because a pipe would make this run fail.
      await removeFiles(work, (name) => WORK_FILE.test(name) && name !== JOURNAL_FILE);
      const journal = await openRegularFile(join(work, JOURNAL_FILE), APPEND);
      // Through a hard link, opac would append to another file.
      if ((await journal.stat()).nlink > 1) {
        await journal.close();
        throw new UsageError(`"${join(work, JOURNAL_FILE)}" is a hard link`, 'remove it');
      }
      // Ends the last line, which may be incomplete if a run was interrupted.
      await journal.write('\n');
      return new ImageFolder(path, isNew, lock, journal, images);
    } catch (error) {
      await lock.release();
      signal?.throwIfAborted();
      throw fileError(error, 'write in', path);
    }
  }

  readRows(): AsyncGenerator<IndexRow> {
    return readKnownRows(this.path);
  }

  getPath(file: string): string {
    return join(this.path, ...file.split('/'));
  }

  /** Throws a UsageError if a parent of the file exists but is not a folder. A link could lead to files of other users. */
  async refuseLinks(file: string): Promise<void> {
    const path = await this.#findLink(file);
    if (path !== undefined)
      throw new UsageError(`"${path}" is not a folder`, 'remove it, or choose another folder');
  }

  async #findLink(file: string): Promise<string | undefined> {
    for (let parent = dirname(file); parent !== '.'; parent = dirname(parent)) {
      const path = this.getPath(parent);
      const found = await readStats(path, lstat);
      if (found && !found.isDirectory()) return path;
    }
    return undefined;
  }

  /** Replaces a file completely or not at all. Throws an OpacError, the UsageError of `refuseLinks`, or the signal's reason. */
  async writeFile(file: string, content: string | Uint8Array, signal?: AbortSignal): Promise<void> {
    await this.refuseLinks(file);
    const path = this.getPath(file);
    await replaceFile(path, content, {
      temporary: join(this.work, `part-${this.#parts++}`),
      signal,
      onWritten: async () => {
        await makeFolder(dirname(path));
        this.#lock.assertHeld();
      },
    });
  }

  /** Aborted if another run took over the folder. */
  get lost(): AbortSignal {
    return this.#lock.lost;
  }

  /** Whether neither this run nor an earlier run has saved an image. */
  get isUntouched(): boolean {
    return this.existingImages.size === 0 && this.#journalRows === 0;
  }

  async addToJournal(row: IndexRow): Promise<void> {
    this.#journalRows++;
    try {
      await this.#journal.write(`${JSON.stringify(row)}\n`);
    } catch (error) {
      throw fileError(error, 'write', join(this.work, JOURNAL_FILE));
    }
  }

  /**
   * Deletes an image and its unchanged sidecar. Deletes nothing and returns false if the image is missing or changed, or if its
   * path contains a link.
   */
  async removeImage({ file, sha256, bytes }: ExistingImage): Promise<boolean> {
    const isFile = await lstat(this.getPath(file)).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isFile || (await this.#findLink(file)) !== undefined) return false;
    if ((await computeSha256(this.getPath(file), bytes)) !== sha256) return false;
    const sidecar = getSidecarPath(file);
    const content = await readRegularFile(this.getPath(sidecar)).catch(() => '');
    if (isUnchangedSidecar(content, sha256)) await this.remove(sidecar);
    await this.remove(file);
    return true;
  }

  /** Deletes a file, and then its parent folders that are empty. */
  async remove(file: string): Promise<void> {
    this.#lock.assertHeld();
    const path = this.getPath(file);
    await rm(path, { force: true }).catch((error) => Promise.reject(fileError(error, 'write', path)));
    await syncFolder(dirname(path));
    try {
      for (let parent = dirname(file); parent !== '.'; parent = dirname(parent))
        await rmdir(this.getPath(parent));
    } catch {
      // The folder is not empty.
    }
  }

  /** Replaces the index or the report. `writeFile` has already synced the images, so they exist even after a power failure. */
  async writeRows(kind: 'index' | 'report', rows: () => AsyncIterable<IndexRow | ReportRow>): Promise<void> {
    for (const format of ROW_FORMATS) {
      const name = `${kind}.${format}`;
      const lines = formatRows(kind, format, rows());
      const onWritten = async () => this.#lock.assertHeld();
      await replaceFile(join(this.path, name), lines, { temporary: join(this.work, name), onWritten });
    }
  }

  /**
   * `done`: the index contains all rows of the journal. Deletes the work folder if `done`, or if no run saved an image. Without
   * `done`, also deletes an empty folder that this run created.
   */
  async close(done: boolean): Promise<void> {
    await this.#journal.close().catch(() => undefined);
    const isOver = (done || this.isUntouched) && !this.lost.aborted;
    if (isOver) {
      await syncFolder(this.path);
      await removeFiles(this.work, (name) => WORK_FILE.test(name) || name.startsWith(`${LOCK}.`));
    }
    await this.#lock.release();
    if (isOver) await rmdir(this.work).catch(() => undefined);
    // Succeeds only if the folder is empty.
    if (this.#isNew && !done && isOver) await rmdir(this.path).catch(() => undefined);
  }
}

async function removeFiles(folder: string, isMatch: (name: string) => boolean): Promise<void> {
  // Another user may have replaced the folder with a link during the run.
  if (!(await readStats(folder, lstat))?.isDirectory()) return;
  for (const name of await readdir(folder).catch(() => []))
    if (isMatch(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
}

/** Returns false if the folder exists. */
async function createFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

export async function readExistingImages(
  path: string,
  note?: Note,
  signal?: AbortSignal,
): Promise<Map<string, ExistingImage>> {
  const images = new Map<string, ExistingImage>();
  for await (const { file, sourceUrl, sha256, bytes, width, height } of readKnownRows(path, note, signal))
    images.set(getStem(file), { file, sourceUrl, sha256, bytes, width, height });
  return images;
}

/** Yields the rows of the index, then the rows of the journal. If an image has two rows, the later row is valid. */
async function* readKnownRows(path: string, note?: Note, signal?: AbortSignal): AsyncGenerator<IndexRow> {
  yield* readRows(join(path, 'index.ndjson'), note, signal);
  yield* readRows(join(path, WORK_FOLDER, JOURNAL_FILE), note, signal);
}

export const getSidecarPath = (file: string) => `${file}.json`;

/** Returns undefined if the path is not a file, or not a file of `bytes` bytes. Throws an OpacError for a read error. */
export async function computeSha256(path: string, bytes?: number): Promise<string | undefined> {
  const found = await readStats(path, stat);
  const isExpected = found?.isFile() && (bytes === undefined || bytes === found.size);
  return isExpected ? (await computeDigest(path)).sha256 : undefined;
}

async function readStats(path: string, read: typeof stat | typeof lstat): Promise<Stats | undefined> {
  return read(path).catch((error) => {
    if (!isMissing(error)) throw fileError(error, 'read', path);
    return undefined;
  });
}
