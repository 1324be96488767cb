import { describe, expect, it } from 'vitest';
import { isCompleteTiff } from '../../src/images/complete-image.js';
import { inspectImage } from '../../src/images/inspect-image.js';
import { tiffOf } from './image-server.js';

describe.each([
  ['little-endian', 4, 'LE'],
  ['big-endian', 4, 'BE'],
] as const)('a TIFF that is %s', (_, word, order) => {
  const whole = tiffOf(word, order);

  it('is whole', () => {
    expect(inspectImage(whole, { width: 4, height: 4 })).toMatchObject({ extension: 'tif', width: 4 });
    expect(isCompleteTiff(Buffer.concat([whole, Buffer.alloc(9)]))).toBe(true);
  });

  it('is cut where a page after the first one ends earlier', () => {
    const pages = tiffOf(word, order, 3);
    const accepted = Array.from({ length: pages.length }, (__, end) => end).filter((end) =>
      isCompleteTiff(pages.subarray(0, end)),
    );
    expect(accepted).toEqual([]);
    expect(isCompleteTiff(pages)).toBe(true);
  });

  it('has at most 1,000 pages', () => {
    expect(isCompleteTiff(tiffOf(word, order, 1000))).toBe(true);
    expect(isCompleteTiff(tiffOf(word, order, 1001))).toBe(false);
  });

  it('is cut wherever it ends earlier', () => {
    for (let length = 4; length < whole.length; length++)
      expect(isCompleteTiff(whole.subarray(0, length))).toBe(false);
  });
});
