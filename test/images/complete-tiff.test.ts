import { describe, expect, it } from 'vitest';
import { isCompleteTiff } from '../../src/images/complete-image.js';
import { inspectImage } from '../../src/images/inspect-image.js';
import { createTiff } from './image-server.js';

describe.each([
  ['little-endian', 4, 'LE'],
  ['big-endian', 4, 'BE'],
] as const)('a %s TIFF', (_, word, order) => {
  const intact = createTiff(word, order);

  it('is complete, also with further bytes at its end', () => {
    expect(inspectImage(intact, { width: 4, height: 4 })).toMatchObject({ extension: 'tif', width: 4 });
    expect(isCompleteTiff(Buffer.concat([intact, Buffer.alloc(9)]))).toBe(true);
  });

  it('is incomplete wherever its three pages are truncated', () => {
    const pages = createTiff(word, order, 3);
    const accepted = Array.from({ length: pages.length }, (__, end) => end).filter((end) =>
      isCompleteTiff(pages.subarray(0, end)),
    );
    expect(accepted).toEqual([]);
    expect(isCompleteTiff(pages)).toBe(true);
  });

  it('is refused with more than 1,000 pages', () => {
    expect(isCompleteTiff(createTiff(word, order, 1000))).toBe(true);
    expect(isCompleteTiff(createTiff(word, order, 1001))).toBe(false);
  });

  it('is incomplete wherever its only page is truncated', () => {
    for (let length = 4; length < intact.length; length++)
      expect(isCompleteTiff(intact.subarray(0, length))).toBe(false);
  });
});
