/** The check of an image takes less than a second, whatever boxes, segments and directories the image has. */
import { describe, expect, it } from 'vitest';
import { inspectImage } from '../../src/images/inspect-image.js';
import { createTiff } from './image-server.js';

const SIZE = 32 * 1024 * 1024;

const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, 4 * n);
  return bytes;
};
const box = (type: string, ...content: (Buffer | string)[]) => {
  const body = Buffer.concat(content.map((each) => Buffer.from(each as string, 'latin1')));
  return Buffer.concat([uint32(8 + body.length), Buffer.from(type), body]);
};
const repeat = (piece: Buffer | string, bytes = SIZE) => Buffer.alloc(bytes, piece as string, 'latin1');
const join = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));

const ispe = (width: number, height: number) => box('ispe', uint32(0, width, height));
const meta = (...properties: Buffer[]) => box('meta', uint32(0), box('iprp', box('ipco', ...properties)));
const heif = (brand: string, ...boxes: Buffer[]) => join(box('ftyp', brand, uint32(0)), ...boxes);

/** Returns a TIFF that repeats the entry. Its directory has 65,535 entries. */
function tiffOfDirectories(little: boolean, entry: Buffer): Buffer {
  const bytes = join(
    little ? 'II*\0' : 'MM\0*',
    little ? Buffer.from([8, 0, 0, 0]) : uint32(8),
    repeat(entry),
  );
  bytes.writeUInt16BE(0xffff, 8);
  return bytes;
}

/** Returns a TIFF with a page and empty directories, each of which links to the next. */
function tiffOfLinks(): Buffer {
  const bytes = join(createTiff(4, 'LE'), Buffer.alloc(12 * 1024 * 1024));
  // The link of the page is after its 8 entries.
  for (let link = 8 + 2 + 8 * 12, next = 256; next + 6 <= bytes.length; link = next + 2, next += 6)
    bytes.writeUInt32LE(next, link);
  return bytes;
}

/** Returns a TIFF with a list of 2,000,000 empty directories. */
function tiffOfSubdirectories(): Buffer {
  const bytes = join(
    Buffer.from('49492a0008000000', 'hex'),
    Buffer.from('0300000104000100000004000000010104000100000004000000', 'hex'),
    Buffer.from('4a01040080841e003200000000000000', 'hex'),
    Buffer.alloc(14 * 1024 * 1024),
  );
  for (let n = 0; n < 2_000_000; n++) bytes.writeUInt32LE(8_000_100 + 3 * n, 50 + 4 * n);
  return bytes;
}

