/**
 * Random access to the bytes of a file. Copies compressed files, UTF-16 files, pipes and workbooks (the first sheet as CSV) to a
 * temporary file.
 */
import { readSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline as pipe, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OpacError, UsageError } from '../../service/errors.js';
import { detectCompression, MAGIC_BYTES } from '../../system/compression.js';
import { errorCode } from '../../system/error-code.js';
import { fileError, inputError } from '../../system/file-error.js';
import { openInput } from '../../system/open-stream.js';
import { utf16Decoder } from './encoding.js';
import { collectWorkbook, isWorkbook, readWorkbook, type Sheet } from './read-workbook.js';

export class DecompressedFile {
  readonly path: string;
  readonly size: number;
  readonly sheet: Sheet | undefined;
  readonly #handle: FileHandle;
  readonly #folder: string | undefined;
  #signal: AbortSignal | undefined;

  private constructor(path: string, handle: FileHandle, size: number, folder?: string, sheet?: Sheet) {
    this.path = path;
    this.size = size;
    this.sheet = sheet;
    this.#handle = handle;
    this.#folder = folder;
  }

  /** `temporary`: the folder for a copy. Throws a UsageError for an unreadable file, and an OpacError if the copy fails. */
  static async open(path: string, temporary?: string, signal?: AbortSignal): Promise<DecompressedFile> {
    const file = await DecompressedFile.#open(path, temporary, signal);
    file.#signal = signal;
    return file;
  }

  static async #open(
    path: string,
    temporary: string = tmpdir(),
    signal?: AbortSignal,
  ): Promise<DecompressedFile> {
    let handle: FileHandle | undefined;
    try {
      const found = await stat(path);
      if (found.isDirectory()) throw new UsageError(`"${path}" is a folder`, 'name a file in the folder');
      const begin = Buffer.alloc(MAGIC_BYTES);
      if (found.isFile()) {
        handle = await open(path, 'r');
        await handle.read(begin, 0, begin.length, 0);
      }
      const isSheet = isWorkbook(path, begin);
      const decode = detectCompression(begin)?.decompress() ?? utf16Decoder(begin);
      if (handle && !decode && !isSheet) return new DecompressedFile(path, handle, found.size);
      await handle?.close();
      const bytes = openInput(path, { signal });
      if (!isSheet) return await DecompressedFile.#copy(path, bytes, decode, temporary);
      const sheet = await readWorkbook(
        await collectWorkbook(decode ? Readable.from(pipe(bytes, decode, () => {})) : bytes),
        path,
        signal,
      );
      return await DecompressedFile.#copy(path, Readable.from([sheet.csv]), undefined, temporary, sheet);
    } catch (error) {
      await handle?.close().catch(() => undefined);
      signal?.throwIfAborted();
      throw inputError(error, path);
    }
  }

  static async #copy(
    path: string,
    bytes: Readable,
    decode: NodeJS.ReadWriteStream | undefined,
    temporary: string,
    sheet?: Sheet,
  ): Promise<DecompressedFile> {
    const folder = await mkdtemp(join(temporary, 'opac-')).catch((error) => {
      throw fileError(error, 'write in', temporary);
    });
    const target = join(folder, 'plain');
    try {
      const copy = await open(target, 'wx');
      const written = copy.createWriteStream();
      await (decode ? pipeline(bytes, decode, written) : pipeline(bytes, written)).catch((error) => {
        if (String(errorCode(error)).startsWith('Z_') || String(errorCode(error)).startsWith('ZSTD_'))
          throw new UsageError(`"${path}" is incomplete or damaged`, 'export it again');
        throw new OpacError('incomplete', fileError(error, 'write', target).message, {
          hint: 'free some space, or set TMPDIR to another folder for temporary files',
          cause: error,
        });
      });
      const handle = await open(target, 'r');
      return new DecompressedFile(path, handle, (await handle.stat()).size, folder, sheet);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  bytes(start: number, end: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(end, this.size) - start));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(this.#handle.fd, bytes, filled, bytes.length - filled, start + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  }

  /** Pauses after each piece, so that an abort can take effect. */
  async *pieces(start: number): AsyncGenerator<Buffer> {
    for (let at = start; at < this.size; at += PIECE) {
      yield this.bytes(at, at + PIECE);
      await new Promise(setImmediate);
      this.#signal?.throwIfAborted();
    }
  }

  /** Returns the number of the line that contains a position, counted from 1. */
  lineNumberAt(at: number): number {
    let lines = 1;
    for (let from = 0; from < at; from += PIECE) {
      const piece = this.bytes(from, Math.min(at, from + PIECE));
      for (let i = piece.indexOf(LINE_FEED); i >= 0; i = piece.indexOf(LINE_FEED, i + 1)) lines++;
    }
    return lines;
  }

  async close(): Promise<void> {
    await this.#handle.close();
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

export const PIECE = 1 << 20;
const LINE_FEED = 0x0a;
