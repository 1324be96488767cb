/** Writes a finished file, compressed if its name says so, and reads finished files. */
import { createHash } from 'node:crypto';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Compression } from './compression.js';
import { fileError } from './file-error.js';
import { openInput } from './open-input.js';
import { assertWritten, openNew } from './open-new.js';

export interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Survives a power cut once it returns. Throws an OpacError, and as it came what is one already. */
export async function writePieces(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  compression: Compression | undefined,
  signal?: AbortSignal,
): Promise<Digest> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    const handle = await openNew(path);
    try {
      const file = new Writable({
        write(piece: Buffer, _encoding, done) {
          hash.update(piece);
          writeAll(piece).then(() => done(), done);
        },
      });
      await pipeline(bytes, compression?.compress() ?? new PassThrough(), file, { signal });
      await handle.sync();
      await assertWritten(path, size);
    } finally {
      await handle.close();
    }

    async function writeAll(piece: Buffer): Promise<void> {
      for (let at = 0; at < piece.length; ) {
        const { bytesWritten } = await handle.write(piece, at);
        at += bytesWritten;
        size += bytesWritten;
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw fileError(error, 'write', path);
  }
  return { bytes: size, sha256: hash.digest('hex') };
}

export interface ReadOptions {
  /** What was put around the file. */
  readonly added?: Compression | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Size and SHA-256 of a file. Throws an OpacError when it cannot be read, and the signal's reason. */
export async function digestOf(path: string, options: ReadOptions = {}): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const piece of readFrom(path, options)) {
      hash.update(piece as Buffer);
      bytes += (piece as Buffer).length;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    throw fileError(error, 'read', path);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Without the compression added since. Throws the error of the file system. */
export function readFrom(path: string, { added, signal }: ReadOptions): Readable {
  const file = openInput(path, { piece: 1 << 20, signal });
  if (!added) return file;
  const plain = file.pipe(added.decompress());
  // pipe() does not pass on errors of the source.
  file.on('error', (error) => plain.destroy(error));
  return plain;
}
