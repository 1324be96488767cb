/** Computes the size and SHA-256 of finished files. If a user compressed a file later, uses the decompressed content. */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream';
import type { Compression } from './compression.js';
import { fileError } from './file-error.js';
import { openInput } from './open-stream.js';

export interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

export interface ReadOptions {
  /** The compression that a user added to the file. */
  readonly addedCompression?: Compression | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function computeDigest(
  path: string,
  { addedCompression, signal }: ReadOptions = {},
): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const file = openInput(path, { chunkBytes: 1 << 20, signal });
    // The pipeline passes the errors of the file to the decompressed stream, so the loop throws them.
    const pieces = addedCompression ? pipeline(file, addedCompression.decompress(), () => {}) : file;
    for await (const piece of pieces) {
      hash.update(piece as Buffer);
      bytes += (piece as Buffer).length;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw fileError(error, 'read', path);
  }
  return { bytes, sha256: hash.digest('hex') };
}
