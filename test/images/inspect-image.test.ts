import { describe, expect, it } from 'vitest';
import { inspectImage } from '../../src/images/inspect-image.js';
import { seededRandom } from '../../src/mock/random.js';
import { gifOf } from './gif.js';
import { smallPng } from './image-server.js';

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
  const whole = gifOf(parts, seededRandom(7));
  const length = whole.length - ('padding' in parts ? parts.padding : 0);

  it('is accepted', () => {
    const { width, height } = parts;
    expect(inspectImage(whole, undefined)).toEqual({
      extension: 'gif',
      mediaType: 'image/gif',
      width,
      height,
    });
  });

  it('is refused wherever it is truncated, with zeros after it or without', () => {
    const accepted = Array.from({ length }, (__, end) => end).filter((end) =>
      [0, 1, 80].some((zeros) => {
        const cut = Buffer.concat([whole.subarray(0, end), Buffer.alloc(zeros)]);
        return !('fault' in inspectImage(cut, undefined));
      }),
    );
    expect(accepted).toEqual([]);
  });
});

it('refuses a PNG wherever it is truncated', () => {
  const whole = smallPng(3);
  const accepted = Array.from({ length: whole.length }, (_, end) => end).filter(
    (end) => !('fault' in inspectImage(whole.subarray(0, end), undefined)),
  );
  expect(accepted).toEqual([]);
});
