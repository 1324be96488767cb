/** Writes finished files, and computes their digests. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { findCompressionByName } from '../../../src/system/compression.js';
import { computeDigest } from '../../../src/system/finished-file.js';
import { writeNewFile } from '../../../src/system/replace-file.js';
import { withFolder } from '../export-setup.js';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

async function* yieldChunks(...texts: string[]) {
  for (const each of texts) yield Buffer.from(each);
}

it('returns the digest of the bytes of a file', () =>
  withFolder(async (path, text) => {
    const digest = { bytes: 4, sha256: sha256('a\nb\n') };
    expect(await writeNewFile(path('f'), yieldChunks('a\n', 'b\n'))).toEqual(digest);
    expect([await text('f'), await computeDigest(path('f'))]).toEqual(['a\nb\n', digest]);
  }));

it('returns the digest of a compressed file, or of its decompressed content', () =>
  withFolder(async (path) => {
    const gzip = findCompressionByName('f.gz');
    const digest = await writeNewFile(path('f.gz'), yieldChunks('a', 'b'), { compression: gzip });
    expect(await computeDigest(path('f.gz'))).toEqual(digest);
    expect(await computeDigest(path('f.gz'), { addedCompression: gzip })).toEqual({
      bytes: 2,
      sha256: sha256('ab'),
    });
    await writeFile(path('cut.gz'), gzipSync('x'.repeat(999)).subarray(0, -9));
    await expect(computeDigest(path('cut.gz'), { addedCompression: gzip })).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot read ".*cut\.gz": /),
    });
  }));

it('throws if a file cannot be written or read, or if the signal is aborted', () =>
  withFolder(async (path) => {
    await expect(writeNewFile(path('none/f'), yieldChunks('a'))).rejects.toMatchObject({
      message: `cannot write "${path('none/f')}": the folder "${path('none')}" does not exist`,
    });
    await expect(
      computeDigest(path('none'), { addedCompression: findCompressionByName('f.gz') }),
    ).rejects.toMatchObject({
      message: `cannot read "${path('none')}": the folder or file does not exist`,
    });
    await writeFile(path('f'), 'a');
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(computeDigest(path('f'), { signal })).rejects.toThrow('stopped');
    await expect(writeNewFile(path('g'), yieldChunks('a'), { signal })).rejects.toThrow('stopped');
  }));
