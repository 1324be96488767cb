/** The folder of a download: locked for one run, every file in it whole, work in progress apart. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isLoopback } from '../../client/base-url.js';
import { UsageError } from '../../service/errors.js';
import { errorCode, pathExists } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { computeDigest } from '../../system/finished-file.js';
import { makeFolder, syncFolder } from '../../system/folders.js';
import { acquireLock, type Lock } from '../../system/lock.js';
import { openRegularFile } from '../../system/regular-file.js';
import { replaceFile } from '../../system/replace-file.js';
import { getStem, type IndexRow, printRows, type ReportRow, ROW_FORMATS, readRows } from './index-file.js';

const WORK_FOLDER = '.opac';
const JOURNAL_FILE = 'done.ndjson';
const LOCK = 'lock';
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

export type ExistingImage = Pick<IndexRow, 'file' | 'sourceUrl' | 'sha256' | 'bytes' | 'width' | 'height'>;

export class ImageFolder {
  readonly path: string;
  readonly work: string;
  /** By stem: from the index and from runs that did not end. */
  readonly existingImages: ReadonlyMap<string, ExistingImage>;
  readonly #lock: Lock;
  readonly #journal: FileHandle;
  #parts = 0;
  #noted = 0;

  private constructor(
    path: string,
    lock: Lock,
    journal: FileHandle,
    held: ReadonlyMap<string, ExistingImage>,
  ) {
    this.path = path;
    this.work = join(path, WORK_FOLDER);
    this.existingImages = held;
    this.#lock = lock;
    this.#journal = journal;
  }

  /** Makes a missing folder. Throws an OpacError when it cannot be written or another run writes it. */
  static async open(path: string): Promise<ImageFolder> {
    const work = join(path, WORK_FOLDER);
    try {
      // Not the folders above, which may be misspelt.
      for (const folder of [path, work]) await mkdir(folder).catch(unlessThere);
      // A link there would have us empty the folder that it leads to.
      if (!(await lstat(work)).isDirectory())
        throw new UsageError(`"${work}" is not a folder`, 'remove it, or name another folder');
    } catch (error) {
      throw fileError(error, 'write in', path);
    }
    const lock = await acquireLock(join(work, LOCK), path);
    try {
      const held = await readExistingImages(path);
      const journal = await openRegularFile(join(work, JOURNAL_FILE), APPEND);
      // Ends a line that a killed run left half written.
      await journal.write('\n');
      return new ImageFolder(path, lock, journal, held);
    } catch (error) {
      await lock.release();
      throw fileError(error, 'write in', path);
    }
  }

  rows(): AsyncGenerator<IndexRow> {
    return knownRows(this.path);
  }

  pathOf(file: string): string {
    return join(this.path, ...file.split('/'));
  }

  /** Replaces a file whole or not at all. Throws an OpacError when the disk fails. */
  async writeFile(file: string, content: string | Uint8Array): Promise<void> {
    const path = this.pathOf(file);
    await replaceFile(path, content, {
      temporary: join(this.work, `part-${this.#parts++}`),
      onWritten: () => makeFolder(dirname(path)),
    });
  }

  /** Whether no run ever brought anything. */
  get isUntouched(): boolean {
    return this.existingImages.size === 0 && this.#noted === 0;
  }

  async addToJournal(row: IndexRow): Promise<void> {
    this.#noted++;
    try {
      await this.#journal.write(`${JSON.stringify(row)}\n`);
    } catch (error) {
      throw fileError(error, 'write', join(this.work, JOURNAL_FILE));
    }
  }

  async remove(file: string): Promise<void> {
    const path = this.pathOf(file);
    await rm(path, { force: true }).catch((error) => Promise.reject(fileError(error, 'write', path)));
    await syncFolder(dirname(path));
    try {
      for (let parent = dirname(file); parent !== '.'; parent = dirname(parent))
        await rmdir(this.pathOf(parent));
    } catch {
      // A folder that is not empty stays.
    }
  }

  /** Writes the index or the report. After a power cut no row names a file that was lost. */
  async writeRows(kind: 'index' | 'report', rows: () => AsyncIterable<IndexRow | ReportRow>): Promise<void> {
    for (const format of ROW_FORMATS) {
      const name = `${kind}.${format}`;
      const lines = printRows(kind, format, rows());
      await replaceFile(join(this.path, name), lines, { temporary: join(this.work, name) });
    }
  }

  /** `done`: the index holds all that the journal does. */
  async close(done: boolean): Promise<void> {
    await this.#journal.close().catch(() => undefined);
    const isOver = done || this.isUntouched;
    if (isOver) {
      await syncFolder(this.path);
      // Parts that a killed run left.
      for (const name of await readdir(this.work).catch(() => []))
        if (name !== LOCK) await rm(join(this.work, name), { force: true }).catch(() => undefined);
    }
    await this.#lock.release();
    if (isOver) await rmdir(this.work).catch(() => undefined);
    // Succeeds only when nothing else is in it.
    if (!done && isOver) await rmdir(this.path).catch(() => undefined);
  }
}

function unlessThere(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}

export async function readExistingImages(path: string): Promise<Map<string, ExistingImage>> {
  const held = new Map<string, ExistingImage>();
  for await (const { file, sourceUrl, sha256, bytes, width, height } of knownRows(path))
    held.set(getStem(file), { file, sourceUrl, sha256, bytes, width, height });
  return held;
}

/** Of two rows for one file the later one holds. */
async function* knownRows(path: string): AsyncGenerator<IndexRow> {
  yield* readRows(join(path, 'index.ndjson'));
  yield* readRows(join(path, WORK_FOLDER, JOURNAL_FILE));
}

/** In hexadecimal; undefined for a missing file or another size. Throws an OpacError when it cannot be read. */
export async function computeSha256(path: string, bytes?: number): Promise<string | undefined> {
  if (!(await pathExists(path))) return undefined;
  const digest = await computeDigest(path);
  return bytes === undefined || bytes === digest.bytes ? digest.sha256 : undefined;
}

/** Whether two runs fetch from the same address. Ignores the port on loopback: the built-in museum has another one each time. */
export function isSameSource(one: string, other: string): boolean {
  if (one === other) return true;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [first, second] = [new URL(one), new URL(other)];
  const isHere = isLoopback(first.hostname) && isLoopback(second.hostname);
  return isHere && `${first.pathname}${first.search}` === `${second.pathname}${second.search}`;
}
