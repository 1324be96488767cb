/** An append-only file of ours: gathers small pieces into large writes, and hashes them. */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, lstat } from 'node:fs/promises';
import type { OpacError } from '../service/errors.js';
import { formatNumber } from '../service/format-numbers.js';
import { fileError, resumeError } from './file-error.js';
import { openExclusively, openRegularFile } from './regular-file.js';

const PIECE = 1 << 20;
/** Smaller pieces are gathered into one write. */
const WRITE_BUFFER_BYTES = 1 << 18;

/** What an earlier run wrote to a file. */
export interface FileState {
  readonly bytes: number;
  readonly sha256?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface NewFile {
  readonly mode?: number | undefined;
  /** What errors call the file, where not by its path. */
  readonly named?: string | undefined;
}

export class AppendFile {
  readonly path: string;
  readonly #named: string;
  readonly #handle: FileHandle;
  readonly #hash: Hash;
  readonly #gathered = Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES);
  #gatheredBytes = 0;
  #bytes: number;
  /** Set when bytes were lost: only what a checkpoint covers is reliable then. */
  #failure: OpacError | undefined;

  private constructor(path: string, handle: FileHandle, bytes: number, hash: Hash, named = path) {
    this.path = path;
    this.#named = named;
    this.#handle = handle;
    this.#bytes = bytes;
    this.#hash = hash;
  }

  /** Throws an OpacError when the file cannot be written. */
  static async create(path: string, { mode, named = path }: NewFile = {}): Promise<AppendFile> {
    try {
      return new AppendFile(path, await openExclusively(path, mode), 0, createHash('sha256'), named);
    } catch (error) {
      throw fileError(error, 'write', named);
    }
  }

  /** Truncates the file to `bytes` and continues there. Throws an OpacError when it is shorter, or holds something else. */
  static async resume(path: string, { bytes, sha256, signal }: FileState): Promise<AppendFile> {
    let handle: FileHandle | undefined;
    try {
      handle = await openRegularFile(path);
      const { size } = await handle.stat();
      if (size < bytes)
        throw new Error(`it has ${formatNumber(size)} bytes, but ${formatNumber(bytes)} had been written`);
      await handle.truncate(bytes);
      const hash = createHash('sha256');
      for await (const piece of handle.createReadStream({
        start: 0,
        highWaterMark: PIECE,
        autoClose: false,
      })) {
        signal?.throwIfAborted();
        hash.update(piece as Buffer);
      }
      // A disk may have lost what it called safe; every later check would take the damage for the data.
      if (sha256 !== undefined && hash.copy().digest('hex') !== sha256)
        throw new Error('it is not what had been written');
      return new AppendFile(path, handle, bytes, hash);
    } catch (error) {
      await handle?.close();
      signal?.throwIfAborted();
      throw resumeError(error, path);
    }
  }

  get bytes(): number {
    return this.#bytes + this.#gatheredBytes;
  }

  /** Once it returns, the memory of the bytes may be used for others. */
  async append(bytes: Buffer): Promise<void> {
    if (bytes.length > WRITE_BUFFER_BYTES - this.#gatheredBytes) await this.flush();
    if (bytes.length > WRITE_BUFFER_BYTES) await this.#do(() => this.#write(bytes));
    else this.#gatheredBytes += bytes.copy(this.#gathered, this.#gatheredBytes);
  }

  async flush(): Promise<void> {
    const bytes = this.#gathered.subarray(0, this.#gatheredBytes);
    this.#gatheredBytes = 0;
    await this.#do(() => this.#write(bytes));
  }

  /** Makes everything so far survive a power cut. Throws an OpacError also when the file was removed or replaced. */
  async sync(): Promise<void> {
    await this.flush();
    await this.#do(async () => {
      await this.#handle.datasync();
      // A file that was removed or replaced still takes bytes, which nobody would ever see.
      const there = await lstat(this.path);
      if (!there.isFile() || there.size !== this.#bytes)
        throw new Error('another program changed it meanwhile');
    });
  }

  sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #write(bytes: Buffer): Promise<void> {
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
