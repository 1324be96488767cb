/** Reads finished files, also those that were compressed since. */
import { createHash } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import type { Compression } from './compression.js';
import { fileError } from './file-error.js';
import { openInput } from './open-input.js';

export interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

export interface ReadOptions {
  /** What was put around the file. */
  readonly addedCompression?: Compression | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Size and SHA-256 of a file. Throws an OpacError when it cannot be read, and the signal's reason. */
export async function computeDigest(path: string, options: ReadOptions = {}): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const piece of openDecompressed(path, options)) {
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
export function openDecompressed(path: string, { addedCompression, signal }: ReadOptions): Readable {
  const file = openInput(path, { chunkBytes: 1 << 20, signal });
  if (!addedCompression) return file;
  // The reader sees the errors of both.
  return pipeline(file, addedCompression.decompress(), () => {});
}
