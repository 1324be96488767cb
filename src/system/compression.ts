/** Compressed files: by their names where we write them, by their first bytes where we only read. */
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { UsageError } from '../service/errors.js';

export interface Compression {
  readonly ending: string;
  /** What a file begins with (RFC 1952 section 2.3.1, RFC 8878 section 3.1.1). */
  readonly magic: Buffer;
  readonly compress: () => Transform;
  readonly decompress: () => Transform;
}

/** Since Node 22.15; the types are those of the oldest supported version. */
const { createZstdCompress: compress, createZstdDecompress: decompress } = zlib as {
  readonly createZstdCompress?: () => Transform;
  readonly createZstdDecompress?: () => Transform;
};

const GZIP: Compression = {
  ending: '.gz',
  magic: Buffer.from([0x1f, 0x8b]),
  compress: () => zlib.createGzip(),
  // Large pieces: what reads them goes over each piece as a whole.
  decompress: () => zlib.createGunzip({ chunkSize: 1 << 20 }),
};
const ZSTD = { ending: '.zst', magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), compress, decompress };

const METHODS = [GZIP, ZSTD];

export const COMPRESSION_EXTENSIONS: readonly string[] = METHODS.map(({ ending }) => ending);

/** The compression that a file's name asks for. Throws a UsageError where this Node lacks it. */
export function findCompressionByName(path: string): Compression | undefined {
  return available(METHODS.find(({ ending }) => path.toLowerCase().endsWith(ending)));
}

/** How many of a file's first bytes `compressionIn` needs. */
export const MAGIC_BYTES = 4;

/** The compression that a file's first bytes show. Throws a UsageError where this Node lacks it. */
export function detectCompression(begin: Buffer): Compression | undefined {
  return available(METHODS.find(({ magic }) => begin.subarray(0, magic.length).equals(magic)));
}

function available(method: (typeof METHODS)[number] | undefined): Compression | undefined {
  const { compress, decompress } = method ?? {};
  if (!method || (compress && decompress)) return method as Compression | undefined;
  throw new UsageError(
    `this Node (${process.version}) cannot read or write ${method.ending} files`,
    'use .gz, or Node 22.15 or later',
  );
}
