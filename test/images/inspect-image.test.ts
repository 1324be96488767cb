import { describe, expect, it } from 'vitest';
import { isCompleteBoxFile } from '../../src/images/complete-image.js';
import { inspectImage } from '../../src/images/inspect-image.js';
import { seededRandom } from '../../src/mock/random.js';
import { createGif } from './gif.js';
import { createSmallPng } from './image-server.js';

const GIFS = {
  'of one frame': { width: 40, height: 30, frames: 1, data: 900 },
  'of several frames with their own colours': {
    width: 12,
    height: 9,
    frames: 4,
    data: 300,
    hasLocalColors: true,
  },
  'with a comment that ends like a GIF': { width: 5, height: 5, frames: 1, data: 60, comment: ';\0;;' },
  'that is padded with zeros': { width: 20, height: 20, frames: 2, data: 500, padding: 70 },
} as const;

describe.each(Object.entries(GIFS))('a GIF %s', (_, parts) => {
  const intact = createGif(parts, seededRandom(7));
  const length = intact.length - ('padding' in parts ? parts.padding : 0);

  it('is accepted, and its size is read', () => {
    const { width, height } = parts;
    expect(inspectImage(intact, undefined)).toEqual({
      extension: 'gif',
      mediaType: 'image/gif',
      width,
      height,
    });
  });

  it('is refused wherever it is truncated, also if zeros follow', () => {
    const accepted = Array.from({ length }, (__, end) => end).filter((end) =>
      [0, 1, 80].some((zeros) => {
        const cut = Buffer.concat([intact.subarray(0, end), Buffer.alloc(zeros)]);
        return !('fault' in inspectImage(cut, undefined));
      }),
    );
    expect(accepted).toEqual([]);
  });
});

it('refuses a PNG wherever it is truncated', () => {
  const intact = createSmallPng(3);
  const accepted = Array.from({ length: intact.length }, (_, end) => end).filter(
    (end) => !('fault' in inspectImage(intact.subarray(0, end), undefined)),
  );
  expect(accepted).toEqual([]);
});

it('refuses a GIF without an image', () => {
  const parts = { width: 5, height: 5, frames: 0, data: 0, comment: 'no image' };
  expect(inspectImage(createGif(parts, seededRandom(7)), undefined)).toHaveProperty('fault');
});

it.each([1, 24])('refuses a BMP of %i bits that states no file size wherever it is truncated', (bits) => {
  const [width, height, rowBytes] = [5, 3, bits === 1 ? 4 : 16];
  const intact = Buffer.alloc(62 + height * rowBytes);
  intact.write('BM');
  intact.writeUInt32LE(62, 10);
  intact.writeUInt32LE(40, 14);
  intact.writeInt32LE(width, 18);
  intact.writeInt32LE(-height, 22);
  intact.writeUInt16LE(1, 26);
  intact.writeUInt16LE(bits, 28);
  expect(inspectImage(intact, undefined)).toMatchObject({ extension: 'bmp', width, height });
  const accepted = Array.from({ length: intact.length }, (_, end) => end).filter(
    (end) => !('fault' in inspectImage(intact.subarray(0, end), undefined)),
  );
  expect(accepted).toEqual([]);
});

describe('a file of boxes whose last box has a 64-bit length', () => {
  const boxes = (length: number) => {
    const last = Buffer.from('\0\0\0\x01mdat\0\0\0\0\0\0\0\0........', 'latin1');
    last.writeBigUInt64BE(BigInt(length), 8);
    return Buffer.concat([Buffer.from('\0\0\0\x10ftypheic\0\0\0\0', 'latin1'), last]);
  };

  it('is complete only with all its bytes', () => {
    const intact = boxes(24);
    const complete = Array.from({ length: intact.length + 1 }, (_, end) => end).filter(
      (end) => end > 16 && isCompleteBoxFile(intact.subarray(0, end)),
    );
    expect(complete).toEqual([intact.length]);
  });

  it.each([0, 15, 1000])('is refused with the length %i', (length) => {
    expect(isCompleteBoxFile(boxes(length))).toBe(false);
  });

  it('is complete if the length of its last box is 0, which means to the end of the file', () => {
    expect(isCompleteBoxFile(Buffer.from('\0\0\0\0mdat....', 'latin1'))).toBe(true);
  });
});
