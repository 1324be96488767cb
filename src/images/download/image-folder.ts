/** The folder that images are downloaded into: one run at a time, every file in it whole, and a place for what is under way. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileError } from '../../export/files/file-error.js';
import { type Lock, takeLock } from '../../export/files/lock.js';
import { openNew } from '../../export/files/open-new.js';
import { syncFolder, writeSynced } from '../../export/files/whole-file.js';
import { errorCode, isMissing } from '../../system/file-errors.js';
import { makeFolder } from '../../system/make-folder.js';
import { type IndexFormat, type IndexRow, readIndex, readRows, rowPrinter, stemOf } from './index-file.js';

/** What is under way: the journal of a run that was killed is found here. */
const WORK = '.opac';
const JOURNAL = 'done.ndjson';
const LOCK = 'lock';

/** What is known of a file in the folder. */
export type Held = Pick<IndexRow, 'file' | 'sourceUrl' | 'sha256' | 'bytes' | 'width' | 'height'>;

export class ImageFolder {
  readonly path: string;
  /** Of this run alone. */
  readonly work: string;
  /** By the stem of the file: of the index, and of a run that did not end. */
  readonly held: ReadonlyMap<string, Held>;
  readonly #lock: Lock;
  readonly #journal: FileHandle;
  #parts = 0;
  #noted = 0;

  private constructor(path: string, lock: Lock, journal: FileHandle, held: ReadonlyMap<string, Held>) {
    this.path = path;
    this.work = join(path, WORK);
    this.held = held;
    this.#lock = lock;
    this.#journal = journal;
  }

  /** Makes the folder where it is not there. Throws an OpacError when it cannot be written, or another run writes it. */
  static async open(path: string): Promise<ImageFolder> {
    const work = join(path, WORK);
    try {
      // Not the folders above, which may be misspelt.
      for (const folder of [path, work]) await mkdir(folder).catch(unlessThere);
    } catch (error) {
      throw fileError(error, 'write in', path);
    }
    const lock = await takeLock(join(work, LOCK), path);
    try {
      const held = await heldIn(path);
      const journal = await open(join(work, JOURNAL), 'a');
      // Half a line that a killed run left must not spoil the next one.
      await journal.write('\n');
      return new ImageFolder(path, lock, journal, held);
    } catch (error) {
      await lock.release();
      throw fileError(error, 'write in', path);
    }
  }

  /** What is known of the files, by the index and by runs that did not end. */
  rows(): AsyncGenerator<IndexRow> {
    return knownRows(this.path);
  }

  pathOf(file: string): string {
    return join(this.path, ...file.split('/'));
  }

  /** Puts a file in its place, whole or not at all. Throws an OpacError when the disk does not take it. */
  async place(file: string, content: string | Uint8Array): Promise<void> {
    const part = join(this.work, `part-${this.#parts++}`);
    const target = this.pathOf(file);
    try {
      await writeSynced(part, content);
      await makeFolder(dirname(target));
      await rename(part, target);
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      throw fileError(error, 'write', target);
    }
  }

  /** Whether neither this run nor any before it has brought anything. */
  get isUntouched(): boolean {
    return this.held.size === 0 && this.#noted === 0;
  }

  /** Notes an image that is in its place. */
  async note(row: IndexRow): Promise<void> {
    this.#noted++;
    try {
      await this.#journal.write(`${JSON.stringify(row)}\n`);
    } catch (error) {
      throw fileError(error, 'write', join(this.work, JOURNAL));
    }
  }

  /** Removes a file, and the folders around it that are empty then. */
  async remove(file: string): Promise<void> {
    await rm(this.pathOf(file), { force: true });
    for (let parent = dirname(file); parent !== '.'; parent = dirname(parent)) {
      const emptied = await rmdir(this.pathOf(parent)).then(
        () => true,
        () => false,
      );
      if (!emptied) return;
    }
  }

  /** Writes the index or the report in these formats and removes those in others; all of them when there are no rows. */
  async writeRows<Row extends Parameters<ReturnType<typeof rowPrinter>['line']>[0]>(
    kind: 'index' | 'report',
    rows: () => AsyncIterable<Row>,
    formats: Readonly<Record<IndexFormat, boolean>>,
  ): Promise<void> {
    for (const format of ['ndjson', 'csv'] as const) {
      const target = join(this.path, `${kind}.${format}`);
      const part = join(this.work, `${kind}.${format}`);
      try {
        if (!formats[format]) {
          await rm(target, { force: true });
          continue;
        }
        const printer = rowPrinter(kind, format);
        let count = 0;
        const lines = async function* () {
          yield printer.head;
          for await (const row of rows()) {
            count++;
            yield printer.line(row);
          }
        };
        await pipeline(Readable.from(lines()), (await openNew(part)).createWriteStream());
        if (kind === 'report' && count === 0) await rm(target, { force: true });
        else await rename(part, target);
      } catch (error) {
        throw fileError(error, 'write', target);
      }
    }
  }

  /** Ends a run; `done` when the index says all that the journal says. */
  async close(done: boolean): Promise<void> {
    await this.#journal.close().catch(() => undefined);
    const isOver = done || this.isUntouched;
    if (isOver) {
      await syncFolder(this.path);
      // A killed run leaves parts as many as it wrote at once.
      for (const name of await readdir(this.work).catch(() => []))
        if (name !== LOCK) await rm(join(this.work, name), { force: true }).catch(() => undefined);
    }
    await this.#lock.release();
    if (isOver) await rmdir(this.work).catch(() => undefined);
    // Only where this is all that stood in it.
    if (!done && isOver) await rmdir(this.path).catch(() => undefined);
  }
}

function unlessThere(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}

/** What an index and an unfinished run say of the files in a folder. */
export async function heldIn(path: string): Promise<Map<string, Held>> {
  const held = new Map<string, Held>();
  for await (const { file, sourceUrl, sha256, bytes, width, height } of knownRows(path))
    held.set(stemOf(file), { file, sourceUrl, sha256, bytes, width, height });
  return held;
}

/** The later of two rows for one file is the one that holds. */
async function* knownRows(path: string): AsyncGenerator<IndexRow> {
  yield* readIndex(path);
  for await (const row of readRows(join(path, WORK, JOURNAL), 'ndjson')) if (row) yield row;
}

/** The SHA-256 of a file in hexadecimal; undefined where there is none. Throws an OpacError when it cannot be read. */
export async function sha256Of(path: string, bytes?: number): Promise<string | undefined> {
  try {
    if (bytes !== undefined && (await stat(path)).size !== bytes) return undefined;
    const hash = createHash('sha256');
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
    return hash.digest('hex');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(error, 'read', path);
  }
}