const HOSTILE: readonly (readonly [string, Buffer])[] = [
  ['HEIC of sizes', heif('heic', meta(repeat(ispe(9, 9))))],
  ['HEIC of 120 kB of sizes', heif('heic', meta(repeat(ispe(9, 9), 120_000)), box('mdat', repeat('x')))],
  [
    'HEIC of sizes and empty boxes',
    heif('heic', meta(repeat(join(ispe(9, 9), box('free')), 28 * 4000)), repeat(box('free'))),
  ],
  ['AVIF of sizes', heif('avif', meta(repeat(ispe(9, 9))))],
  [
    'HEIC of sizes in a 64-bit box before its header',
    heif(
      'heic',
      join(uint32(1), 'free', uint32(0, 16 + 28 + 4_000_000), meta(repeat(ispe(9, 9), 4_000_000))),
      meta(ispe(9, 9)),
    ),
  ],
  ['AVIF of empty boxes', heif('avif', repeat(box('free')))],
  ['AVIF of boxes without a length', heif('avif', meta(repeat('\0')))],
  ['AVIF of 64-bit boxes', heif('avif', repeat(join(uint32(1), 'free', uint32(0, 16))))],
  ['JPEG of empty segments', join('\xff\xd8', repeat('\xff\xe1\0\x02'))],
  ['JPEG of padding', join('\xff\xd8', repeat('\xff'))],
  ['JPEG of zeros', join('\xff\xd8\xff\xe0', repeat('\0'))],
  ['JPEG of Exif segments', join('\xff\xd8', repeat('\xff\xe1\0\x10Exif\0\0MM\0*\xff\xff'))],
  ['JPEG 2000 of empty boxes', join(box('jP  ', '\r\n\x87\n'), box('ftyp', 'jp2 '), repeat(box('free')))],
  [
    'JPEG 2000 header of empty boxes',
    join(box('jP  ', '\r\n\x87\n'), box('ftyp', 'jp2 '), box('jp2h', repeat(box('free')))),
  ],
  ['JPEG XL of streams', join(box('JXL ', '\r\n\x87\n'), box('ftyp', 'jxl '), repeat(box('jxlp', 'abcd')))],
  ['JPEG XL stream', join('\xff\x0a', repeat('\0'))],
  ['JPEG 2000 stream', join('\xff\x4f\xff\x51', repeat('\0'))],
  ['TIFF of entries', tiffOfDirectories(true, Buffer.from('000103000100000009000000', 'hex'))],
  ['TIFF of directories', tiffOfDirectories(false, Buffer.from('014a00040000ffff00000008', 'hex'))],
  ['TIFF of strips', tiffOfDirectories(false, Buffer.from('0111000400ffffff00000008', 'hex'))],
  ['TIFF of links', tiffOfLinks()],
  ['TIFF of subdirectories', tiffOfSubdirectories()],
  ['BigTIFF of entries', join('II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0', repeat('\x01'))],
  [
    'PNG of empty chunks',
    join('\x89PNG\r\n\x1a\n', uint32(13), 'IHDR', uint32(1, 1, 0, 0), '\0', repeat('\0\0\0\0IDATcrc!')),
  ],
  ['GIF of empty blocks', join('GIF89a\x01\0\x01\0\0\0\0', repeat('!\xf9\0'))],
  ['WebP', join('RIFF\xff\xff\xff\0WEBPVP8X', repeat('\0'))],
  ['BMP', join('BM', repeat('\x01'))],
  ['ICNS of empty icons', join('icns', uint32(SIZE), repeat(join('ic07', uint32(8))))],
  ['ICO of icons', join('\0\0\x01\0\xff\xff', repeat('\x01'))],
  ['cursor of icons', join('\0\0\x02\0\xff\xff', repeat('\x01'))],
  ['PNM comment', join('P6', repeat('#'))],
  ['PAM of lines', join('P7', repeat('\n'))],
  ['SVG that does not end', join('<svg >', repeat('<svg '))],
  ['SVG of quotes', join('<svg a="', repeat('\'"'))],
  ['SVG of spaces', join(`<svg${' '.repeat(900)}>`, repeat(' '))],
  ['PSD', join('8BPS', repeat('\0'))],
  ['DDS', join('DDS ', repeat('\0'))],
  ['KTX', join('\xabKTX 11', repeat('\0'))],
  ['TGA of zeros', repeat('\0')],
];

describe('inspectImage', () => {
  it.each(HOSTILE)('needs less than a second for a hostile %s', (_, bytes) => {
    const start = process.cpuUsage();
    inspectImage(bytes, undefined);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});

describe('the size', () => {
  const size = { width: 40, height: 30 };
  const frame = Buffer.from('ffc00011080000001e0000002803', 'hex');
  frame.writeUInt16BE(30, 5);
  frame.writeUInt16BE(40, 7);

  it.each([
    ['of a HEIC', heif('heic', meta(ispe(40, 30)), box('mdat', 'xx'))],
    ['of the largest picture of an AVIF', heif('avif', meta(ispe(4, 3), ispe(40, 30)), box('mdat', 'xx'))],
    [
      'of a HEIC whose header is at the end',
      heif('heic', box('mdat', repeat('x', 3_000_000)), meta(ispe(40, 30))),
    ],
    [
      'of a HEIC whose header comes after a 64-bit box',
      heif('heic', join(uint32(1), 'mdat', uint32(0, 16)), meta(ispe(40, 30))),
    ],
    [
      'of a JPEG behind 3 MB of metadata',
      join(
        '\xff\xd8',
        ...Array.from({ length: 50 }, () => join('\xff\xe1\xff\xff', repeat('x', 65_533))),
        frame.subarray(0, 19),
        '\0\0\0\0\0',
        '\xff\xda\0\0',
        '\xff\xd9',
      ),
    ],
  ])('is found: %s', (_, bytes) => {
    expect(inspectImage(bytes, undefined)).toMatchObject(size);
  });
});

it('reports an image with 20,000 boxes as damaged, although all its boxes are complete', () => {
  const image = (count: number) =>
    heif('avif', meta(ispe(9, 9)), box('mdat', 'x'), repeat(box('free'), 8 * count));
  expect(inspectImage(image(100), undefined)).toMatchObject({ width: 9 });
  expect(inspectImage(image(20_000), undefined)).toEqual({
    fault: 'the image is incomplete or damaged',
    isBroken: true,
  });
});
