/** A file that opac appends to, with the SHA-256 of its bytes. */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, lstat } from 'node:fs/promises';
import type { OpacError } from '../service/errors.js';
import { formatCount, formatNumber } from '../service/format-numbers.js';
import { fileError, resumeError } from './file-error.js';
import { openExclusively, openRegularFile } from './regular-file.js';

const PIECE_BYTES = 1 << 20;
const CHANGED = 'another program changed it in the meantime';

/** The number of bytes to keep at the start of a file, and their SHA-256 if it is known. */
export interface FileState {
  readonly bytes: number;
  readonly sha256?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface NewFile {
  readonly mode?: number | undefined;
  /** The path in error messages. Default: the path of the file. */
  readonly named?: string | undefined;
}

export class AppendFile {
  readonly path: string;
  readonly #named: string;
  readonly #handle: FileHandle;
  readonly #hash: Hash;
  #bytes: number;
  /** After an error, bytes may be missing in the file, so later calls of `append` and `sync` throw the error again. */
  #failure: OpacError | undefined;

  private constructor(path: string, handle: FileHandle, bytes: number, hash: Hash, named = path) {
    this.path = path;
    this.#named = named;
    this.#handle = handle;
    this.#bytes = bytes;
    this.#hash = hash;
  }

  static async create(path: string, { mode, named = path }: NewFile = {}): Promise<AppendFile> {
    try {
      return new AppendFile(path, await openExclusively(path, mode), 0, createHash('sha256'), named);
    } catch (error) {
      throw fileError(error, 'write', named);
    }
  }

  /** Keeps only the first `bytes` bytes. Throws an OpacError if the file is shorter, or if these bytes have changed. */
  static async resume(path: string, { bytes, sha256, signal }: FileState): Promise<AppendFile> {
    let handle: FileHandle | undefined;
    try {
      handle = await openRegularFile(path);
      const { size } = await handle.stat();
      if (size < bytes)
        throw new Error(`it has ${formatCount(size, 'byte')} instead of ${formatNumber(bytes)}`);
      await handle.truncate(bytes);
      const hash = createHash('sha256');
      for await (const piece of handle.createReadStream({
        start: 0,
        highWaterMark: PIECE_BYTES,
        autoClose: false,
      })) {
        signal?.throwIfAborted();
        hash.update(piece as Buffer);
      }
      // The disk may have lost synced bytes, and no later check would detect that.
      if (sha256 !== undefined && hash.copy().digest('hex') !== sha256)
        throw new Error('its content has changed');
      return new AppendFile(path, handle, bytes, hash);
    } catch (error) {
      await handle?.close();
      signal?.throwIfAborted();
      throw resumeError(error, path);
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  async append(bytes: Buffer): Promise<void> {
    await this.#do(() => this.#write(bytes));
  }

  /** Saves all bytes, so that they survive a power cut. Throws an OpacError if the file is missing or has another size. */
  async sync(): Promise<void> {
    await this.#do(async () => {
      await this.#handle.datasync();
      // Writing to a file that was removed or replaced succeeds, but the bytes are lost.
      const entry = await lstat(this.path);
      if (!entry.isFile() || entry.size !== this.#bytes) throw new Error(CHANGED);
    });
  }

  sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #write(bytes: Buffer): Promise<void> {
    const { size } = await this.#handle.stat();
    if (size !== this.#bytes) throw new Error(CHANGED);
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at, this.#bytes);
      at += bytesWritten;
      this.#bytes += bytesWritten;
    }
    this.#hash.update(bytes);
  }

  async #do(task: () => Promise<void>): Promise<void> {
    if (this.#failure) throw this.#failure;
    try {
      await task();
    } catch (error) {
      this.#failure = fileError(error, 'write', this.#named);
      throw this.#failure;
    }
  }
}
