/** Compression by the name of a file. */
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { UsageError } from '../../service/errors.js';

export interface Compression {
  readonly compress: () => Transform;
  readonly decompress: () => Transform;
}

/** Since Node 22.15; the types are those of the oldest supported version. */
const { createZstdCompress, createZstdDecompress } = zlib as {
  readonly createZstdCompress?: () => Transform;
  readonly createZstdDecompress?: () => Transform;
};

const BY_ENDING: Readonly<Record<string, Compression | undefined>> = {
  '.gz': { compress: () => zlib.createGzip(), decompress: () => zlib.createGunzip() },
  '.zst':
    createZstdCompress && createZstdDecompress
      ? { compress: createZstdCompress, decompress: createZstdDecompress }
      : undefined,
};

export const ENDINGS: readonly string[] = Object.keys(BY_ENDING);

export function compressionOf(path: string): Compression | undefined {
  const ending = ENDINGS.find((each) => path.toLowerCase().endsWith(each));
  if (ending === undefined) return undefined;
  const compression = BY_ENDING[ending];
  if (!compression) {
    throw new UsageError(
      `this Node (${process.version}) cannot write ${ending}`,
      'use .gz, or Node 22.15 or later',
    );
  }
  return compression;
}
