/** Chooses the compression of an output file by its name, and of an input file by its first bytes. */
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { UsageError } from '../service/errors.js';

export interface Compression {
  readonly ending: string;
  /** The first bytes of a compressed file (RFC 1952 section 2.3.1, RFC 8878 section 3.1.1). */
  readonly magic: Buffer;
  readonly compress: () => Transform;
  readonly decompress: () => Transform;
}

/** Node has these functions from version 22.15 on. The type definitions are for Node 20. */
const { createZstdCompress: compress, createZstdDecompress: decompress } = zlib as {
  readonly createZstdCompress?: () => Transform;
  readonly createZstdDecompress?: () => Transform;
};

const GZIP: Compression = {
  ending: '.gz',
  magic: Buffer.from([0x1f, 0x8b]),
  compress: () => zlib.createGzip(),
  // Code that searches each chunk for line breaks is faster with large chunks.
  decompress: () => zlib.createGunzip({ chunkSize: 1 << 20 }),
};
const ZSTD = { ending: '.zst', magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), compress, decompress };

const METHODS = [GZIP, ZSTD];

export const COMPRESSION_EXTENSIONS: readonly string[] = METHODS.map(({ ending }) => ending);

export function findCompressionByName(path: string): Compression | undefined {
  return assertAvailable(METHODS.find(({ ending }) => path.toLowerCase().endsWith(ending)));
}

/** The number of bytes that `detectCompression` needs. */
export const MAGIC_BYTES = 4;

export function detectCompression(begin: Buffer): Compression | undefined {
  return assertAvailable(METHODS.find(({ magic }) => begin.subarray(0, magic.length).equals(magic)));
}

function assertAvailable(method: (typeof METHODS)[number] | undefined): Compression | undefined {
  const { compress, decompress } = method ?? {};
  if (!method || (compress && decompress)) return method as Compression | undefined;
  throw new UsageError(
    `this Node (${process.version}) cannot read or write ${method.ending} files`,
    'use .gz, or Node 22.15 or later',
  );
}
