/** Creates GIF files (GIF89a specification) that have the parts which a decoder reads, with random data. */

import type { Random } from '../../src/mock/random.js';

export interface GifParts {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Bytes of image data in each frame. */
  readonly data: number;
  readonly hasLocalColors?: boolean;
  readonly comment?: string;
  /** Zero bytes after the trailer. */
  readonly padding?: number;
}

/** Returns a GIF with a global colour table and random image data. */
export function createGif(parts: GifParts, random: Random): Buffer {
  const { width, height, frames, data, hasLocalColors = false, comment, padding = 0 } = parts;
  const header = Buffer.from('GIF89a\0\0\0\0\x87\0\0', 'latin1');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  const pieces = [header, randomBytes(3 * 256, random)];
  if (comment !== undefined) pieces.push(Buffer.of(0x21, 0xfe), ...subBlocks(Buffer.from(comment)));
  for (let frame = 0; frame < frames; frame++) {
    pieces.push(Buffer.of(0x21, 0xf9, 4, 0, 10, 0, 0, 0));
    const image = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, hasLocalColors ? 0x81 : 0]);
    image.writeUInt16LE(width, 5);
    image.writeUInt16LE(height, 7);
    pieces.push(image);
    if (hasLocalColors) pieces.push(randomBytes(3 * 4, random));
    pieces.push(Buffer.of(8), ...subBlocks(randomBytes(data, random)));
  }
  return Buffer.concat([...pieces, Buffer.of(0x3b), Buffer.alloc(padding)]);
}

function subBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.subarray(at, at + 255);
    blocks.push(Buffer.of(block.length), block);
  }
  return [...blocks, Buffer.of(0)];
}

function randomBytes(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
