/** Files as they are written in the end, and read to be checked. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { digestOf, writeContent, writePieces } from '../../../src/export/run/finished-file.js';
import { compressionOf } from '../../../src/system/compression.js';
import { withFolder } from '../export-setup.js';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

async function* pieces(...texts: string[]) {
  for (const each of texts) yield Buffer.from(each);
}

it('a file has its head, its rows and its tail, and its digest is that of its bytes', () =>
  withFolder(async (path, text) => {
    await writeFile(path('part'), 'xxa\nb\nyy');
    const rows = { path: path('part'), start: 2, end: 6, widths: [], width: 1, delimiter: ',' };
    const content = { head: Buffer.from('h\n'), rows, all: rows, tail: Buffer.from('t'), convert: undefined };
    expect(await writeContent(path('f'), content, undefined)).toEqual({
      bytes: 7,
      sha256: sha256('h\na\nb\nt'),
    });
    expect(await text('f')).toBe('h\na\nb\nt');
    expect(await digestOf(path('f'))).toEqual({ bytes: 7, sha256: sha256('h\na\nb\nt') });
  }));

it('a compressed file has the digest of what lies on the disk, or of what is in it', () =>
  withFolder(async (path) => {
    const gzip = compressionOf('f.gz');
    const digest = await writePieces(path('f.gz'), pieces('a', 'b'), gzip);
    expect(await digestOf(path('f.gz'))).toEqual(digest);
    expect(await digestOf(path('f.gz'), { added: gzip })).toEqual({ bytes: 2, sha256: sha256('ab') });
    await writeFile(path('cut.gz'), gzipSync('x'.repeat(999)).subarray(0, -9));
    await expect(digestOf(path('cut.gz'), { added: gzip })).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot read ".*cut\.gz": /),
    });
  }));

it('what cannot be written or read is said to be so, and an interruption is one', () =>
  withFolder(async (path) => {
    await expect(writePieces(path('none/f'), pieces('a'), undefined)).rejects.toMatchObject({
      message: `cannot write "${path('none/f')}": the folder or file does not exist`,
    });
    await expect(digestOf(path('none'), { added: compressionOf('f.gz') })).rejects.toMatchObject({
      message: `cannot read "${path('none')}": the folder or file does not exist`,
    });
    await writeFile(path('f'), 'a');
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(digestOf(path('f'), { signal })).rejects.toThrow('stopped');
    await expect(writePieces(path('g'), pieces('a'), undefined, signal)).rejects.toThrow('stopped');
  }));
