import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CSS_COLORS, findNearestCssColor, hexToHsl } from '../../src/local/colors/css-colors.js';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { type Body, getJson, listOf } from './requests.js';

let museum: Museum;
beforeAll(async () => {
  museum = await startMuseum();
});
afterAll(() => museum.close());

/** Reads an indexed PNG without filters. Returns its width and height, and the share of each colour in percent. */
function readPng(bytes: Buffer): { width: number; height: number; shares: Map<string, number> } {
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const header = chunks.get('IHDR') as Buffer;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const palette = chunks.get('PLTE') as Buffer;
  const rows = inflateSync(chunks.get('IDAT') as Buffer);
  const shares = new Map<string, number>();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = rows[y * (width + 1) + 1 + x] as number;
      const hex = palette.toString('hex', index * 3, index * 3 + 3);
      shares.set(hex, (shares.get(hex) ?? 0) + 100 / (width * height));
    }
  }
  return { width, height, shares };
}

describe('the image route', () => {
  it('serves each derivative with the size and the colours that the record states', async () => {
    const { body } = await getJson(museum, '/opacobjects?view=detail&hasImages=true&limit=1');
    let [images, colours] = [0, 0];
    for (const record of listOf(body)) {
      for (const image of listOf(record.imagesCollection as Body)) {
        for (const { identifier, url, width, height } of image.imageDerivatives as Record<string, string>[]) {
          images++;
          const response = await fetch(url as string);
          expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
          const read = readPng(Buffer.from(await response.arrayBuffer()));
          expect([String(read.width), String(read.height)]).toEqual([width, height]);
          if (identifier !== 'NANO') continue;
          for (const { hex, presence } of image.rawColors as { hex: string; presence: number }[]) {
            colours++;
            expect(read.shares.get(hex)).toBeCloseTo(presence, 1);
          }
        }
      }
    }
    expect(images).toBeGreaterThan(3);
    expect(colours).toBeGreaterThan(1);
  });

  it.each([
    '/records/images/large/20011/1.png',
    '/records/images/huge/20011/700000.png',
    '/records/images/',
    '/x',
  ])('returns 404 for %s', async (path) => {
    expect((await fetch(museum.url + path)).status).toBe(404);
  });

  it('serves images without credentials, and refuses POST', async () => {
    const authorized = await startMuseum({ access: 'authorized' });
    const { body } = await getJson(museum, '/opacobjects?view=detail&hasImages=true&limit=1');
    const [path] = JSON.stringify(body).match(/\/records\/images\/nano\/\d+\/\d+\.png/) ?? [];
    expect((await fetch(authorized.url + path)).status).toBe(200);
    expect((await fetch(authorized.url + path, { method: 'POST' })).status).toBe(405);
    await authorized.close();
  });
});

describe('the colours', () => {
  it('include all 148 names of CSS, with both spellings of grey', () => {
    expect(CSS_COLORS).toHaveLength(148);
    expect(new Set(CSS_COLORS.map(({ colorName }) => colorName)).size).toBe(148);
    expect(CSS_COLORS.map(({ colorName }) => colorName)).toEqual(
      expect.arrayContaining(['darkslategrey', 'darkslategray', 'rebeccapurple']),
    );
  });

  it('have the same descriptions as in the captured response', () => {
    expect(CSS_COLORS.find(({ colorName }) => colorName === 'lightsteelblue')).toEqual({
      hex: 'b0c4de',
      hue: 214,
      saturation: 41,
      lightness: 78,
      colorName: 'lightsteelblue',
      formattedColorName: 'light steel blue',
      colorGroup: 'blue',
    });
    expect(findNearestCssColor('040406').colorName).toBe('black');
    expect(hexToHsl('a9b7c9')).toEqual({ hue: 214, saturation: 23, lightness: 73 });
  });
});
